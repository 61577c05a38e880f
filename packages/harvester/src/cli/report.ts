import { styleText } from "node:util";
import { count, printable, printableJson } from "@rs-emit/documents";
import { Causes, causeLine, causeOf, type Problem } from "../failure-causes.ts";
import type { RefusedAddress } from "../site-list.ts";
import type { Unprinted } from "../store/queries/unprinted-changes.ts";
import type { Outcome, Silent } from "./check-all.ts";
import type { WrittenFeeds } from "./feed-files.ts";
import type { Output, Streams } from "./terminal.ts";

export interface ReportOptions {
  readonly quiet?: boolean | undefined;
  /** A terminal shows every site, too, and each failure by itself. */
  readonly verbose?: boolean | undefined;
  readonly out: string;
}

interface Results {
  readonly feeds: WrittenFeeds;
  /** By source. */
  readonly reported: Unprinted["changes"];
  readonly refused: readonly RefusedAddress[];
}

/** Resolves when all is written. */
export async function reportJson(
  outcomes: readonly Outcome[],
  results: Results,
  stdout: Output,
): Promise<void> {
  const text = `${printableJson(toJson(outcomes, results))}\n`;
  await new Promise<void>((resolve, reject) =>
    stdout.write(text, (error) => (error == null ? resolve() : reject(error))),
  );
}

export function report(
  outcomes: readonly Outcome[],
  feeds: WrittenFeeds,
  options: ReportOptions,
  { stdout, stderr }: Streams,
): void {
  const { quiet, out } = options;
  const isSummed = sumsFailures(outcomes, options);
  for (const outcome of outcomes) {
    const problem = problemOf(outcome);
    const hasNews = outcome.reported > 0 || outcome.redated.length > 0;
    const isTold = !quiet && (problem === undefined || hasNews);
    if (isTold) stdout.write(`${line(outcome, feeds, stdout)}\n`);
    if (problem !== undefined && !isSummed) {
      const remarks = isTold ? [] : remarksOn(outcome);
      const text = [problem.message, ...remarks].map(printable).join("\n    ");
      stderr.write(`${styleText("red", outcome.address, { stream: stderr })}  ${text}\n`);
    }
  }
  const failed = outcomes.filter((outcome) => problemOf(outcome) !== undefined);
  if (isSummed) writeCauses(failed, stderr);
  if (quiet) return;
  if (isSummed) for (const offer of offersTo(failed)) stdout.write(`${offer}\n`);
  for (const one of sum(outcomes, feeds, out)) stdout.write(`${one}\n`);
  if (isSummed && failed.length > 0) stdout.write("To be told why of each site: --verbose\n");
}

/** Whether failures are reported by their causes: of many sites, unless each one is asked for. */
export function sumsFailures(
  outcomes: readonly Outcome[],
  { verbose }: Pick<ReportOptions, "verbose">,
): boolean {
  return outcomes.length > 1 && verbose !== true;
}

/** One line for each cause of failure. */
export function writeCauses(failed: readonly Outcome[], stderr: Output): void {
  const failures = new Causes();
  for (const outcome of failed) {
    const problem = problemOf(outcome);
    if (problem === undefined) continue;
    failures.add(causeOf(problem, outcome.silent?.publishes), outcome.address);
  }
  for (const one of failures) {
    stderr.write(`${styleText("red", printable(causeLine(one)), { stream: stderr })}\n`);
  }
}

/** What could be done about sites without a log. */
export function offersTo(outcomes: readonly Outcome[]): readonly string[] {
  const silent = outcomes.filter(({ silent }) => silent?.publishes === "sitemap").length;
  if (silent === 0) return [];
  return [`To compare the sitemaps of ${count(silent, "site")} without a log: --poll-sitemaps`];
}

