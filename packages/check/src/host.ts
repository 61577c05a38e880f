import { groupedBy, numeral, urlKey } from "@rs-emit/documents";
import { REWRITTEN_CURE } from "./cures.ts";
import type { CheckFindings, FindingPlace } from "./findings.ts";
import { reportRedirect } from "./resources.ts";
import {
  bytesOf,
  digestOf,
  placeIn,
  type ServedDocument,
  type ServedPublication,
} from "./served-documents.ts";
import { NoAnswerError, type Site, type SiteAnswer } from "./site.ts";

/** Larger documents should be compressed. In bytes. */
const LARGE = 100_000;

export async function checkHost(
  site: Site,
  publication: ServedPublication,
  findings: CheckFindings,
): Promise<void> {
  for (const served of publication.values()) {
    checkAnswer(served, findings);
    await checkCaches(site, served, findings);
  }
}

function checkAnswer(served: ServedDocument, findings: CheckFindings): void {
  const { url, answer, length } = served;
  const place = { document: url };
  const redirect = answer.redirects.at(-1);
  if (redirect !== undefined) reportRedirect(findings, place, url, redirect.to);
  const type = answer.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "" && !type.includes("xml") && !isNameless(url, type)) {
    const what = `It is served as ${type}.`;
    findings.add("content-type", place, what, "Let the host serve it as application/xml.");
  }
  // A closed list is never written again.
  const { capability, until } = served.document.metadata;
  if (capability !== "changelist" || until === undefined) checkCaching(place, answer, findings);
  if (length > LARGE && answer.header("content-encoding") === undefined) {
    const kilobytes = Math.round(length / 1000);
    const what = `It has ${kilobytes} kB and is sent without compression.`;
    findings.add("compression", place, what, "Turn on compression for XML at the host.");
  }
}

/** Reports where caches may keep what each publication rewrites. */
export function checkCaching(
  place: FindingPlace,
  answer: SiteAnswer,
  findings: CheckFindings,
): void {
  const seconds = freshFor(answer);
  if (seconds <= LONGEST_FRESH) return;
  const what = `Caches may keep it for ${numeral(Math.round(seconds / DAY))} days without asking.`;
  const cure = "Let XML be cached for some minutes only: Cache-Control: max-age=600.";
  findings.add("long-cache", place, what, cure);
}

/** Seconds for which caches need not ask (RFC 9111, section 4.2.1). */
function freshFor({ header }: SiteAnswer): number {
  const control = header("cache-control")?.toLowerCase() ?? "";
  if (/(?:^|[\s,])no-(?:cache|store)\s*(?:,|$)/.test(control)) return 0;
  const ages = [...control.matchAll(/(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*"?(\d+)/g)];
  if (ages.length > 0) return Math.max(...ages.map(([, seconds]) => Number(seconds)));
  const [expires, date] = [header("expires"), header("date")].map((one) => Date.parse(one ?? ""));
  return expires === undefined || date === undefined ? 0 : (expires - date) / 1000 || 0;
}

const DAY = 86_400;

/** Seconds. Followers receive changes this much later. */
const LONGEST_FRESH = DAY;

/** Hosts cannot know the type of a file without extension, and programs do not rely on it. */
function isNameless(url: string, type: string): boolean {
  const name = new URL(url).pathname.split("/").at(-1) ?? "";
  return !name.includes(".") && (type === "application/octet-stream" || type === "text/plain");
}

/** Compares a cached answer with one that bypasses caches. */
async function checkCaches(
  site: Site,
  { url, sha256, answer }: ServedDocument,
  findings: CheckFindings,
): Promise<void> {
  try {
    const current = await site.get(url, true);
    if (current.status !== 200) return;
    if (digestOf(await bytesOf(current), "sha-256") === sha256) return;
    const age = Number(answer.header("age"));
    const since = age > 0 ? ` of ${ageInWords(age)} ago` : "";
    const control = answer.header("cache-control");
    const rule = control === undefined ? "" : ` (Cache-Control: ${control})`;
    const what = `A cache gives an old copy${since}${rule}.`;
    const cure =
      "Clear the host's cache after uploads, or let XML be cached for some minutes only.";
    findings.add("stale-copy", { document: url }, what, cure);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
  }
}

function ageInWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

/** Checks whether lists have the hash and length in their index. */
export function checkIndexes(publication: ServedPublication, findings: CheckFindings): void {
  const byUrl = new Map([...publication.values()].map((served) => [urlKey(served.url), served]));
  for (const index of publication.values()) {
    if (index.kind === undefined || groupedBy(index.kind) === undefined) continue;
    for (const [at, entry] of index.document.entries.entries()) {
      const list = byUrl.get(urlKey(entry.loc));
      if (list === undefined || !contradicts(entry.metadata, list)) continue;
      const where = `entry ${at + 1}, rs:md@hash`;
      const { plainSha256 } = list;
      const isSame = plainSha256 !== undefined && digestIn(entry.metadata?.hash) === plainSha256;
      const what = isSame
        ? `${list.url} has other line ends, or a byte order mark, than when this index was written.`
        : `${list.url} is not the list that this index was written with.`;
      const cure = isSame
        ? REWRITTEN_CURE
        : "Upload the whole folder again: one of the two is of another publication.";
      findings.add("document-bytes", placeIn(index, where), what, cure);
    }
  }
}

function contradicts(
  {
    hash = "",
    length,
  }: { readonly hash?: string | undefined; readonly length?: string | undefined } = {},
  list: ServedDocument,
): boolean {
  const sha256 = digestIn(hash);
  if (length !== undefined && Number(length) !== list.length) return true;
  return sha256 !== undefined && sha256 !== list.sha256;
}

function digestIn(hash = ""): string | undefined {
  return /(?:^|\s)sha-256:([\da-f]+)/i.exec(hash)?.[1]?.toLowerCase();
}

export async function checkCatchAll(
  site: Site,
  base: string,
  findings: CheckFindings,
): Promise<void> {
  const address = new URL(`rs-check-${Math.random().toString(36).slice(2)}.html`, base).href;
  try {
    const answer = await site.get(address);
    if (answer.status !== 200) return;
    await bytesOf(answer);
    const what = "The host answers 200 for an address that does not exist.";
    const cure = "Let the host answer 404 there, for example with a page 404.html.";
    findings.add("catch-all", { document: address }, what, cure);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
  }
}
