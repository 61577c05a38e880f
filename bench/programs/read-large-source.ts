/**
 * Follows a source of very many changes until all of its lists are read: `read-large-source <database> <changes>
 * <pages>`. Its lists are made while they are read. Prints the most memory that this took, in MiB.
 */
import { Readable } from "node:stream";
import { MissingError } from "@rs-emit/reader/http/errors";
import { checkNow } from "../../packages/harvester/dist/check/check.js";
import { DEFAULT_SETTINGS } from "../../packages/harvester/dist/check/harvester.js";
import { follow } from "../../packages/harvester/dist/store/following/following.js";
import { openPostgres, openSqlite } from "../../packages/harvester/dist/store/open-store.js";

const [, , place = "", changes = "", pages = ""] = process.argv;
const SITE = "https://example.org/";
/** Entries of a list: as many as the specification allows. */
const LIST = 50_000;
/** UTC seconds. A change each second. */
const BEGIN = 1_790_000_000;

const lists = Math.ceil(Number(changes) / LIST);
const store = place.startsWith("postgres:") ? await openPostgres(place) : await openSqlite(place);
const { database } = store;
let now = BEGIN + Number(changes);
const { id } = await follow(database, SITE, now);
const transport = { get: async (url: string) => answer(url) };
const clock = { now: () => now, random: () => 0 };
let told = 0;
for (let hasUnread = true; hasUnread; ) {
  const result = await checkNow({ database, transport, settings: DEFAULT_SETTINGS, ...clock }, id);
  if (result.kind !== "checked") throw new Error(JSON.stringify(result));
  told += result.reported;
  hasUnread = result.hasUnread;
  now += 30;
}
await store.close();
if (told !== Number(changes)) throw new Error(`${told} of ${changes} changes were told`);
console.log(process.resourceUsage().maxRSS / 1024);

function answer(url: string) {
  const body = Readable.from(documentAt(new URL(url).pathname), { objectMode: false });
  const discard = async () => void body.destroy();
  const status = "fresh" as const;
  return { status, url, permanentUrl: url, validators: {}, link: undefined, body, discard };
}

function* documentAt(path: string): Generator<string> {
  const list = /^\/(\d+)\.xml$/.exec(path)?.[1];
  if (list !== undefined) yield* changeList(Number(list));
  else if (path === "/.well-known/resourcesync") {
    yield document("urlset", "description", entry("url", "capabilitylist.xml", "capabilitylist"));
  } else if (path === "/capabilitylist.xml") {
    yield document("urlset", "capabilitylist", entry("url", "changelist.xml", "changelist"));
  } else if (path === "/changelist.xml") {
    const named = Array.from({ length: lists }, (_, at) => entry("sitemap", `${at}.xml`));
    yield document("sitemapindex", "changelist", named.join(""));
  } else throw new MissingError(SITE + path);
}

function* changeList(list: number): Generator<string> {
  const [head = "", tail = ""] = document("urlset", "changelist", "|").split("|");
  yield head;
  const end = Math.min((list + 1) * LIST, Number(changes));
  for (let at = list * LIST; at < end; at += 1) {
    const datetime = new Date((BEGIN + at) * 1000).toISOString();
    const page = `page/${at % Number(pages)}/with-a-name-of-usual-length.html`;
    yield `<url><loc>${SITE}${page}</loc><rs:md change="updated" datetime="${datetime}" hash="md5:${String(at).padStart(32, "0")}"/></url>`;
  }
  yield tail;
}

function document(root: string, capability: string, entries: string): string {
  return `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="${capability}"/>${entries}</${root}>`;
}

function entry(tag: string, path: string, capability?: string): string {
  const metadata = capability === undefined ? "" : `<rs:md capability="${capability}"/>`;
  return `<${tag}><loc>${SITE}${path}</loc>${metadata}</${tag}>`;
}
