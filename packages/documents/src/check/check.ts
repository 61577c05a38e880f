import { GENERATOR_MARK, SOURCE_DESCRIPTION } from "../names.ts";
import { EMIT } from "../namespaces.ts";
import { NO_LOG } from "../no-log.ts";
import { judgeDocuments } from "../rules/index.ts";
import { dotFolderCure } from "./advice.ts";
import { type Publication, PublicationReader, placeIn, type ServedDocument } from "./documents.ts";
import { checkFeeds } from "./feed.ts";
import { type CheckFinding, CheckFindings, type FindingPlace } from "./findings.ts";
import { checkCatchAll, checkHost, checkIndexes } from "./host.ts";
import { checkPackages } from "./packages.ts";
import { PageLinks } from "./pages.ts";
import {
  checkDeleted,
  checkResources,
  countListed,
  deletedUrls,
  type Sample,
  sampleOf,
} from "./resources.ts";
import type { Site } from "./site.ts";
import { checkSitemaps } from "./sitemap.ts";

/** What is checked, and how much of it. */
export interface CheckRequest {
  readonly site: Site;
  /** The URL of the Source Description; of a Capability List where nothing is above it. */
  readonly description: string;
  /** Capability Lists to begin with where the Source Description is missing. */
  readonly otherwise?: readonly string[];
  /** How many resources are fetched and compared. */
  readonly sample: Sample;
  /** Documents that are there. Those that nothing links to are findings. */
  readonly present?: readonly PresentDocument[];
  /** UTC seconds; by default the clock's. */
  readonly now?: number;
  /** What would stop the next run of the program that published, if it is rs-emit. */
  readonly nextRun?: () => Promise<Stop | undefined>;
}

/** Why the next run of rs-emit would stop. */
export interface Stop extends Pick<FindingPlace, "document" | "file"> {
  readonly what: string;
  readonly cure: string;
}

export interface PresentDocument {
  readonly url: string;
  readonly file: string;
}

/** What a check looked at, and what it found. */
export interface CheckResult {
  readonly description: string;
  readonly documents: number;
  /** Resources in the Resource Lists, and how many of them were compared. */
  readonly resources: { readonly listed: number; readonly compared: number };
  readonly findings: readonly CheckFinding[];
}

/** Rules that are broken by documents of another kind than what leads to them says. */
const UNDERSTANDING: readonly string[] = ["capability", "description", "target-kind"];

/** Deleted pages that are asked for. */
const DELETED = 10;

/**
 * Checks a publication: its documents by the specifications' rules, their links, what the host does
 * to them, and a sample of the resources.
 */
export async function check(request: CheckRequest): Promise<CheckResult> {
  const { site, description, sample } = request;
  const now = request.now ?? Math.floor(Date.now() / 1000);
  const findings = new CheckFindings();
  const reader = new PublicationReader(site, findings);
  await readPublication(reader, request, findings);
  const publication = reader.documents;
  const isWhole = reader.isWhole;
  const judged = judgeDocuments(
    new Map([...publication].map(([url, { document }]) => [url, document])),
    { complete: false, now },
  );
  for (const finding of judged) {
    const served = publication.get(finding.document ?? "");
    if (served === undefined) continue;
    const place = placeIn(served, finding.where);
    if (!isBelowRoot(served.url)) findings.addJudged(finding, place);
    else if (finding.rule === "well-known") reportBelowRoot(findings, place);
    else if (finding.rule !== "ifcc-well-known") findings.addJudged(finding, place);
  }
  checkIndexes(publication, findings);
  // What a document of an unexpected kind lists is not followed.
  const isUnderstood = !judged.some(({ rule }) => UNDERSTANDING.includes(rule));
  if (isWhole && isUnderstood) reportOrphans(request.present ?? [], reader, findings);
  await reportStop(request, publication, findings);
  if (site.isLive && publication.size > 0) {
    await checkHost(site, publication, findings);
    await checkCatchAll(site, baseOf(description), findings);
    await checkDeleted(site, deletedUrls(publication).slice(-DELETED), findings);
  }
  const chosen = sampleOf(publication, sample);
  const links = new PageLinks(publication, description, findings);
  await checkResources(site, chosen, findings, links.add);
  links.report();
  await checkPackages(site, publication, findings);
  await checkFeeds(site, publication, findings);
  if (publication.size > 0) await checkSitemaps(site, baseOf(description), findings, now);
  const listed = countListed(publication);
  return {
    description,
    documents: publication.size,
    resources: { listed, compared: chosen.length },
    findings: findings.list(),
  };
}

async function readPublication(
  reader: PublicationReader,
  { site, description, otherwise = [] }: CheckRequest,
  findings: CheckFindings,
): Promise<void> {
  const top = await reader.begin(description);
  if (top === "silent" || (top === "read" && reader.leadsDown(description))) return;
  reader.knowMissing(description);
  let isFound = false;
  for (const url of otherwise) isFound = (await reader.begin(url)) !== "absent" || isFound;
  if (top !== "absent") return;
  const place = { document: description };
  if (isFound) {
    const server = [...reader.documents.values()][0]?.answer.header("server");
    const what = site.isLive
      ? `The documents are there, but the host does not serve ${SOURCE_DESCRIPTION}.`
      : "The folder .well-known is missing, though the other documents are there.";
    findings.add("dot-folder", place, what, dotFolderCure(site.isLive, description, server));
  } else if ((await reader.begin(new URL(NO_LOG, baseOf(description)).href)) === "absent") {
    const what = `There is no ${description}, and nothing leads to another change log.`;
    const cure = site.isLive
      ? "Publish the site with rs-emit, and upload all of the folder. If it is published, check the address."
      : "Publish first: rs-emit with this folder and the option --url.";
    findings.add("nothing-published", place, what, cure);
  }
}

/** Runs have rules of their own: their bytes must be those that were published, and nothing may be lost. */
async function reportStop(
  { nextRun }: CheckRequest,
  publication: Publication,
  findings: CheckFindings,
): Promise<void> {
  const isContinued =
    publication.size === 0 ? !findings.has("no-answer") : [...publication.values()].some(isOurs);
  const stop = isContinued ? await nextRun?.() : undefined;
  if (stop === undefined) return;
  const { what, cure, ...place } = stop;
  findings.add("next-run", place, what, cure);
}

/** Whether rs-emit wrote it: its comment may be lost where a host minifies XML. */
function isOurs({ document: { metadata, comments } }: ServedDocument): boolean {
  const isOwn = metadata.foreign?.some(({ namespace }) => namespace === EMIT) ?? false;
  return isOwn || comments.some((comment) => comment.startsWith(GENERATOR_MARK));
}

/** The site's URL. */
function baseOf(description: string): string {
  return new URL(".", description.replace(/\.well-known\/.*$/, "")).href;
}

/** Whether a Source Description stands where a site below a path must publish it. */
function isBelowRoot(url: string): boolean {
  return new URL(url).pathname.indexOf(`/${SOURCE_DESCRIPTION}`) > 0;
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
