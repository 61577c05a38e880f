import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS, migrate } from "../src/store/migrations.ts";
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

test("a file that a newer version changed is refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rs-harvest-newer-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
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
