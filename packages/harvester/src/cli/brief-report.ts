import { styleText } from "node:util";
import { count, printable } from "@rs-emit/documents";
import { Causes, causeLine, siteName } from "../failure-causes.ts";
import type { Outcome } from "./check-all.ts";
import type { WrittenFeeds } from "./feed-files.ts";
import { offersTo, type ReportOptions, sum, sumsFailures, writeCauses } from "./report.ts";
import { fitted, type Output, type Streams } from "./terminal.ts";

/** A person at a terminal who follows many sites sees what is new and what fails. */
export function isBrief(
  outcomes: readonly Outcome[],
  options: ReportOptions,
  { stdout }: Streams,
): boolean {
  return stdout.isTTY === true && sumsFailures(outcomes, options);
}

interface Found {
  readonly feeds: WrittenFeeds;
  /** The title of a source's best new entry. */
  readonly newsOf: (source: number) => Promise<string | undefined>;
}

/** One line for each site with changes, then one for each cause of failure. */
export async function briefReport(
  outcomes: readonly Outcome[],
  { feeds, newsOf }: Found,
  { quiet, out }: ReportOptions,
  { stdout, stderr }: Streams,
): Promise<void> {
  const missing = new Causes();
  for (const outcome of outcomes) {
    const { address, source, reported, redated, compared } = outcome;
    if (compared?.awaitsConfirmation === true) missing.add(MISSING, address);
    if (quiet || (reported === 0 && redated.length === 0)) continue;
    const news = source === undefined || reported === 0 ? undefined : await newsOf(source);
    stdout.write(`${siteLine(address, reported, news, stdout)}\n`);
    for (const { notice } of redated) stdout.write(`    ${printable(notice)}\n`);
  }
  writeCauses(outcomes, stderr);
  if (quiet) return;
  for (const one of missing) stdout.write(`${printable(causeLine(one))}\n`);
  const lines = [...offersTo(outcomes), ...sum(outcomes, feeds, out), EVERY];
  for (const line of lines) stdout.write(`${line}\n`);
}

const EVERY = "To be told of every site: --verbose";

const MISSING = "most pages are missing; if they are gone, run this again with --confirm-deletions";

function siteLine(address: string, reported: number, news: string | undefined, to: Output): string {
  const name = printable(siteName(address));
  const changes = reported === 0 ? "nothing new" : count(reported, "change");
  const text = `  ${changes}${news === undefined ? "" : `  ${printable(news)}`}`;
  const room = (to.columns ?? COLUMNS) - name.length;
  return `${styleText("bold", name, { stream: to })}${fitted(text, room)}`;
}

const COLUMNS = 80;
