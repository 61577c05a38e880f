import { bytesOf, type Publication, placeIn, type ServedDocument } from "./documents.ts";
import type { CheckFindings } from "./findings.ts";
import { differenceOf } from "./resources.ts";
import { NoAnswerError, type Site } from "./site.ts";

/** Packages of a live site that are fetched: each may have 20 MiB. */
const LIVE = 2;

/** Compares the packages of dumps with what the dumps say of them; of a live site, the newest. */
export async function checkPackages(
  site: Site,
  publication: Publication,
  findings: CheckFindings,
): Promise<void> {
  for (const dump of publication.values()) {
    if (dump.kind !== "resource-dump" && dump.kind !== "change-dump") continue;
    const { length } = dump.document.entries;
    const first = site.isLive ? Math.max(0, length - LIVE) : 0;
    for (let at = first; at < length; at++) await checkPackage(site, dump, at, findings);
  }
}

async function checkPackage(
  site: Site,
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
      const what = site.isLive
        ? `${url} answers ${answer.status}.`
        : `There is no file for the package ${url}.`;
      findings.add("package-missing", place("loc"), what, missingCure(site, url));
      return;
    }
    const difference = differenceOf(entry, bytes);
    if (difference === undefined) return;
    const what = `${answer.file ?? url} is not the package that the dump describes.`;
    const cure = site.isLive ? "Upload the whole folder." : "Run rs-emit again.";
    findings.add("package-bytes", place(`rs:md@${difference}`), what, cure);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    findings.add("no-answer", place("loc"), error.message, "Check again later.");
  }
}

function missingCure(site: Site, url: string): string {
  if (!site.isLive) return "Run rs-emit again.";
  return /(?:^|\.)neocities\.org$/.test(new URL(url).hostname)
    ? "Free sites of Neocities refuse .zip files: publish without the option dump (--dump)."
    : "Upload the whole folder. If the host refuses .zip files, publish without the option dump (--dump).";
}
