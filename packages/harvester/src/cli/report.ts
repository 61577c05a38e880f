import { styleText } from "node:util";
import { count, list, plural, printable, printableJson } from "@rs-emit/documents";
import {
  healthBehind,
  STANDINGS,
  standingsText,
  standingText,
  UNFOLLOWED,
} from "../health-names.ts";
import { Causes, causeLine, causeOf, LOST_LOG, type Problem, siteName } from "../problem-causes.ts";
import type { RefusedAddress } from "../site-list.ts";
import type { Unprinted } from "../store/pages/unprinted-changes.ts";
import type { Outcome } from "./check-all.ts";
import type { WrittenFeeds } from "./feed-files.ts";
import type { Output, OutputStreams } from "./terminal.ts";

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
  const text = `${printableJson(asJson(outcomes, results))}\n`;
  await new Promise<void>((resolve, reject) =>
    stdout.write(text, (error) => (error == null ? resolve() : reject(error))),
  );
}

export function report(
  outcomes: readonly Outcome[],
  feeds: WrittenFeeds,
  options: ReportOptions,
  streams: OutputStreams,
): void {
  const { quiet, out } = options;
  const { stdout, stderr } = streams;
  const besides = placeOfUnfollowed(outcomes, options, streams);
  const isSummed = sumsFailures(outcomes, options);
  for (const outcome of outcomes) {
    const problem = problemOf(outcome);
    const unfollowed = unfollowedOf(outcome);
    if (unfollowed !== undefined) {
      if (!isSummed) besides?.write(`${unfollowedLine(outcome, unfollowed, besides)}\n`);
      continue;
    }
    const hasNews = outcome.reported > 0 || outcome.redated.length > 0;
    const isTold = !quiet && (problem === undefined || hasNews);
    if (isTold) stdout.write(`${line(outcome, feeds, stdout)}\n`);
    if (problem !== undefined && !isSummed) {
      const remarks = isTold ? [] : allRemarks(outcome);
      const text = [problem.message, ...remarks].map(printable).join("\n    ");
      stderr.write(`${styleText("red", calledBy(outcome), { stream: stderr })}  ${text}\n`);
    }
  }
  const failed = outcomes.filter((outcome) => problemOf(outcome) !== undefined);
  if (isSummed) writeCauses(outcomes, options, streams);
  if (quiet) return;
  if (isSummed) for (const offer of offersTo(outcomes)) stdout.write(`${offer}\n`);
  for (const one of sum(outcomes, feeds, out)) stdout.write(`${one}\n`);
  const isAny = failed.length > 0 || outcomes.some((one) => unfollowedOf(one) !== undefined);
  if (isSummed && isAny) stdout.write("To be told why of each site: --verbose\n");
}

/** Whether failures are reported by their causes: of many sites, unless each one is asked for. */
export function sumsFailures(
  outcomes: readonly Outcome[],
  { verbose }: Pick<ReportOptions, "verbose">,
): boolean {
  return outcomes.length > 1 && verbose !== true;
}

/** One line for each cause of failure, and one for all sites that publish the same besides. */
export function writeCauses(
  outcomes: readonly Outcome[],
  options: Pick<ReportOptions, "quiet">,
  streams: OutputStreams,
): void {
  const { stderr } = streams;
  const failures = new Causes();
  for (const outcome of outcomes) {
    const problem = problemOf(outcome);
    if (problem === undefined) continue;
    failures.add(causeOf(problem), outcome.address, siteName(outcome.address, outcome.name));
  }
  for (const one of failures) {
    stderr.write(`${styleText("red", printable(causeLine(one)), { stream: stderr })}\n`);
  }
  writeUnfollowed(outcomes, placeOfUnfollowed(outcomes, options, streams));
}

/** Sites that are not followed, though nothing is wrong with them. */
const LEFT = [...UNFOLLOWED, "opted-out"] as const;

function unfollowedOf({ standing }: Judged): (typeof LEFT)[number] | undefined {
  return LEFT.find((one) => one === standing);
}

export function isAnyFollowed(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ standing }) => ["log", "sitemap", "troubled"].includes(standing));
}

/** Where sites are named that cannot be followed as they are. They fail a run in which none is followed. */
function placeOfUnfollowed(
  outcomes: readonly Outcome[],
  { quiet }: Pick<ReportOptions, "quiet">,
  { stdout, stderr }: OutputStreams,
): Output | undefined {
  if (!isAnyFollowed(outcomes)) return stderr;
  return quiet ? undefined : stdout;
}

function writeUnfollowed(outcomes: readonly Outcome[], to: Output | undefined): void {
  for (const standing of LEFT) {
    const some = outcomes.filter((one) => unfollowedOf(one) === standing);
    if (some.length === 0) continue;
    const names = some.map(({ address, name }) => siteName(address, name));
    const line = `${count(some.length, "site")} ${standingText(standing, some.length)}: ${list(names, NAMED)}`;
    to?.write(`${printable(line)}\n`);
  }
}

const NAMED = 3;

function unfollowedLine(outcome: Outcome, standing: (typeof LEFT)[number], to: Output): string {
  const words = standingText(standing);
  const remarks = allRemarks(outcome).map((remark) => `\n    ${printable(remark)}`);
  return `${styleText("bold", calledBy(outcome), { stream: to })}  ${words}${remarks.join("")}`;
}

