import { formatDatetime, parseDatetime } from "../datetime.ts";
import { DatetimeError, DocumentError } from "../errors.ts";
import type { Entry } from "../model.ts";
import { openSitemap } from "../read/reader.ts";
import { urlKey } from "../urls.ts";
import { list, numeral } from "../words.ts";
import { bytesOf, isAbsent } from "./documents.ts";
import type { CheckFindings } from "./findings.ts";
import { unpacked } from "./gzip.ts";
import { type Answer, NoAnswerError, type Site } from "./site.ts";

/** Clocks differ by this much. In seconds. */
const TOLERANCE = 60;

/** Of fewer pages, equal dates say nothing. */
const FEWEST_DATES = 5;

/** Text and feeds (sitemaps.org, "Other Sitemap formats"): that they are there is enough. */
const OTHER_FORMAT = /\.(?:txt(?:\.gz)?|atom|rss)$/i;

const NAMED = /^[ \t]*sitemap[ \t]*:[ \t]*(\S+)/gim;

/**
 * Checks the sitemaps for search engines: those that robots.txt names, and `sitemap.xml`. A site needs none.
 * @param base the site's URL
 * @param now UTC seconds
 */
export async function checkSitemaps(
  site: Site,
  base: string,
  findings: CheckFindings,
  now: number,
): Promise<void> {
  const isRoot = new URL(base).pathname === "/";
  const named = isRoot ? await namedIn(site, new URL("/robots.txt", base).href) : [];
  const own = `${base}sitemap.xml`;
  const isNamed = named.some((url) => urlKey(url) === urlKey(own));
  for (const url of named) {
    if (new URL(url).host !== new URL(base).host) continue;
    const answer = await ask(site, url, findings);
    if (answer === undefined) continue;
    if (answer.status === 200) await judge(site, url, answer, findings, now);
    else reportMissing(url, "robots.txt names it", answer, findings);
  }
  const answer = isNamed ? undefined : await ask(site, own, findings);
  // Many hosts answer 200 where nothing is.
  if (answer === undefined || !(await isSitemap(answer))) return;
  const again = await ask(site, own, findings);
  if (again !== undefined) await judge(site, own, again, findings, now);
  if (!isRoot) return;
  const what = `robots.txt does not name ${own}.`;
  const cure = `Write this line into robots.txt, or use the option robots: Sitemap: ${own}`;
  findings.add("sitemap-named", { document: own, file: answer.file }, what, cure);
}

async function namedIn(site: Site, robots: string): Promise<readonly string[]> {
  try {
    const answer = await site.get(robots);
    if (answer.status !== 200) return [];
    const text = new TextDecoder().decode(await bytesOf(answer));
    const urls = [...text.matchAll(NAMED)].flatMap(([, url = ""]) => url);
    return [...new Set(urls.filter((url) => URL.canParse(url)))];
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return [];
  }
}

async function ask(site: Site, url: string, findings: CheckFindings): Promise<Answer | undefined> {
  try {
    return await site.get(url);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    findings.add("no-answer", { document: url }, error.message, "Check again later.");
    return undefined;
  }
}

async function isSitemap(answer: Answer): Promise<boolean> {
  if (answer.status !== 200) return false;
  const beginning = Buffer.from((await bytesOf(answer)).subarray(0, 1024)).toString("latin1");
  return /<(?:urlset|sitemapindex)\b/.test(beginning);
}

function reportMissing(url: string, why: string, answer: Answer, findings: CheckFindings): void {
  const state = isAbsent(answer) ? "is not there" : `answers ${answer.status}`;
  const cure = "Publish again, and upload it; or take its name away.";
  findings.add(
    "sitemap-missing",
    { document: url, file: answer.file },
    `It ${state}: ${why}.`,
    cure,
  );
}

async function judge(
  site: Site,
  url: string,
  answer: Answer,
  findings: CheckFindings,
  now: number,
): Promise<void> {
  if (OTHER_FORMAT.test(new URL(url).pathname)) return;
  const dates: number[] = [];
  const future: Entry[] = [];
  const read = async (from: string, of: Answer): Promise<readonly string[]> => {
    try {
      const isPacked = /\.gz$/i.test(new URL(from).pathname);
      const reader = await openSitemap(isPacked ? unpacked(await bytesOf(of)) : of.body);
      const parts: string[] = [];
      for await (const entry of reader) {
        if (reader.head.root === "sitemapindex") parts.push(entry.loc);
        const date = secondsOf(entry.lastmod);
        if (date === undefined) continue;
        dates.push(date);
        if (date > now + TOLERANCE) future.push(entry);
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
    if (found.status !== 200) reportMissing(part, `${url} names it`, found, findings);
    else if (!OTHER_FORMAT.test(new URL(part).pathname)) await read(part, found);
  }
  const place = { document: url, file: answer.file };
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

function secondsOf(lastmod: string | undefined): number | undefined {
  if (lastmod === undefined) return undefined;
  try {
    return parseDatetime(lastmod).seconds;
  } catch (error) {
    if (!(error instanceof DatetimeError)) throw error;
    return undefined;
  }
}
