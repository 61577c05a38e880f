import { MissingError } from "@rs-emit/reader/http/errors";
import { CompiledQuery, type KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { openSqlite } from "../src/store/open-store.ts";
import { TestLibrary } from "./support/library.ts";
import { followSampleSites } from "./support/sample-sites.ts";
import { TestService } from "./support/web.ts";

/** Tables with rows for each change, entry or check: they are read by index alone, as are sources where they are counted. */
const SCAN =
  /^SCAN (?:change|entry|feed_entry|feed|collection|document|seen|resource|source_check|source_day|source)\b(?!.* USING)/;

test("pages and feeds scan no table that grows with the changes", async () => {
  const store = await openSqlite(undefined);
  const plain = store.database;
  const asked = new Map<string, CompiledQuery>();
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const query = plain.getExecutor().compileQuery(node, queryId);
      asked.set(query.sql, query);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const database = plain.withPlugin(plugin);
  const get = (url: string) => Promise.reject(new MissingError(url));
  await using library = new TestLibrary({ ...store, database }, { get });
  const { pictures } = await followSampleSites(library);
  const service = new TestService(library);
  asked.clear();
  const paths = [
    "/",
    "/?before=1790812800-3",
    `/sources/${pictures}`,
    `/sources/${pictures}?before=2`,
    "/entries/1",
    "/entries/1?after=2",
    "/feeds/all.atom",
    `/feeds/sources/${pictures}.atom`,
    "/feeds/collections/1.atom",
    "/healthz",
    "/metrics",
  ];
  for (const path of paths) expect([path, (await service.ask(path)).status]).toEqual([path, 200]);
  expect(asked.size).toBeGreaterThan(10);
  const scans: string[] = [];
  for (const { sql, parameters } of asked.values()) {
    const explained = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]);
    const { rows } = await plain.executeQuery<{ detail: string }>(explained);
    scans.push(...rows.flatMap(({ detail }) => (SCAN.test(detail) ? [`${detail}: ${sql}`] : [])));
  }
  expect(scans).toEqual([]);
});
