import { styleText } from "node:util";
import { count, printable } from "@rs-emit/documents";
import { entryTitle, pageGroups, worth } from "@rs-emit/feeds";
import { Causes, causeLine, siteName } from "../problem-causes.ts";
import { listedEntries } from "../store/pages/entries.ts";
import type { Database } from "../store/schema.ts";
import type { Outcome } from "./check-all.ts";
import type { WrittenFeeds } from "./feed-files.ts";
import { offersTo, type ReportOptions, sum, sumsFailures, writeCauses } from "./report.ts";
import { fitted, type Output, type OutputStreams } from "./terminal.ts";

/** A person at a terminal who follows many sites sees what is new and what fails. */
export function isBrief(
  outcomes: readonly Outcome[],
  options: ReportOptions,
  { stdout }: OutputStreams,
): boolean {
  return stdout.isTTY === true && sumsFailures(outcomes, options);
}

interface Found {
  readonly feeds: WrittenFeeds;
  readonly database: Database;
  /** The id of the last entry that is not new. */
  readonly before: number;
}

/** One line for each site with changes, then one for each cause of failure. */
export async function briefReport(
  outcomes: readonly Outcome[],
  { feeds, database, before }: Found,
  { quiet, out }: ReportOptions,
  { stdout, stderr }: OutputStreams,
): Promise<void> {
  const missing = new Causes();
  for (const outcome of outcomes) {
    const { address, source, reported, redated, compared } = outcome;
    const name = siteName(address, outcome.name);
    if (compared?.awaitsConfirmation === true) missing.add(MISSING, address, name);
    if (quiet || (reported === 0 && redated.length === 0)) continue;
    const news =
      source === undefined || reported === 0 ? undefined : await bestNews(database, source, before);
    stdout.write(`${siteLine(printable(name), reported, news, stdout)}\n`);
    for (const { notice } of redated) stdout.write(`    ${printable(notice)}\n`);
  }
  writeCauses(outcomes, { quiet }, { stdout, stderr });
  if (quiet) return;
  for (const one of missing) stdout.write(`${printable(causeLine(one))}\n`);
  const lines = [...offersTo(outcomes), ...sum(outcomes, feeds, out), EVERY];
  for (const line of lines) stdout.write(`${line}\n`);
}

const EVERY = "To be told of every site: --verbose";

const MISSING = "most pages are missing; if they are gone, run this again with --confirm-deletions";

function siteLine(name: string, reported: number, news: string | undefined, to: Output): string {
  const changes = reported === 0 ? "nothing new" : count(reported, "change");
  const text = `  ${changes}${news === undefined ? "" : `  ${printable(news)}`}`;
  const room = (to.columns ?? COLUMNS) - name.length;
  return `${styleText("bold", name, { stream: to })}${fitted(text, room)}`;
}

const COLUMNS = 80;

/** New entries of a site that are looked at, the newest ones. */
const MOST = 20;

/** No document refers to what a terminal shows. */
const NO_PLACES = { document: () => undefined, everything: { id: "", page: undefined } };

/**
 * The title of the new entry of a source that says most: the author's words first, then new pages and what
 * its author dated, then other quotes.
 * @param since the id of the last entry that is not new
 */
async function bestNews(
  database: Database,
  source: number,
  since: number,
): Promise<string | undefined> {
  const range = { first: 1, last: Number.MAX_SAFE_INTEGER, most: MOST };
  const listed = await listedEntries(database, `source/${source}`, range, NO_PLACES);
  const [best] = listed
    .filter(({ id, entry }) => id > since && entry.changes.length > 0)
    .map(({ entry }) => pageGroups(entry))
    .map((groups) => ({ groups, rank: worthOf(groups) }))
    .sort((one, other) => other.rank - one.rank);
  return best && entryTitle(best.groups);
}

/** A new page is worth what its author dated: less than the author's words, more than other quotes. */
const NEW_PAGE = 4;

function worthOf(groups: ReturnType<typeof pageGroups>): number {
  const ranks = groups.flatMap(({ group, pages }) =>
    pages.map(({ best }) => Math.max(worth(best), group === "new" ? NEW_PAGE : 0)),
  );
  return Math.max(0, ...ranks);
}
