import { EMIT, foreignValue, GENERATOR_MARK, READ_LIMITS, spanOf, WIKI } from "@rs-emit/documents";
import { SaxesParser } from "saxes";
import type { CheckFindings } from "./findings.ts";
import { checkCaching } from "./host.ts";
import type { Listed } from "./resources.ts";
import {
  bytesOf,
  isAbsent,
  reportStatus,
  type ServedDocument,
  type ServedPublication,
} from "./served-documents.ts";
import { NoAnswerError, type Site } from "./site.ts";

const ATOM = "http://www.w3.org/2005/Atom";

/** Limits requests for feeds that pages link to. */
const MOST_FEEDS = 20;

interface FeedRequest {
  /** The name of the log's feed, if there is one. */
  readonly name: string | undefined;
  /** By URL: feeds that pages link to, and the first page that does. */
  readonly linked: ReadonlyMap<string, Listed>;
  /** UTC seconds. */
  readonly now: number;
}

/** Checks the feed beside each log, and whether the feeds that pages link to exist. */
export async function checkFeeds(
  site: Site,
  publication: ServedPublication,
  { name, linked, now }: FeedRequest,
  findings: CheckFindings,
): Promise<void> {
  const lists = [...publication.values()].filter(({ kind }) => kind === "capability-list");
  const own = new Map(
    name === undefined ? [] : lists.map((list) => [new URL(name, list.url).href, list]),
  );
  const hosts = new Set(lists.map(({ url }) => new URL(url).host));
  const linkedHere = [...linked.keys()].filter((url) => hosts.has(new URL(url).host));
  for (const url of new Set([...own.keys(), ...linkedHere.slice(0, MOST_FEEDS)])) {
    const beside = lists.find((list) => new URL(".", list.url).href === new URL(".", url).href);
    const feed = { url, list: own.get(url) ?? beside, isOwn: own.has(url), page: linked.get(url) };
    await checkFeed(site, publication, feed, now, findings);
  }
}

interface SiteFeed {
  readonly url: string;
  /** The Capability List of its log. */
  readonly list: ServedDocument | undefined;
  /** Whether its name is the name of a log's feed; others are recognized by their comment. */
  readonly isOwn: boolean;
  /** A page that links to it. */
  readonly page: Listed | undefined;
}

async function checkFeed(
  site: Site,
  publication: ServedPublication,
  { url, list, isOwn, page }: SiteFeed,
  now: number,
  findings: CheckFindings,
): Promise<void> {
  try {
    const answer = await site.get(url);
    const place = { document: url, file: answer.file };
    if (answer.status !== 200) {
      if (!isAbsent(answer)) reportStatus(findings, place, url, answer);
      else if (page !== undefined) reportMissing(findings, url, page);
      return;
    }
    const bytes = await bytesOf(answer);
    const feed = readFeed(bytes);
    if (!isOwn && !feed.isOurs) return;
    checkCaching(place, answer, findings);
    if (feed.problem !== undefined) {
      const cure = "Publish again, and upload it.";
      findings.add("feed-unreadable", { ...place, line: feed.line }, feed.problem, cure);
      return;
    }
    const newest = list && newestChange(publication, list, now - longestWait(feed, list));
    if (newest === undefined || feed.updated >= newest) return;
    const what = "The log has a newer change than the feed.";
    findings.add("feed-stale", place, what, "Publish again, and upload the feed with the log.");
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    findings.add("no-answer", { document: url }, error.message, "Check again later.");
  }
}

const DAY = 86_400;

/** How long changes wait for an entry, by the end of its id. */
const WAITS = [
  [/T[\d:.]+Z$/, 0],
  [/\d{4}-\d\d-\d\d$/, DAY],
  [/\d{4}-W\d\d$/, 7 * DAY],
  [/\d{4}-\d\d$/, 31 * DAY],
] as const;

