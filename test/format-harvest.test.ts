import { folderTransport } from "@rs-emit/reader/http/folder-transport";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkNow } from "../packages/harvester/src/check/check.ts";
import { migrate } from "../packages/harvester/src/store/migrations.ts";
import {
  openPostgres,
  openSqlite,
  type Store,
} from "../packages/harvester/src/store/open-store.ts";
import { TestHarvester } from "../packages/harvester/test/support/harvest.ts";
import { LATER } from "../packages/harvester/test/support/later-migration.ts";
import {
  NO_SERVER,
  TestDatabase,
  WITHOUT_SERVER,
} from "../packages/harvester/test/support/postgres.ts";
import { readPostgres, restoreSqlite } from "./format/databases.ts";
import { type Frozen, frozenVersions } from "./format/frozen.ts";
import { edit, NEXT } from "./format/garden.ts";
import { rewriteDocuments } from "./format/rewrite.ts";
import { temporaryFolder, thawed } from "./format/thawed.ts";
import { TODAYS } from "./model/software.ts";

const DAY = 86_400;

const DATABASES = [
  { kind: "SQLite", open: openFrozenFile },
  { kind: "PostgreSQL", open: openFrozenServer },
] as const;

const URL = "https://garden.example/";

/** What readers of the feed find of `edit`: without what is minor. */
const NEWS = [
  ["draft.html", "created"],
  ["lantern.html", "created"],
  ["new.html", "created"],
  ["ink.html", "deleted"],
  ["lamp.html", "deleted"],
  ["moss.html", "updated"],
  ["wall.html", "updated"],
].map(([path, kind]) => `${URL}${path} ${kind} ${NEXT}`);

describe.each(frozenVersions())(
  "the harvester's database, as version $version left it",
  (frozen) => {
    for (const { kind, open } of DATABASES) {
      const isSkipped = kind === "PostgreSQL" && NO_SERVER;
      const reason = isSkipped ? WITHOUT_SERVER : "";
      test.skipIf(isSkipped)(
        `${kind} is continued, migrated and continued whatever number the site's format has${reason}`,
        async () => {
          const site = frozen.sites.whole;
          if (site === undefined) throw new Error("the site that was followed is missing");
          const garden = thawed(frozen, "whole", site);
          const harvester = new TestHarvester(
            await open(frozen),
            folderTransport(garden.folder, site.url),
          );
          const known = [...frozen.told].sort();
          expect(known.length).toBeGreaterThan(0);
          expect(await told(harvester)).toEqual(known);
          await check(harvester, NEXT - DAY);
          expect(await told(harvester)).toEqual(known);
          await migrate(harvester.database, kind, LATER);
          edit(garden);
          await garden.publish(TODAYS, NEXT);
          // As a later version's, as far as its number says: ResourceSync is the same.
          rewriteDocuments(garden.folder, (text, path) =>
            path.endsWith("changelist.xml")
              ? text.replace(" emit:", ' emit:format="1000"$&')
              : text.replaceAll(/<rs:md (?=.*datetime=)/g, '$&emit:later="2;a" '),
          );
          for (const days of [1, 2, 3]) {
            await check(harvester, NEXT + days * DAY);
            expect(await told(harvester)).toEqual([...known, ...NEWS].sort());
          }
          // As at the next start.
          await migrate(harvester.database, kind, LATER);
          expect(await storedBy("earlier", harvester)).toEqual(known);
          expect(await storedBy("later", harvester)).toEqual([...NEWS].sort());
        },
      );
    }
  },
);

async function told(harvester: TestHarvester): Promise<string[]> {
  return (await harvester.reportedChanges()).sort();
}

/** Changes that are stored, as `LATER` marked them. */
async function storedBy(version: string, { database }: TestHarvester): Promise<string[]> {
  const { rows } = await sql<{ url: string; kind: string; datetime: number }>`
    SELECT url, kind, datetime FROM change WHERE stored_by = ${version}`.execute(database);
  return rows.map(({ url, kind, datetime }) => `${url} ${kind} ${datetime}`).sort();
}

/** Checks the one source that is followed. */
async function check(harvester: TestHarvester, time: number): Promise<void> {
  harvester.time = time;
  const { id } = await harvester.database
    .selectFrom("source")
    .select("id")
    .executeTakeFirstOrThrow();
  expect(await checkNow(harvester, id)).toMatchObject({ kind: "checked" });
}

async function openFrozenFile(frozen: Frozen): Promise<Store> {
  const folder = temporaryFolder();
  restoreSqlite(frozen.folder, folder);
  const store = await openSqlite(folder);
  onTestFinished(() => store.close());
  return store;
}

async function openFrozenServer(frozen: Frozen): Promise<Store> {
  const database = await TestDatabase.create();
  await database.run(readPostgres(frozen.folder));
  const store = await openPostgres(database.url);
  onTestFinished(async () => {
    await store.close();
    await database[Symbol.asyncDispose]();
  });
  return store;
}