function line(outcome: Outcome, feeds: WrittenFeeds, stdout: Output): string {
  const { address, source, reported } = outcome;
  const news = reported === 0 ? "nothing new" : count(reported, "change");
  const [ofSite = "", ...others] = pathsOf(source, feeds);
  // The feed of a site with one collection tells all that the collection's tells.
  const shown = others.length === 1 ? [ofSite] : [ofSite, ...others];
  const paths = shown
    .filter((path) => path !== "")
    .map((path) => `\n    ${path}`)
    .join("");
  const remarks = remarksOn(outcome)
    .map((remark) => `\n    ${printable(remark)}`)
    .join("");
  return `${styleText("bold", address, { stream: stdout })}  ${news}${remarks}${paths}`;
}

/** What was read and written, in all. */
export function sum(outcomes: readonly Outcome[], feeds: WrittenFeeds, out: string): string[] {
  const { written } = feeds;
  const failed = outcomes.filter((outcome) => problemOf(outcome) !== undefined);
  const parts = failed.filter(({ result }) => result.kind === "failed" && result.isPart).length;
  const unread = failed.length - parts;
  const read = count(outcomes.length - failed.length, "site");
  const part = parts === 0 ? "" : `, ${count(parts, "site")} read in part`;
  const rest = unread === 0 ? part : `${part}, ${count(unread, "site")} could not be read`;
  const files = written === 0 ? "no feed differs" : `${count(written, "file")} written to ${out}`;
  return [`${read} read${rest}; ${files}.`, ...notesOn(feeds)];
}

function notesOn({ opml, isRelative }: WrittenFeeds): readonly string[] {
  if (!isRelative) return [];
  return [
    `Feed readers cannot import ${opml}: its addresses are relative. Say where the feeds are published: --feeds-url <url>`,
  ];
}

/** Why a site could not be read. */
export function problemOf({
  result,
}: Outcome): (Problem & { readonly message: string }) | undefined {
  if (result.kind === "failed") return result.error;
  if (result.kind !== "postponed") return undefined;
  const until = new Date(result.until * 1000).toISOString().slice(0, 16).replace("T", " ");
  const message = `It is left alone until ${until} UTC: its host asked for that, or another run reads it.`;
  return { code: "POSTPONED", message };
}

function remarksOn(outcome: Outcome): readonly string[] {
  const { redated, notes } = outcome;
  return [...redated.map(({ notice }) => notice), ...notes, ...adviceOn(outcome)];
}

function adviceOn({ silent, compared }: Outcome): readonly string[] {
  return [
    ...(silent === undefined ? [] : offerOf(silent)),
    ...(compared?.awaitsConfirmation === true
      ? ["If they are gone, run this again with --confirm-deletions."]
      : []),
  ];
}

const OFFER =
  "This site publishes no Change List. To compare its list of pages instead: --poll-sitemaps";

/** What to do with a site without a Change List. */
function offerOf({ publishes, feed }: Silent): readonly string[] {
  switch (publishes) {
    case "sitemap":
      return [OFFER];
    case "feed":
      return [`It has a feed of its own: follow that in your reader: ${feed}`];
    default:
      return [];
  }
}

function pathsOf(source: number | undefined, { bySource }: WrittenFeeds): readonly string[] {
  return source === undefined ? [] : (bySource.get(source) ?? []);
}

function toJson(outcomes: readonly Outcome[], { feeds, reported, refused }: Results): object {
  const left = new Map(reported);
  return {
    sites: outcomes.map((outcome) => {
      const { address, source, reported, redated, compared } = outcome;
      const problem = problemOf(outcome);
      const changes = source === undefined ? [] : (left.get(source) ?? []);
      // Two addresses may be one source.
      if (source !== undefined) left.delete(source);
      return {
        address,
        changes: reported,
        reported: changes,
        redated: redated.reduce((sum, { changes }) => sum + changes, 0),
        feeds: pathsOf(source, feeds),
        ...(compared === undefined
          ? {}
          : { seen: "by comparing lists, not reported by the author" }),
        notes: [...outcome.notes, ...adviceOn(outcome)],
        ...(problem && { error: { code: problem.code, message: problem.message } }),
      };
    }),
    refused,
    feed: feeds.all,
    opml: feeds.opml,
    written: feeds.written,
    notes: notesOn(feeds),
  };
}
