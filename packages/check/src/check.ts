import { EMIT, FEED, GENERATOR_MARK, SOURCE_DESCRIPTION } from "@rs-emit/documents";
import { REWRITTEN_CURE } from "./cures.ts";
import { DiscoveryLinks } from "./discovery-links.ts";
import { checkFeeds } from "./feed.ts";
import { type CheckFinding, CheckFindings, type FindingPlace } from "./findings.ts";
import { checkCatchAll, checkHost, checkIndexes } from "./host.ts";
import { type Beginning, baseOf, otherBaseOf, readPublication } from "./read-publication.ts";
import {
  checkDeleted,
  checkResources,
  countListed,
  deletedUrls,
  type Sample,
  sampleOf,
} from "./resources.ts";
import { checkRobots, readRobots } from "./robots.ts";
import { type Finding, judgeDocuments } from "./rules/index.ts";
import {
  PublicationReader,
  placeIn,
  type ServedDocument,
  type ServedPublication,
} from "./served-documents.ts";
import { checkPackages } from "./served-packages.ts";
import { checkSitemaps } from "./sitemap.ts";

/** What is checked, and how much of it. */
export interface CheckRequest extends Beginning {
  /** How many resources are fetched and compared. */
  readonly sample: Sample;
  /** Existing documents. Those that nothing links to are findings. */
  readonly present?: readonly PresentDocument[];
  /** Entries in memory, over all documents. */
  readonly mostEntries?: number;
  /** UTC seconds; by default the clock's, or the host's if that is later. */
  readonly now?: number | undefined;
  /** The name of the feed beside each log; `false` where there is none. By default rs-emit's. */
  readonly feed?: string | false;
  /** The reason why the next run of rs-emit would stop, if rs-emit published. `base` is the site's URL. */
  readonly nextRun?: (base: string) => Promise<Stop | undefined>;
}

export interface PresentDocument {
  readonly url: string;
  readonly file: string;
}

/** What a check examined, and what it found. */
export interface CheckedSite {
  readonly description: string;
  readonly documents: number;
  /** Resources in the Resource Lists, and the number of compared ones. */
  readonly resources: { readonly listed: number; readonly compared: number };
  readonly findings: readonly CheckFinding[];
}

/** Rules that a document breaks if it is of another kind than its referrer says. */
const UNDERSTANDING: readonly string[] = ["capability", "description", "target-kind"];

/** The number of deleted pages that are requested. */
const DELETED = 10;

/**
 * Checks a publication: its documents by the specifications' rules, their links, changes by the host, and a
 * sample of the resources.
 */
export async function check(request: CheckRequest): Promise<CheckedSite> {
  const { site, sample, feed = FEED } = request;
  const findings = new CheckFindings();
  const reader = new PublicationReader(site, findings, request.mostEntries);
  const description = await readPublication(reader, request, findings);
  const publication = reader.documents;
  const base = baseOf(description);
  const elsewhere = otherBaseOf(publication, description, site.isLive);
  if (elsewhere !== undefined) {
    // Documents of another address get no other finding: everything that they name would be missing.
    const other = new CheckFindings();
    other.add("other-base", { document: description }, ...elsewhere);
    await reportStop(request.nextRun, base, publication, other);
    return resultOf(description, publication, 0, other);
  }
  const now = request.now ?? presentTime(publication);
  const judged = judgeDocuments(
    new Map([...publication].map(([url, { document }]) => [url, document])),
    { complete: false, now },
  );
  reportJudged(judged, publication, findings);
  checkIndexes(publication, findings);
  // Entries of a document of an unexpected kind are not followed.
  const isUnderstood = !judged.some(({ rule }) => UNDERSTANDING.includes(rule));
  if (reader.isWhole && isUnderstood) reportOrphans(request.present ?? [], reader, findings);
  await reportStop(request.nextRun, base, publication, findings);
  const robots = publication.size > 0 ? await readRobots(site, base) : undefined;
  if (robots !== undefined) checkRobots(publication, robots, findings);
  if (site.isLive && publication.size > 0) {
    await checkHost(site, publication, findings);
    await checkCatchAll(site, base, findings);
    await checkDeleted(site, deletedUrls(publication).slice(-DELETED), findings);
  }
  const chosen = sampleOf(publication, sample);
  const links = new DiscoveryLinks(publication, description, findings);
  await checkResources(site, chosen, findings, links.add);
  links.report();
  await checkPackages(site, publication, findings);
  const feeds = { name: feed === false ? undefined : feed, linked: links.feeds, now };
  await checkFeeds(site, publication, feeds, findings);
  if (publication.size > 0) {
    await checkSitemaps(site, { base, publication, robots, now }, findings);
  }
  return resultOf(description, publication, chosen.length, findings);
}

