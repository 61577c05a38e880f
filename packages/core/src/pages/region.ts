import { urlKey } from "@rs-emit/documents";
import { linesOf, pageNames, timestamp, webLink } from "@rs-emit/feeds";
import type { Change } from "../model/log.ts";
import type { LatestChanges } from "../model/plan.ts";
import { asciiText, attribute } from "./marks.ts";

/**
 * Newest first, and by URL where times agree, as in the feed.
 * @param log in pieces, newest first, each in log order; read only as far as needed
 */
export async function latestChanges(
  log: AsyncIterable<readonly Change[]>,
  limit: number,
): Promise<readonly Change[]> {
  const latest = new Map<string, Change>();
  let atOneTime: Change[] = [];
  for await (const piece of log) {
    for (const change of piece.toReversed()) {
      if (change.minor) continue;
      if (change.datetime !== atOneTime[0]?.datetime) {
        addByUrl(latest, atOneTime);
        if (latest.size >= limit) return firstOf(latest, limit);
        atOneTime = [];
      }
      atOneTime.push(change);
    }
  }
  addByUrl(latest, atOneTime);
  return firstOf(latest, limit);
}

function addByUrl(latest: Map<string, Change>, changes: readonly Change[]): void {
  for (const change of changes.toSorted((one, other) => (one.url < other.url ? -1 : 1))) {
    const key = urlKey(change.url);
    if (!latest.has(key)) latest.set(key, change);
  }
}

function firstOf(latest: ReadonlyMap<string, Change>, limit: number): readonly Change[] {
  return [...latest.values()].slice(0, limit);
}

interface RegionPlace {
  /** The base of the page's relative links. */
  readonly base: string;
  readonly limit: number;
}

/** A list item for each change, in ASCII. */
export function regionContent(
  { collection, changes }: LatestChanges,
  { base, limit }: RegionPlace,
): string {
  const shown = changes.slice(0, limit);
  if (shown.length === 0) return "";
  const names = pageNames(shown, collection);
  return `\n${shown.map((change, at) => item(change, names[at] ?? "", base)).join("\n")}\n`;
}

function item({ url, kind, datetime, message }: Change, called: string, base: string): string {
  const at = timestamp(datetime);
  const name = asciiText(called);
  const link = kind === "deleted" ? undefined : webLink(url);
  const titled =
    link === undefined
      ? `<span class="rs-emit-title">${name}</span>`
      : `<a class="rs-emit-title"${attribute("href", relativeLink(base, url))}>${name}</a>`;
  const words = linesOf(message ?? "").join(" ");
  const note = words === "" ? "" : ` <span class="rs-emit-words">${asciiText(words)}</span>`;
  const date = `<time class="rs-emit-date" datetime="${at}">${at.slice(0, 10)}</time>`;
  return `<li class="rs-emit-${kind}">${date} ${titled}${note}</li>`;
}

export function relativeLink(from: string, to: string): string {
  const here = new URL(from);
  const there = new URL(to);
  if (here.origin !== there.origin) return there.href;
  const folders = here.pathname.split("/").slice(0, -1);
  const path = there.pathname.split("/");
  let common = 0;
  while (common < folders.length && common < path.length - 1 && folders[common] === path[common]) {
    common += 1;
  }
  const up = "../".repeat(folders.length - common);
  const down = path.slice(common).join("/");
  const relative = up + down + there.search;
  // A first segment with a colon would look like a scheme, an empty one like a host.
  return relative === "" || /^(?:\/|[^/]*:|\?)/.test(relative) ? `./${relative}` : relative;
}
