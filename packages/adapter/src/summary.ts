import type { Change, EmitResult } from "@rs-emit/core";
import {
  collectionName,
  count,
  describeLog,
  isMinor,
  isReportedElsewhere,
  list,
  newsLine,
  numeral,
  pathOf,
  printable,
  whatHappened,
  whatOf,
} from "@rs-emit/core/words";

/** A build prints much already. */
const MOST = 10;
const MOST_NAMED = 3;

export function summarizeBuild(result: EmitResult): string[] {
  const { collections, dryRun, first, notes, site, status, unsourced } = result;
  const lines = [`${dryRun ? "A dry run, nothing was written. " : ""}${whatHappened(result)}`];
  if (first) {
    lines.push(...collections.map((one) => `  ${collectionName(one, site)}: ${describeLog(one)}`));
    if (!dryRun) lines.push(...nextSteps(result));
  } else if (status === "published" && !isMinor(result)) {
    const all = collections.flatMap((one) => one.changes);
    const urls = new Set(all.map(({ url }) => url));
    const changes = all.filter((one) => !isReportedElsewhere(one, (url) => urls.has(url)));
    const shown = changes.toSorted(
      (one, other) => Number(one.minor ?? 0) - Number(other.minor ?? 0),
    );
    lines.push(...shown.slice(0, MOST).map((change) => lineOf(change, site)));
    if (changes.length > MOST) lines.push(`  and ${numeral(changes.length - MOST)} more`);
  }
  const isNoted = notes.some(({ code }) => code === "UNDATED");
  if (unsourced.length > 0 && !isNoted) {
    const paths = unsourced.map((url) => pathOf(url, site));
    lines.push(
      `${count(unsourced.length, "page has", "pages have")} no known source: ${list(paths, MOST_NAMED)}`,
    );
  }
  return lines.map(printable);
}

function nextSteps({ collections, linked, sourceDescription }: EmitResult): string[] {
  const feeds = collections.flatMap(({ feed }) => feed ?? []);
  const addresses = list(feeds, MOST_NAMED);
  return [
    ...(feeds.length === 0 ? [] : [`Give your readers the address of the feed: ${addresses}`]),
    ...(linked ? [] : ["The option link: true links feed and log from your pages."]),
    `Followers begin at ${sourceDescription}`,
  ];
}

function lineOf(change: Change, site: string): string {
  const { minor, url, title } = change;
  const words = title === undefined ? "" : `  ${title}`;
  const news = newsLine(change);
  const told = news === "" ? "" : `  ${news}`;
  return `  ${whatOf(change)}  ${pathOf(url, site)}${words}${minor ? "  (minor)" : ""}${told}`;
}
