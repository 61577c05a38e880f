/**
 * Checks a site by its sitemap, which is in a folder: `compare-lists <database> <folder> <mode>`. Prints the seconds of
 * all cores that this took, without the start of the process.
 *
 * - `compare`: reads the sitemap and compares it with what is in the database
 * - `read`: reads it alone
 */
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { openDocument } from "@rs-emit/documents";
import { MissingError } from "@rs-emit/reader/http/errors";
import { checkNow } from "../../packages/harvester/dist/check/check.js";
import { DEFAULT_SETTINGS } from "../../packages/harvester/dist/check/harvester.js";
import { pollSitemap } from "../../packages/harvester/dist/store/following/choose-polling.js";
import { follow } from "../../packages/harvester/dist/store/following/following.js";
import { openPostgres, openSqlite } from "../../packages/harvester/dist/store/open-store.js";

const [, , place = "", folder = "", mode = ""] = process.argv;
const SITE = "https://example.org/";

const store = place.startsWith("postgres:") ? await openPostgres(place) : await openSqlite(place);
const { database } = store;
const now = Date.now() / 1000;
const { id } = await follow(database, SITE, now);
await pollSitemap(database, id, now);
const start = process.cpuUsage();
if (mode === "read") await read("sitemap.xml");
else await compare();
const { user, system } = process.cpuUsage(start);
await store.close();
console.log((user + system) / 1e6);

async function compare(): Promise<void> {
  const transport = {
    async get(url: string) {
      const body = streamOf(new URL(url).pathname.slice(1));
      if (body === undefined) throw new MissingError(url);
      const discard = async () => void body.destroy();
      return {
        status: "fresh" as const,
        url,
        permanentUrl: url,
        validators: {},
        link: undefined,
        body,
        discard,
      };
    },
  };
  const clock = { now: () => now, random: () => 0 };
  const result = await checkNow({ database, transport, settings: DEFAULT_SETTINGS, ...clock }, id);
  if (result.kind !== "checked") throw new Error(JSON.stringify(result));
  console.log(result.reported);
}

/** Reads a document, and those that it lists if it is an index. */
async function read(name: string): Promise<void> {
  const body = streamOf(name);
  if (body === undefined) throw new Error(`no ${name} in ${folder}`);
  const reader = await openDocument(body);
  const isIndex = reader.head.root === "sitemapindex";
  const parts: string[] = [];
  for await (const batch of reader.batches()) {
    if (isIndex) parts.push(...batch.map(({ loc }) => new URL(loc).pathname.slice(1)));
  }
  for (const part of parts) await read(part);
}

function streamOf(name: string) {
  const path = join(folder, name);
  return name !== "" && existsSync(path) ? createReadStream(path) : undefined;
}