/** What could be done about sites without a log. */
export function offersTo(outcomes: readonly Outcome[]): readonly string[] {
  const silent = outcomes.filter((one) => unfollowedOf(one) === "has-sitemap").length;
  if (silent === 0) return [];
  return [
    `To follow ${plural(silent, "it by its sitemap", "them by their sitemaps")}: --poll-sitemaps`,
  ];
}

function line(outcome: Outcome, feeds: WrittenFeeds, stdout: Output): string {
  const { source, reported } = outcome;
  const news = reported === 0 ? "nothing new" : count(reported, "change");
  const [ofSite = "", ...others] = pathsOf(source, feeds);
  // The feed of a site with one collection tells all that the collection's tells.
  const shown = others.length === 1 ? [ofSite] : [ofSite, ...others];
  const paths = shown
    .filter((path) => path !== "")
    .map((path) => `\n    ${path}`)
    .join("");
  const remarks = allRemarks(outcome)
    .map((remark) => `\n    ${printable(remark)}`)
    .join("");
  return `${styleText("bold", calledBy(outcome), { stream: stdout })}  ${news}${remarks}${paths}`;
}

/** How the sites do, in the words of the service, and what was written. */
export function sum(outcomes: readonly Outcome[], feeds: WrittenFeeds, out: string): string[] {
  const { written } = feeds;
  const counts = STANDINGS.flatMap((standing) => {
    const sites = outcomes.filter((one) => one.standing === standing).length;
    return sites === 0 ? [] : [[standing, sites] as const];
  });
  const files = written === 0 ? "No feed differs" : `${count(written, "file")} written to ${out}`;
  return [`${standingsText(new Map(counts))}. ${files}.`, ...notesOnFeeds(feeds)];
}

function notesOnFeeds({ opml, isRelative }: WrittenFeeds): readonly string[] {
  if (!isRelative) return [];
  return [
    `Feed readers cannot import ${opml}: its addresses are relative. Say where the feeds are published: --feeds-url <url>`,
  ];
}

/** What followers call it, and its address. */
function calledBy({ name, address }: Outcome): string {
  return name === undefined ? address : `${printable(name)}  ${address}`;
}

type Judged = Pick<Outcome, "standing" | "result">;

/** Why a site could not be read, or not whole. */
export function problemOf(outcome: Judged): (Problem & { readonly message: string }) | undefined {
  const { result } = outcome;
  if (unfollowedOf(outcome) !== undefined) return undefined;
  if (result.kind === "failed") return result.error;
  if (result.kind === "checked") return result.condition === "troubled" ? LOST_LOG : undefined;
  const until = new Date(result.until * 1000).toISOString().slice(0, 16).replace("T", " ");
  const message = `It is left alone until ${until} UTC: its host asked for that, or another run reads it.`;
  return { code: "POSTPONED", message };
}

function allRemarks(outcome: Outcome): readonly string[] {
  const { redated, notes } = outcome;
  return [...redated.map(({ notice }) => notice), ...notes, ...offersOf(outcome)];
}

function offersOf(outcome: Outcome): readonly string[] {
  const { result, ownFeed, compared } = outcome;
  const unfollowed = unfollowedOf(outcome);
  const isBare = unfollowed !== "has-sitemap" && unfollowed !== "has-feed";
  return [
    ...(unfollowed !== undefined && isBare && result.kind === "failed"
      ? [result.error.message]
      : []),
    ...(unfollowed === "has-sitemap" ? [OFFER] : []),
    ...(unfollowed === "has-feed" ? [`Follow its feed in your reader: ${ownFeed}`] : []),
    ...(compared?.awaitsConfirmation === true
      ? ["If they are gone, run this again with --confirm-deletions."]
      : []),
  ];
}

const OFFER = "To follow it by its sitemap: --poll-sitemaps";

function pathsOf(source: number | undefined, { bySource }: WrittenFeeds): readonly string[] {
  return source === undefined ? [] : (bySource.get(source) ?? []);
}

function asJson(outcomes: readonly Outcome[], { feeds, reported, refused }: Results): object {
  const left = new Map(reported);
  return {
    sites: outcomes.map((outcome) => {
      const { address, source, reported, redated, compared, followedBy, standing } = outcome;
      const problem = problemOf(outcome);
      const changes = source === undefined ? [] : (left.get(source) ?? []);
      // Two addresses may be one source.
      if (source !== undefined) left.delete(source);
      return {
        address,
        condition: healthBehind(standing),
        ...(followedBy && { followedBy }),
        changes: reported,
        reported: changes,
        redated: redated.reduce((sum, { changes }) => sum + changes, 0),
        feeds: pathsOf(source, feeds),
        ...(compared === undefined
          ? {}
          : { seen: "by comparing lists, not reported by the author" }),
        notes: [...outcome.notes, ...offersOf(outcome)],
        ...(problem && { error: { code: problem.code, message: problem.message } }),
      };
    }),
    refused,
    feed: feeds.all,
    opml: feeds.opml,
    written: feeds.written,
    notes: notesOnFeeds(feeds),
  };
}
