import { hash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { DocumentError, type Entry, READ_LIMITS, readDocumentSync } from "@rs-emit/documents";
import { fromBufferPromise } from "yauzl";
import type { CheckFindings, FindingPlace } from "./findings.ts";
import { differenceOf } from "./resources.ts";
import { judgeDocument } from "./rules/index.ts";
import {
  bytesOf,
  isAbsent,
  placeIn,
  reportStatus,
  type ServedDocument,
  type ServedPublication,
} from "./served-documents.ts";
import { NoAnswerError, type Site } from "./site.ts";

/** The number of packages that are fetched from a live site: each may have 20 MiB. */
const LIVE = 2;

/** Compares the packages of dumps with the dumps' entries; on a live site, only the newest. */
export async function checkPackages(
  site: Site,
  publication: ServedPublication,
  findings: CheckFindings,
): Promise<void> {
  for (const dump of publication.values()) {
    if (dump.kind !== "resource-dump" && dump.kind !== "change-dump") continue;
    const { length } = dump.document.entries;
    const first = site.isLive ? Math.max(0, length - LIVE) : 0;
    for (let at = first; at < length; at++)
      await checkPackage(site, publication, dump, at, findings);
  }
}

async function checkPackage(
  site: Site,
  publication: ServedPublication,
  dump: ServedDocument,
  at: number,
  findings: CheckFindings,
): Promise<void> {
  const entry = dump.document.entries[at];
  const url = URL.parse(entry?.loc ?? "", dump.url)?.href;
  if (entry === undefined || url === undefined) return;
  const place = (where: string) => placeIn(dump, `entry ${at + 1}, ${where}`);
  try {
    const answer = await site.get(url);
    const bytes = await bytesOf(answer);
    if (answer.status !== 200) {
      const cure = missingCure(site, url);
      if (!isAbsent(answer)) return reportStatus(findings, place("loc"), url, answer, cure);
      const what = site.isLive
        ? `${url} answers ${answer.status}.`
        : `There is no file for the package ${url}.`;
      findings.add("package-missing", place("loc"), what, cure);
      return;
    }
    const difference = differenceOf(entry, bytes);
    if (difference === undefined) {
      await checkManifest(publication, { entry, url, file: answer.file, bytes, place }, findings);
      return;
    }
    const what = `${answer.file ?? url} is not the package that the dump describes.`;
    const cure = site.isLive ? "Upload the whole folder." : "Run rs-emit again.";
    findings.add("package-bytes", place(`rs:md@${difference}`), what, cure);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    findings.add("no-answer", place("loc"), error.message, "Check again later.");
  }
}

interface CheckedPackage {
  readonly entry: Entry;
  readonly url: string;
  readonly file: string | undefined;
  readonly bytes: Uint8Array;
  /** A place of its entry in the dump. */
  readonly place: (where: string) => FindingPlace;
}

/**
 * Compares a package's manifest with its copy, which is judged as a document. Without a copy, judges the
 * manifest.
 */
async function checkManifest(
  publication: ServedPublication,
  { entry, url, file, bytes, place }: CheckedPackage,
  findings: CheckFindings,
): Promise<void> {
  const manifest = await manifestIn(bytes);
  if (manifest === undefined) return;
  const href = entry.links?.find(({ rel }) => rel === "contents")?.href;
  const copy = publication.get(URL.parse(href ?? "")?.href ?? "");
  if (copy !== undefined) {
    if (copy.sha256 === hash("sha256", manifest, "hex")) return;
    const what = `${copy.file ?? copy.url} is not the manifest in the package.`;
    findings.add("package-manifest", place("rs:ln rel=contents"), what, "Publish both again.");
    return;
  }
  const inside = (where: string) => ({ document: url, file, where: `manifest.xml, ${where}` });
  try {
    for (const finding of judgeDocument(readDocumentSync(manifest))) {
      findings.addJudged(finding, inside(finding.where));
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    findings.add("unreadable", inside("document"), error.message, "Make the package again.");
  }
}

function missingCure(site: Site, url: string): string {
  if (!site.isLive) return "Run rs-emit again.";
  return /(?:^|\.)neocities\.org$/.test(new URL(url).hostname)
    ? "Free sites of Neocities refuse .zip files: publish without the option dump (--dump)."
    : "Upload the whole folder. If the host refuses .zip files, publish without the option dump (--dump).";
}

const MANIFEST = "manifest.xml";

/**
 * The manifest at the top of a ZIP file (ResourceSync 1.1, sections 11.2 and 13.2); `undefined` where there
 * is none, or it cannot be read.
 */
export async function manifestIn(zip: Uint8Array): Promise<Uint8Array | undefined> {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  try {
    const opened = await fromBufferPromise(bytes, { lazyEntries: true });
    for await (const entry of opened.eachEntry()) {
      if (entry.fileName !== MANIFEST) continue;
      if (entry.uncompressedSize > READ_LIMITS.bytes) return undefined;
      return await buffer(await opened.openReadStreamPromise(entry));
    }
    return undefined;
  } catch (error) {
    // The libraries that read ZIP files throw plain errors.
    if (error instanceof Error && error.name === "Error") return undefined;
    throw error;
  }
}
