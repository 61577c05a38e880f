import { EMIT, type Entry, foreignValue, list, secondsOf, urlKey } from "@rs-emit/documents";
import type { CheckFindings, FindingPlace } from "./findings.ts";
import { deletedUrls } from "./resources.ts";
import type { CheckedRobots } from "./robots.ts";
import { bytesOf, isAbsent, type ServedPublication } from "./served-documents.ts";
import { NoAnswerError, type Site } from "./site.ts";

export interface SitemapEntry {
  readonly loc: string;
  /** UTC seconds. */
  readonly date: number | undefined;
}

interface ReadSitemap {
  readonly entries: readonly SitemapEntry[];
  /** Whether rs-emit wrote it: then its dates are those of the Resource Lists. */
  readonly isOurs: boolean;
  readonly place: FindingPlace;
  readonly publication: ServedPublication;
  readonly robots: CheckedRobots | undefined;
  readonly base: string;
}

/** The number of pages that are requested. */
const ASKED = 20;

/** Compares a sitemap with the log: whether its pages exist, and whether it has the newest ones. */
export async function judgePages(
  site: Site,
  sitemap: ReadSitemap,
  findings: CheckFindings,
): Promise<void> {
  const listed = listedPages(sitemap.publication);
  await judgeGone(site, sitemap, listed, findings);
  if (sitemap.isOurs) await judgeAge(site, sitemap, listed, findings);
}

/** The pages of the Resource Lists, by `urlKey`. */
function listedPages(publication: ServedPublication): ReadonlyMap<string, Entry> {
  const lists = [...publication.values()].filter(({ kind }) => kind === "resource-list");
  return new Map(
    lists.flatMap(({ document }) => document.entries.map((entry) => [urlKey(entry.loc), entry])),
  );
}

/** A folder lacks pages that a server makes, so there only pages that the log deleted count as missing. */
async function judgeGone(
  site: Site,
  { entries, place, publication }: ReadSitemap,
  listed: ReadonlyMap<string, Entry>,
  findings: CheckFindings,
): Promise<void> {
  const deleted = new Set(deletedUrls(publication).map(({ url }) => urlKey(url)));
  const isDeleted = ({ loc }: SitemapEntry) => deleted.has(urlKey(loc));
  const others = entries.filter(({ loc }) => !listed.has(urlKey(loc)) && URL.canParse(loc));
  const asked = [
    ...others.filter(isDeleted),
    ...(site.isLive ? others.filter((one) => !isDeleted(one)) : []),
  ];
  const gone: string[] = [];
  for (const { loc } of asked.slice(0, ASKED)) if (await isGone(site, loc)) gone.push(loc);
  if (gone.length === 0) return;
  const what = `It lists pages that are not there: ${list(gone)}.`;
  const cure = "Publish again after the build, and upload the sitemap too.";
  findings.add("sitemap-gone", place, what, cure);
}

async function isGone(site: Site, url: string): Promise<boolean> {
  return site.get(url).then(isAbsent, (error: unknown) => {
    if (error instanceof NoAnswerError) return false;
    throw error;
  });
}

async function judgeAge(
  site: Site,
  { entries, place, robots, base }: ReadSitemap,
  listed: ReadonlyMap<string, Entry>,
  findings: CheckFindings,
): Promise<void> {
  const dates = new Map(entries.map(({ loc, date }) => [urlKey(loc), date ?? 0]));
  const newest = [...dates.values()].reduce((one, other) => Math.max(one, other), 0);
  const isOlder = (key: string, date: number) =>
    date > (dates.get(key) || Number.POSITIVE_INFINITY);
  const isLeftOut = (entry: Entry) =>
    changedOf(entry) > newest && isForEngines(entry) && robots?.allows("*", entry.loc) !== false;
  const all = [...listed];
  const behind = all.filter(([key, entry]) => isOlder(key, changedOf(entry)));
  const absent = all.filter(([key, entry]) => !dates.has(key) && isLeftOut(entry));
  for (const one of absent.slice(0, ASKED)) {
    if (!(await isHidden(site, base, one[1].loc))) behind.push(one);
  }
  if (behind.length === 0) return;
  const names = behind.map(([, { loc }]) => loc);
  const what = `It does not know the last change of ${list(names)}.`;
  findings.add("sitemap-stale", place, what, "Publish again, and upload the sitemap with the log.");
}

/** Whether a header excludes a page from search engines. In a folder, patterns in `_headers` are ignored. */
async function isHidden(site: Site, base: string, url: string): Promise<boolean> {
  try {
    const answer = await site.get(site.isLive ? url : `${base}_headers`);
    const text = Buffer.from(await bytesOf(answer)).toString("latin1");
    return site.isLive ? answer.header("x-robots-tag") !== undefined : /x-robots-tag/i.test(text);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return true;
  }
}

/** UTC seconds: when the page's own content changed, according to the Resource List. */
function changedOf({ metadata }: Entry): number {
  const changed = foreignValue(metadata, EMIT, "changed");
  return changed ? (secondsOf(changed) ?? 0) : 0;
}

/** Pages that say anything to search engines may be left out. */
function isForEngines({ metadata }: Entry): boolean {
  const isPage = /html/.test(metadata?.type ?? "");
  return isPage && foreignValue(metadata, EMIT, "engines") === undefined;
}
