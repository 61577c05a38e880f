import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { MIGRATIONS, type Migrations, migrate } from "../src/store/migrations.ts";
import { openPostgres, openSqlite, type Store } from "../src/store/open-store.ts";
import { LATER } from "./support/later-migration.ts";
import { NO_SERVER, TestDatabase, WITHOUT_SERVER } from "./support/postgres.ts";

test.skipIf(NO_SERVER)(
  `processes that start at once make the tables once${WITHOUT_SERVER}`,
  async () => {
    await using database = await TestDatabase.create();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openPostgres(database.url)));
    for (const { database } of stores) {
      expect(await database.selectFrom("source").selectAll().execute()).toEqual([]);
    }
    await Promise.all(stores.map((store) => store.close()));
  },
);

test("each change of the tables has a number of its own, in their order", () => {
  const numbers = Object.keys(MIGRATIONS).map((name) => Number(name.slice(0, 3)));
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
});

/** What a later version leaves in the database that it has changed. */
async function changedLater({ database, close }: Store): Promise<void> {
  await migrate(database, "of the test", LATER);
  await close();
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rs-harvest-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The tables of a database with the statements that make them. */
async function madeIn({ database }: Store): Promise<unknown> {
  const { rows } = await sql`SELECT name, sql FROM sqlite_schema ORDER BY name`.execute(database);
  return rows;
}

const KILLING = fileURLToPath(new URL("support/killed-at-statement.ts", import.meta.url));

describe("a first start that is killed", () => {
  test.each([
    "CREATE TABLE source (",
    "CREATE INDEX source_due",
    "CREATE TABLE change (",
    'insert into "kysely_migration" (',
    "commit",
  ])("before %s leaves what the next one completes", async (statement) => {
    const folder = newFolder();
    const killed = fork(KILLING, [folder, statement]);
    expect(await once(killed, "exit")).toEqual([null, "SIGKILL"]);
    const [store, whole] = [await openSqlite(folder), await openSqlite(newFolder())];
    expect(await madeIn(store)).toEqual(await madeIn(whole));
    await Promise.all([store.close(), whole.close()]);
  });
});

test("a change of the tables that fails leaves nothing of itself", async () => {
  const store = await openSqlite(newFolder());
  const before = await madeIn(store);
  const half: Migrations = {
    ...MIGRATIONS,
    "900-half": {
      up: async (database) => {
        await sql`CREATE TABLE half (id integer)`.execute(database);
        throw new Error("the disk is full");
      },
    },
  };
  await expect(migrate(store.database, "of the test", half)).rejects.toThrow("the disk is full");
  expect(await madeIn(store)).toEqual(before);
  await store.close();
});

describe("tables that this version did not make", () => {
  const others: readonly (readonly [string, (store: Store) => Promise<unknown>])[] = [
    [
      "an unreleased version's",
      ({ database }) => sql`UPDATE kysely_migration SET name = '001-tables'`.execute(database),
    ],
    ["another program's", ({ database }) => sql`DELETE FROM kysely_migration`.execute(database)],
  ];
  test.each(others)("are refused in a file: %s", async (_, change) => {
    const folder = newFolder();
    const store = await openSqlite(folder);
    await change(store);
    await store.close();
    await expect(openSqlite(folder)).rejects.toMatchObject({
      code: "DATABASE_OTHER",
      problem: expect.stringContaining(`The database in ${folder} has tables that `),
    });
  });

  test.skipIf(NO_SERVER).each(others)(
    `are refused on a server: %s${WITHOUT_SERVER}`,
    async (_, change) => {
      await using database = await TestDatabase.create();
      const store = await openPostgres(database.url);
      await change(store);
      await store.close();
      await expect(openPostgres(database.url)).rejects.toMatchObject({ code: "DATABASE_OTHER" });
    },
  );
});

test("a file that a newer version changed is refused", async () => {
  const folder = newFolder();
  await changedLater(await openSqlite(folder));
  for (let times = 0; times < 2; times++) {
    await expect(openSqlite(folder)).rejects.toMatchObject({
      code: "DATABASE_NEWER",
      message:
        `The database in ${folder} was used by a newer version of rs-harvest, which changed its tables ` +
        "(900-later). Nothing was read or written. Use that version or a newer one, or the backup that was " +
        "made before the update.",
    });
  }
});

test.skipIf(NO_SERVER)(`so is a database on a server${WITHOUT_SERVER}`, async () => {
  await using database = await TestDatabase.create();
  await changedLater(await openPostgres(database.url));
  const { host, pathname } = new URL(database.url);
  await expect(openPostgres(database.url)).rejects.toMatchObject({
    code: "DATABASE_NEWER",
    message: expect.stringContaining(
      `The database at ${host}${pathname} was used by a newer version`,
    ),
  });
});
