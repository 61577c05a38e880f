import type { Change, EmitResult } from "@rs-emit/core";
import {
  byInterest,
  changeRows,
  collectionName,
  columnsOf,
  count,
  describeLog,
  isMinor,
  list,
  numeral,
  padTo,
  pathOf,
  printable,
  reportedAmong,
  whatHappened,
  wrapLine,
} from "@rs-emit/core/words";

/** A build prints much already. */
const MOST = 10;
const MOST_NAMED = 3;

/** @param width columns that the builder leaves for a line */
export function summarizeBuild(result: EmitResult, width = Number.POSITIVE_INFINITY): string[] {
  const { collections, dryRun, first, notes, site, status, unsourced } = result;
  const lines = [
    `${dryRun ? "A dry run: no change log was written. " : ""}${whatHappened(result)}`,
  ];
  if (first) {
    lines.push(...logsOf(result));
  } else if (status === "published" && !isMinor(result)) {
    const all = collections.flatMap((one) => one.changes);
    const changes = all.filter(reportedAmong(all));
    lines.push(...rowsOf(changes.toSorted(byInterest).slice(0, MOST), site, width));
    if (changes.length > MOST) lines.push(`  and ${numeral(changes.length - MOST)} more`);
  }
  const isNoted = notes.some(({ code }) => code === "UNDATED");
  if (unsourced.length > 0 && !isNoted) {
    const paths = unsourced.map((url) => pathOf(url, site));
    lines.push(
      `${count(unsourced.length, "page has", "pages have")} no known source: ${list(paths, MOST_NAMED)}`,
    );
  }
  if (first && !dryRun) lines.push(...nextSteps(result));
  return lines.flatMap((line) => wrapped(printable(line), width));
}

export function wrapped(line: string, width: number): string[] {
  return wrapLine(line, width).split("\n");
}

function logsOf({ collections, site }: EmitResult): string[] {
  const names = collections.map((one) => `${collectionName(one, site)}:`);
  const columns = Math.max(...names.map(columnsOf));
  return collections.map(
    (one, index) => `  ${padTo(columns, names[index] ?? "")} ${describeLog(one)}`,
  );
}

function rowsOf(changes: readonly Change[], site: string, width: number): string[] {
  const rows = changeRows(changes, site, { width, paint: (_, text) => text });
  return rows.flatMap((row) => row.split("\n"));
}

function nextSteps({ collections, linked, sourceDescription }: EmitResult): string[] {
  const feeds = collections.flatMap(({ feed }) => feed ?? []);
  const addresses = list(feeds, MOST_NAMED);
  return [
    ...(linked ? [] : ["The option link: true links feed and log from your pages."]),
    "Deploy the whole folder: .well-known too, which some tools leave out.",
    feeds.length === 0
      ? `Followers begin at ${sourceDescription}`
      : `Give your readers the address of the feed: ${addresses}`,
  ];
}
