import {
  DocumentError,
  formatDatetime,
  GENERATOR_MARK,
  list,
  numeral,
  openSitemap,
  secondsOf,
  urlKey,
} from "@rs-emit/documents";
import type { CheckFindings, FindingPlace } from "./findings.ts";
import type { CheckedRobots } from "./robots.ts";
import { bytesOf, isAbsent, reportStatus, type ServedPublication } from "./served-documents.ts";
import { NoAnswerError, type Site, type SiteAnswer, unpacked } from "./site.ts";
import { judgePages, type SitemapEntry } from "./sitemap-pages.ts";

/** Seconds by which clocks differ. */
const TOLERANCE = 60;

/** With fewer pages, equal dates mean nothing. */
const FEWEST_DATES = 5;

/** Text and feeds (sitemaps.org, "Other Sitemap formats"): they are not read, only requested. */
const OTHER_FORMAT = /\.(?:txt(?:\.gz)?|atom|rss)$/i;

interface SitemapRequest {
  readonly base: string;
  readonly publication: ServedPublication;
  readonly robots: CheckedRobots | undefined;
  /** UTC seconds. */
  readonly now: number;
}

/** Checks the sitemaps for search engines: those in robots.txt, and `sitemap.xml`. A site needs none. */
export async function checkSitemaps(
  site: Site,
  request: SitemapRequest,
  findings: CheckFindings,
): Promise<void> {
  const { base, robots } = request;
  const isRoot = new URL(base).pathname === "/";
  const named = isRoot ? (robots?.sitemaps ?? []) : [];
  const own = `${base}sitemap.xml`;
  const isNamed = named.some((url) => urlKey(url) === urlKey(own));
  for (const url of named) {
    if (new URL(url).host !== new URL(base).host) continue;
    const answer = await ask(site, url, findings);
    if (answer === undefined) continue;
    if (answer.status === 200) await judgeSitemap(site, url, answer, request, findings);
    else reportUnserved(url, "robots.txt names it", answer, findings);
  }
  const answer = isNamed ? undefined : await ask(site, own, findings);
  // Many hosts answer 200 for missing files.
  if (answer === undefined || !(await isSitemap(answer))) return;
  const again = await ask(site, own, findings);
  if (again !== undefined) await judgeSitemap(site, own, again, request, findings);
  if (!isRoot || robots?.failure !== undefined) return;
  const what = `robots.txt does not name ${own}.`;
  const cure = `Write this line into robots.txt, or use the option robots: Sitemap: ${own}`;
  findings.add("sitemap-named", { document: own, file: answer.file }, what, cure);
}

async function ask(
  site: Site,
  url: string,
  findings: CheckFindings,
): Promise<SiteAnswer | undefined> {
  try {
    return await site.get(url);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    findings.add("no-answer", { document: url }, error.message, "Check again later.");
    return undefined;
  }
}

async function isSitemap(answer: SiteAnswer): Promise<boolean> {
  if (answer.status !== 200) return false;
  const beginning = Buffer.from((await bytesOf(answer)).subarray(0, 1024)).toString("latin1");
  return /<(?:urlset|sitemapindex)\b/.test(beginning);
}

function reportUnserved(
  url: string,
  why: string,
  answer: SiteAnswer,
  findings: CheckFindings,
): void {
  const place = { document: url, file: answer.file };
  const cure = "Publish again, and upload it; or take its name away.";
  if (!isAbsent(answer)) reportStatus(findings, place, url, answer);
  else findings.add("sitemap-missing", place, `It is not there: ${why}.`, cure);
}

async function judgeSitemap(
  site: Site,
  url: string,
  answer: SiteAnswer,
  { base, publication, robots, now }: SitemapRequest,
  findings: CheckFindings,
): Promise<void> {
  if (OTHER_FORMAT.test(new URL(url).pathname)) return;
  const entries: SitemapEntry[] = [];
  let isOurs = false;
  const read = async (from: string, of: SiteAnswer): Promise<readonly string[]> => {
    try {
      const isPacked = /\.gz$/i.test(new URL(from).pathname);
      const reader = await openSitemap(isPacked ? unpacked(await bytesOf(of)) : of.body);
      isOurs ||= reader.head.comments.some((comment) => comment.startsWith(GENERATOR_MARK));
      const parts: string[] = [];
      for await (const { loc, lastmod } of reader) {
        if (reader.head.root === "sitemapindex") parts.push(loc);
        else entries.push({ loc, date: dateOf(lastmod) });
      }
      return parts;
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      const place = { document: from, file: of.file };
      findings.add("sitemap-unreadable", place, error.message, "Publish again, and upload it.");
      return [];
    }
  };
  for (const part of await read(url, answer)) {
    const found = URL.canParse(part) ? await ask(site, part, findings) : undefined;
    if (found === undefined) continue;
    if (found.status !== 200) reportUnserved(part, `${url} names it`, found, findings);
    else if (!OTHER_FORMAT.test(new URL(part).pathname)) await read(part, found);
  }
  const place = { document: url, file: answer.file };
  judgeDates(entries, now, place, findings);
  await judgePages(site, { entries, isOurs, place, publication, robots, base }, findings);
}

function judgeDates(
  entries: readonly SitemapEntry[],
  now: number,
  place: FindingPlace,
  findings: CheckFindings,
): void {
  const dates = entries.flatMap(({ date }) => date ?? []);
  const future = entries.filter(({ date = 0 }) => date > now + TOLERANCE);
  const [first] = dates;
  if (future.length > 0) {
    const what = `${numeral(future.length)} of its dates are in the future: ${list(future.map(({ loc }) => loc))}.`;
    findings.add("sitemap-future", place, what, "Set the clock of the machine that publishes.");
  } else if (first !== undefined && dates.length >= FEWEST_DATES) {
    if (dates.some((date) => date !== first)) return;
    const what = `All ${numeral(dates.length)} dates are ${formatDatetime(first)}.`;
    const cure = "Let the dates be those of the contents: rs-emit's option sitemap does.";
    findings.add("sitemap-one-date", place, what, cure);
  }
}

function dateOf(lastmod: string | undefined): number | undefined {
  return lastmod === undefined ? undefined : secondsOf(lastmod);
}