/** Seconds. Before the first digest nobody knows what a feed's entries will be of, so the longest counts. */
function longestWait({ isOurs, entries }: CheckedFeed, { document }: ServedDocument): number {
  if (!isOurs) return 0;
  const since = secondsOf(foreignValue(document.metadata, EMIT, "since") ?? "");
  const waits = entries.flatMap(({ id, updated }) =>
    updated > since ? (WAITS.find(([pattern]) => pattern.test(id))?.[1] ?? []) : [],
  );
  return waits[0] ?? 31 * DAY;
}

function reportMissing(findings: CheckFindings, url: string, page: Listed): void {
  const what = `${page.url} links to this feed, and it is not there.`;
  const cure = "Publish again, and upload it. If there is to be no feed, take the link out.";
  findings.add("feed-missing", { document: url }, what, cure);
}

interface FeedEntry {
  readonly id: string;
  /** UTC seconds. */
  readonly updated: number;
}

interface CheckedFeed {
  /** UTC seconds of the feed's or its newest entry's `updated`. */
  readonly updated: number;
  readonly entries: readonly FeedEntry[];
  readonly isOurs: boolean;
  readonly problem?: string | undefined;
  readonly line?: number;
}

/** Never throws: a feed that cannot be read is a finding. */
export function readFeed(bytes: Uint8Array): CheckedFeed {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const path: string[] = [];
  const entries: FeedEntry[] = [];
  const ids = new Set<string>();
  let entry = { id: "", updated: 0 };
  const missing = new Set(["id", "title", "updated"]);
  let updated = 0;
  let isOurs = false;
  let problem: string | undefined;
  let text = "";
  const refuse = (what: string) => {
    problem ??= what;
  };
  parser.on("opentag", ({ local, uri }) => {
    if (path.length >= READ_LIMITS.depth) {
      refuse("Its elements are nested too deep.");
      throw new RangeError("too deep");
    }
    if (path.length === 0 && (local !== "feed" || uri !== ATOM)) refuse("It is no Atom feed.");
    path.push(uri === ATOM ? local : "");
    text = "";
  });
  parser.on("comment", (comment) => {
    isOurs ||= path.length === 0 && comment.startsWith(GENERATOR_MARK);
  });
  parser.on("text", (piece) => {
    text += piece;
  });
  parser.on("closetag", () => {
    const name = path.join("/");
    if (path.length === 2) missing.delete(path[1] ?? "");
    if (name === "feed/updated" || name === "feed/entry/updated") {
      updated = Math.max(updated, secondsOf(text));
    }
    if (name === "feed/entry/id") {
      if (ids.has(text)) refuse(`Two entries have the id ${text}.`);
      ids.add(text);
      entry.id = text;
    }
    if (name === "feed/entry/updated") entry.updated = secondsOf(text);
    if (name === "feed/entry") {
      entries.push(entry);
      entry = { id: "", updated: 0 };
    }
    path.pop();
    text = "";
  });
  try {
    parser.write(new TextDecoder("utf-8", { fatal: true }).decode(bytes)).close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    refuse(`It is no well-formed XML: ${reason.replace(/\.?$/, ".")}`);
    return { updated, entries, isOurs, problem, line: parser.line };
  }
  if (missing.size > 0) refuse(`The feed has no ${[...missing].join(", ")}.`);
  return { updated, entries, isOurs, problem };
}

/** UTC seconds: the newest change of a collection up to a time that its feed reports. */
function newestChange(
  publication: ServedPublication,
  list: ServedDocument,
  until: number,
): number | undefined {
  let newest: number | undefined;
  for (const { kind, url, document } of publication.values()) {
    const up = document.links.find(({ rel }) => rel === "up")?.href;
    if (kind !== "change-list" || up === undefined || !isUrl(up, url, list.url)) continue;
    for (const { metadata } of document.entries) {
      if (foreignValue(metadata, WIKI, "importance") === "minor") continue;
      const seconds = secondsOf(metadata?.datetime ?? "");
      if (seconds > (newest ?? 0) && seconds <= until) newest = seconds;
    }
  }
  return newest;
}

function isUrl(href: string, base: string, url: string): boolean {
  return URL.canParse(href, base) && new URL(href, base).href === url;
}

/** UTC seconds; 0 for an invalid datetime. */
function secondsOf(text: string): number {
  return spanOf(text)?.earliest ?? 0;
}
