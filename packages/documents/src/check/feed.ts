import { SaxesParser } from "saxes";
import { spanOf } from "../datetime.ts";
import { READ_LIMITS } from "../limits.ts";
import { FEED } from "../names.ts";
import { foreignValue, WIKI } from "../namespaces.ts";
import { bytesOf, isAbsent, type Publication, type ServedDocument } from "./documents.ts";
import type { CheckFindings } from "./findings.ts";
import { NoAnswerError, type Site } from "./site.ts";

const ATOM = "http://www.w3.org/2005/Atom";

export async function checkFeeds(
  site: Site,
  publication: Publication,
  findings: CheckFindings,
): Promise<void> {
  for (const list of publication.values()) {
    if (list.kind === "capability-list") await checkFeed(site, publication, list, findings);
  }
}

async function checkFeed(
  site: Site,
  publication: Publication,
  list: ServedDocument,
  findings: CheckFindings,
): Promise<void> {
  const url = new URL(FEED, list.url).href;
  try {
    const answer = await site.get(url);
    if (isAbsent(answer)) return;
    const place = { document: url, file: answer.file };
    if (answer.status !== 200) {
      const what = `${url} answers ${answer.status}.`;
      findings.add("status", place, what, "Let the host serve it to everybody.");
      return;
    }
    const feed = readFeed(await bytesOf(answer));
    if (feed.problem !== undefined) {
      const cure = "Publish again, and upload it.";
      findings.add("feed-unreadable", { ...place, line: feed.line }, feed.problem, cure);
      return;
    }
    const newest = newestChange(publication, list);
    if (newest === undefined || feed.updated >= newest) return;
    const what = "The log has a newer change than the feed.";
    findings.add("feed-stale", place, what, "Publish again, and upload the feed with the log.");
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    findings.add("no-answer", { document: url }, error.message, "Check again later.");
  }
}

interface Feed {
  /** UTC seconds of the feed's or its newest entry's `updated`. */
  readonly updated: number;
  readonly problem?: string;
  readonly line?: number;
}

/** What a feed says, and what is wrong with it. Never throws: whatever it is, it is a finding. */
export function readFeed(bytes: Uint8Array): Feed {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const path: string[] = [];
  const ids = new Set<string>();
  const missing = new Set(["id", "title", "updated"]);
  let updated = 0;
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
    }
    path.pop();
    text = "";
  });
  try {
    parser.write(new TextDecoder("utf-8", { fatal: true }).decode(bytes)).close();
  } catch (error) {
    refuse(`It is no well-formed XML: ${error instanceof Error ? error.message : error}.`);
    return { updated, ...(problem === undefined ? {} : { problem }), line: parser.line };
  }
  if (missing.size > 0) refuse(`The feed has no ${[...missing].join(", ")}.`);
  return { updated, ...(problem === undefined ? {} : { problem }) };
}

/** When the newest change of a collection that its feed reports happened, UTC seconds. */
function newestChange(publication: Publication, list: ServedDocument): number | undefined {
  let newest: number | undefined;
  for (const { kind, url, document } of publication.values()) {
    const up = document.links.find(({ rel }) => rel === "up")?.href;
    if (kind !== "change-list" || up === undefined || !isUrl(up, url, list.url)) continue;
    for (const { metadata } of document.entries) {
      if (foreignValue(metadata, WIKI, "importance") === "minor") continue;
      const seconds = secondsOf(metadata?.datetime ?? "");
      if (seconds > (newest ?? 0)) newest = seconds;
    }
  }
  return newest;
}

function isUrl(href: string, base: string, url: string): boolean {
  return URL.canParse(href, base) && new URL(href, base).href === url;
}

/** UTC seconds; 0 for what is no datetime. */
function secondsOf(text: string): number {
  return spanOf(text)?.earliest ?? 0;
}
