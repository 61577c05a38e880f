import { expect, test } from "vitest";
import { openPostgres } from "../src/store/store.ts";
import { NO_SERVER, TestDatabase } from "./support/postgres.ts";

test.skipIf(NO_SERVER)("processes that start at once make the tables once", async () => {
  await using database = await TestDatabase.create();
  const stores = await Promise.all(Array.from({ length: 5 }, () => openPostgres(database.url)));
  for (const { database } of stores) {
    expect(await database.selectFrom("source").selectAll().execute()).toEqual([]);
  }
  await Promise.all(stores.map((store) => store.close()));
});
