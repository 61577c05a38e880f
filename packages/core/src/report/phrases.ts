/** How results are told. */
import { count, list, numeral, plural } from "@rs-emit/documents";
import { calledByName, dayOf, distinctNames, ENGLISH, isRename, quotesLine } from "@rs-emit/feeds";
import type { Change } from "../model/log.ts";
import type { Unlogged } from "../model/plan.ts";
import type { CollectionResult, EmitResult } from "./result.ts";

/** A moved page has two entries, and only the new one is reported. */
export function whatOf({ kind, moved }: Pick<Change, "kind" | "moved">): Change["kind"] | "moved" {
  return moved === undefined ? kind : "moved";
}

/** What is new on a change's page; empty where nothing is quoted. */
export function newsLine(change: Pick<Change, "title" | "name" | "quotes">): string {
  const { title = "", quotes } = calledByName(change);
  if (quotes === undefined) return "";
  return isRename(quotes, title) ? ENGLISH.renamed() : quotesLine(quotes);
}

export function pageName(
  { url, title, name }: Pick<Change, "url" | "title" | "name">,
  collection: string,
): string {
  return distinctNames([{ url, title: name ?? title }], collection).join();
}

/** @param isListed whether the printed log has the URL */
export function isReportedElsewhere(
  { kind, moved }: Pick<Change, "kind" | "moved">,
  isListed: (url: string) => boolean,
): boolean {
  return kind === "deleted" && moved !== undefined && isListed(moved);
}

/** Leaves out the entries of former addresses whose pages have another entry. */
export function reportedAmong(
  changes: readonly Change[],
): (change: Pick<Change, "kind" | "moved">) => boolean {
  const urls = new Set(changes.map(({ url }) => url));
  return (change) => !isReportedElsewhere(change, (url) => urls.has(url));
}

/** `5 October 2026, 18:30 UTC`, from a W3C datetime. */
export function moment(datetime: string): string {
  return `${dayOf(Date.parse(datetime) / 1000)}, ${datetime.slice(11, 16)} UTC`;
}

/** A URL's path with decoded escapes: `/gallery/détail.html`. */
export function pathOf(url: string, site: string): string {
  const path = `/${url.slice(site.length)}`;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

export function collectionName(
  { title, url }: { readonly title: string | undefined; readonly url: string },
  site: string,
): string {
  return title ?? (url === site ? site : pathOf(url, site));
}

export function whatHappened(result: EmitResult): string {
  const { status, first, site, datetime, collections, dryRun, rewritten } = result;
  if (first) {
    return `First publication: the change log of ${site} ${dryRun ? "would be" : "is"} written.`;
  }
  if (status === "unchanged") return `Nothing changed since ${moment(datetime)}.`;
  if (rewritten.length > 0) {
    return `Nothing new in the log since ${moment(datetime)}. Written anew: ${list(rewritten)}.`;
  }
  const changes = collections.flatMap((collection) => collection.changes);
  const minor = changes.filter((change) => change.minor).length;
  const what = changes.length === 0 ? unloggedOf(result) : countChanges(changes.length, minor);
  const line = `${what}, published ${moment(datetime)}`;
  if (minor < changes.length || minor === 0) return `${line}.`;
  const paths = changes.filter(reportedAmong(changes)).map(({ url }) => pathOf(url, site));
  return `${line}; feeds leave ${plural(minor, "it", "them")} out: ${list(paths, MOST_NAMED)}.`;
}

const MOST_NAMED = 3;

export function isMinor({ first, collections }: EmitResult): boolean {
  return !first && collections.every(({ changes }) => changes.every(({ minor }) => minor));
}

function unloggedOf({ collections }: EmitResult): string {
  const sum = (of: keyof Unlogged) =>
    collections.reduce((total, { unlogged }) => total + unlogged[of], 0);
  const sameMarkup = sum("sameMarkup");
  const links = sum("links");
  const renewed = sum("renewed");
  const what = [
    ...(sameMarkup === 0
      ? []
      : [
          `${count(sameMarkup, "page differs", "pages differ")} only in comments, white space or what rs-emit writes`,
        ]),
    ...(links === 0 ? [] : [`${count(links, "page has", "pages have")} other links`]),
    ...(renewed === 0
      ? []
      : [`the Resource List remembers ${count(renewed, "page")} anew, by today's options`]),
  ];
  return what.length === 0 ? "No page changed" : `Nothing new in the log: ${what.join(", ")}`;
}

function countChanges(changes: number, minor: number): string {
  if (minor === changes) return count(changes, "minor change");
  return `${count(changes, "change")}${minor === 0 ? "" : `, ${numeral(minor)} of them minor`}`;
}

export function describeLog({ changes, resources }: CollectionResult): string {
  const pages = count(resources, "page");
  const [oldest] = changes;
  if (oldest === undefined) return `${pages}, no history yet`;
  return `${pages}, ${count(changes.length, "change")} since ${dayOf(oldest.datetime)}`;
}