/** UTC seconds. If the local clock is behind the host's, the host's counts. */
function presentTime(publication: ServedPublication): number {
  let latest = Date.now();
  for (const { answer } of publication.values()) {
    latest = Math.max(latest, Date.parse(answer.header("date") ?? "") || 0);
  }
  return Math.floor(latest / 1000);
}

function resultOf(
  description: string,
  publication: ServedPublication,
  compared: number,
  findings: CheckFindings,
): CheckedSite {
  const resources = { listed: countListed(publication), compared };
  return { description, documents: publication.size, resources, findings: findings.list() };
}

function reportJudged(
  judged: readonly Finding[],
  publication: ServedPublication,
  findings: CheckFindings,
): void {
  for (const finding of judged) {
    const served = publication.get(finding.document ?? "");
    if (served === undefined) continue;
    const place = placeIn(served, finding.where);
    if (!isBelowRoot(served.url) || !OF_ROOT.has(finding.rule)) findings.addJudged(finding, place);
    else if (finding.rule === "well-known" && !isNamedAbove(served.url, publication)) {
      reportBelowRoot(findings, place);
    }
  }
}

/** A Source Description breaks these rules unavoidably if its site is below a path of its host. */
const OF_ROOT = new Set(["well-known", "ifcc-well-known", "descriptions-grouped"]);

/** Whether a Source Description is where a site below a path must publish it. */
function isBelowRoot(url: string): boolean {
  return new URL(url).pathname.indexOf(`/${SOURCE_DESCRIPTION}`) > 0;
}

/** Whether the Source Description at the host's root leads to it. */
function isNamedAbove(url: string, publication: ServedPublication): boolean {
  return publication.has(new URL(`/${SOURCE_DESCRIPTION}`, url).href);
}

function reportBelowRoot(findings: CheckFindings, place: FindingPlace): void {
  const what = "The site is below a path of its host, so the log is found by links in pages only.";
  const cure =
    "Let every page link to its log. If the host is yours, publish a Source Description at its root.";
  findings.add("below-root", place, what, cure);
}

function reportOrphans(
  present: readonly PresentDocument[],
  { documents }: PublicationReader,
  findings: CheckFindings,
): void {
  const reached = new Set([...documents.values()].map(({ file }) => file));
  for (const { url, file } of present) {
    if (reached.has(file)) continue;
    const what = `Nothing links to ${file}.`;
    const cure = "Delete it if it is a left-over. If it is part of the log, publish again.";
    findings.add("orphan", { document: url, file }, what, cure);
  }
}

/** Why the next run of rs-emit would stop. */
export interface Stop extends Pick<FindingPlace, "document" | "file"> {
  readonly what: string;
  readonly cure: string;
}

/** Runs have additional rules: the bytes must be the published ones, and nothing may be lost. */
export async function reportStop(
  nextRun: ((base: string) => Promise<Stop | undefined>) | undefined,
  base: string,
  publication: ServedPublication,
  findings: CheckFindings,
): Promise<void> {
  // That finding says all that a run would say.
  if (findings.has("no-log")) return;
  const isContinued =
    publication.size === 0 ? !findings.has("no-answer") : [...publication.values()].some(isOurs);
  const stop = isContinued ? await nextRun?.(base) : undefined;
  if (stop === undefined) return;
  const { what, cure, ...place } = stop;
  const isRewritten = publication.get(stop.document)?.plainSha256 !== undefined;
  findings.add("next-run", place, what, isRewritten ? `${REWRITTEN_CURE} If not: ${cure}` : cure);
}

/** Whether rs-emit wrote it. The comment may be lost where a host minifies XML. */
function isOurs({ document: { metadata, comments } }: ServedDocument): boolean {
  const isOwn = metadata.foreign?.some(({ namespace }) => namespace === EMIT) ?? false;
  return isOwn || comments.some((comment) => comment.startsWith(GENERATOR_MARK));
}
