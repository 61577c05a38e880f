import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { TestDatabase } from "../../packages/harvester/test/support/postgres.ts";
import type { Software } from "../model/software.ts";
import { withPackages } from "./commit.ts";
import { Garden } from "./garden.ts";
import { SITES } from "./sites.ts";

/** The name that the harvester gives its file. */
const FILE = "harvest.sqlite";

const [FOLLOWED] = SITES;

/** How long after a publication the site is checked: seconds. */
const LATER = 3600;

/** What a database remembers of the first frozen site, which was followed while it grew. */
export interface FrozenDatabases {
  readonly sqlite: Uint8Array;
  /** What `pg_dump` writes, without its settings. */
  readonly postgres: string;
  /** The changes that the feeds of collections told. */
  readonly told: readonly string[];
}

/**
 * Has a commit's harvester follow a site in a database of either kind.
 *
 * @param work an empty folder
 */
export function fillDatabases(
  commit: string,
  software: Software,
  work: string,
): Promise<FrozenDatabases> {
  return withPackages(commit, async (packages) =>
    fillAll(await modulesIn(packages), software, work),
  );
}

async function fillAll(
  modules: Modules,
  software: Software,
  work: string,
): Promise<FrozenDatabases> {
  const folder = join(work, "database");
  await fill(modules, await modules.openSqlite(folder), software, join(work, "one"));
  await using server = await TestDatabase.create();
  await fill(modules, await modules.openPostgres(server.url), software, join(work, "other"));
  return {
    sqlite: gzipSync(readFileSync(join(folder, FILE)), { level: 9 }),
    postgres: dump(server.url),
    told: toldIn(join(folder, FILE)),
  };
}

/** Puts a frozen database of SQLite into a folder, as the harvester keeps it there. */
export function restoreSqlite(frozen: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, FILE), gunzipSync(readFileSync(join(frozen, `${FILE}.gz`))));
}

export function readPostgres(frozen: string): string {
  return readFileSync(join(frozen, "harvest.sql"), "utf8");
}

export function keepDatabases({ sqlite, postgres }: FrozenDatabases, frozen: string): void {
  writeFileSync(join(frozen, `${FILE}.gz`), sqlite);
  writeFileSync(join(frozen, "harvest.sql"), postgres);
}

type Modules = Pick<typeof import("../../packages/harvester/src/check/check.ts"), "checkNow"> &
  Pick<typeof import("../../packages/harvester/src/check/harvester.ts"), "DEFAULT_SETTINGS"> &
  Pick<typeof import("@rs-emit/reader/http/folder-transport"), "folderTransport"> &
  Pick<typeof import("../../packages/harvester/src/store/following/following.ts"), "follow"> &
  Pick<
    typeof import("../../packages/harvester/src/store/open-store.ts"),
    "openPostgres" | "openSqlite"
  >;

type Store = Awaited<ReturnType<Modules["openSqlite"]>>;

async function modulesIn(packages: string): Promise<Modules> {
  const names = ["check/check", "check/harvester", "store/following/following", "store/open-store"];
  const files = [
    ...names.map((name) => `harvester/dist/${name}.js`),
    "reader/dist/http/folder-transport.js",
  ];
  const modules: Modules[] = await Promise.all(
    files.map((file) => import(pathToFileURL(join(packages, file)).href)),
  );
  return Object.assign({}, ...modules);
}

async function fill(
  { checkNow, DEFAULT_SETTINGS, folderTransport, follow }: Modules,
  { database, close }: Store,
  software: Software,
  folder: string,
): Promise<void> {
  if (FOLLOWED === undefined) throw new Error("there is no site to follow");
  const { url, make } = FOLLOWED;
  mkdirSync(folder);
  await make(new Garden(folder, FOLLOWED), software, async (time) => {
    const now = () => time + LATER;
    const harvester = {
      database,
      transport: folderTransport(folder, url),
      settings: DEFAULT_SETTINGS,
      now,
      random: () => 0,
    };
    const { id } = await follow(database, url, now());
    const { kind } = await checkNow(harvester, id);
    if (kind !== "checked") throw new Error(`the check of ${url} is ${kind}`);
  });
  await close();
}

function toldIn(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database
    .prepare(
      `SELECT url || ' ' || kind || ' ' || CAST(datetime AS integer) AS told
      FROM feed_entry JOIN change USING (entry_id) WHERE feed LIKE 'collection/%' ORDER BY told`,
    )
    .all();
  database.close();
  return rows.map(({ told }) => String(told));
}

/** Settings differ between versions of the server, and `\restrict` is for psql alone. */
function dump(url: string): string {
  const args = ["--no-owner", "--no-privileges", "--inserts", "--dbname", url];
  const text = execFileSync("pg_dump", args, { encoding: "utf8" });
  return text
    .split("\n")
    .filter((line) => !/^(?:--|SET |SELECT pg_catalog\.set_config|\\|$)/.test(line))
    .join("\n");
}
