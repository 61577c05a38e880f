import { type Entry, urlKey } from "@rs-emit/documents";
import type { CheckFindings, FindingPlace } from "./findings.ts";
import {
  bytesOf,
  digestOf,
  isAbsent,
  placeIn,
  reportStatus,
  type ServedDocument,
  type ServedPublication,
} from "./served-documents.ts";
import { NoAnswerError, SITE_LIMITS, type Site, type SiteAnswer } from "./site.ts";

/** How many resources of a publication are fetched. */
export type Sample = number | "all";

/** A resource of a Resource List. */
export interface Listed {
  readonly list: ServedDocument;
  /** Its position among the entries, counted from 1. */
  readonly number: number;
  readonly entry: Entry;
  readonly url: string;
}

export interface FetchedPage {
  readonly listed: Listed;
  readonly bytes: Uint8Array;
  readonly linkHeader: string | undefined;
}

/** Simultaneous requests to a live site. */
const AT_ONCE = 4;

/** Links are not searched in larger pages. */
const LARGEST_PAGE = 8_000_000;

export function countListed(publication: ServedPublication): number {
  return resourceLists(publication).reduce((sum, { document }) => sum + document.entries.length, 0);
}

/** The resources of all Resource Lists, or a sample of them: evenly spread, the first among them. */
export function sampleOf(publication: ServedPublication, sample: Sample): readonly Listed[] {
  const count = countListed(publication);
  const size = sample === "all" ? count : Math.min(sample, count);
  const chosen: Listed[] = [];
  let seen = 0;
  let chances = 0;
  for (const list of resourceLists(publication)) {
    for (const [at, entry] of list.document.entries.entries()) {
      if (Math.floor((chances * count) / size) === seen) {
        chances += 1;
        const url = URL.parse(entry.loc, list.url)?.href;
        if (url !== undefined) chosen.push({ list, number: at + 1, entry, url });
      }
      seen += 1;
    }
  }
  return chosen;
}

function resourceLists(publication: ServedPublication): readonly ServedDocument[] {
  return [...publication.values()].filter(({ kind }) => kind === "resource-list");
}

/** Compares resources with their Resource Lists. `onPage` receives each page that was served. */
export async function checkResources(
  site: Site,
  listed: readonly Listed[],
  findings: CheckFindings,
  onPage: (page: FetchedPage) => void,
): Promise<void> {
  const queue = listed.values();
  const worker = async () => {
    for (const one of queue) await checkResource(site, one, findings, onPage);
  };
  await Promise.all(Array.from({ length: site.isLive ? AT_ONCE : 1 }, worker));
}

async function checkResource(
  site: Site,
  listed: Listed,
  findings: CheckFindings,
  onPage: (page: FetchedPage) => void,
): Promise<void> {
  const { list, number, url, entry } = listed;
  // Comparing would hold the resource in memory.
  if (Number(entry.metadata?.length) > SITE_LIMITS.bytes) return;
  const place = (where: string) => placeIn(list, `entry ${number}, ${where}`);
  try {
    const answer = await site.get(url);
    if (answer.status !== 200) {
      missing(site, url, answer, place("loc"), findings);
      return;
    }
    const redirect = answer.redirects.at(-1);
    if (redirect !== undefined) reportRedirect(findings, place("loc"), url, redirect.to);
    checkType(listed, answer, findings);
    await checkBytes(site, listed, answer, findings, onPage);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    findings.add("no-answer", place("loc"), error.message, "Check again later.");
  }
}

function missing(
  site: Site,
  url: string,
  answer: SiteAnswer,
  place: FindingPlace,
  findings: CheckFindings,
): void {
  const what = site.isLive ? `${url} answers ${answer.status}.` : `There is no file for ${url}.`;
  if (!isAbsent(answer)) reportStatus(findings, place, url, answer);
  else if (site.isLive) {
    const cure = "Upload the page. If it is meant to be gone, publish again: the log then says so.";
    findings.add("resource-missing", place, what, cure);
  } else {
    findings.add("resource-missing", place, what, "Run rs-emit again, after the build.");
  }
}

function checkType(
  { list, number, entry, url }: Listed,
  answer: SiteAnswer,
  findings: CheckFindings,
) {
  const served = answer.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  const type = entry.metadata?.type?.split(";")[0]?.trim().toLowerCase();
  if (!served || type === undefined || served === type) return;
  const place = placeIn(list, `entry ${number}, rs:md@type`);
  const cure = "Correct the host's media type for such files.";
  findings.add("resource-type", place, `${url} is served as ${served}, not as ${type}.`, cure);
}

async function checkBytes(
  site: Site,
  listed: Listed,
  answer: SiteAnswer,
  findings: CheckFindings,
  onPage: (page: FetchedPage) => void,
): Promise<void> {
  const { list, number, entry, url } = listed;
  const bytes = await bytesOf(answer);
  const isPage = isHtml(entry.metadata?.type ?? answer.header("content-type"), url);
  if (isPage && bytes.length <= LARGEST_PAGE) {
    onPage({ listed, bytes, linkHeader: answer.header("link") });
  }
  const difference = differenceOf(entry, bytes);
  if (difference === undefined) return;
  const place = placeIn(list, `entry ${number}, rs:md@${difference}`);
  const rewriter = site.isLive && isPage ? rewriterOf(bytes) : undefined;
  if (rewriter !== undefined) {
    const what = `${url} is not served as it was uploaded: the host adds ${rewriter.what}.`;
    findings.add("resource-rewritten", place, what, rewriter.cure);
  } else if (site.isLive) {
    const what = `${url} is not served with the bytes that the Resource List describes.`;
    const cure =
      "Upload the whole folder. If this goes on, a later step of the build or the host changes pages: " +
      "run rs-emit after that step.";
    findings.add("resource-bytes", place, what, cure);
  } else {
    const what = `${answer.file ?? url} is not the file that the Resource List describes.`;
    findings.add("resource-bytes", place, what, "Run rs-emit after the last step of the build.");
  }
}

/** The attribute of an entry that the bytes contradict. */
export function differenceOf(entry: Entry, bytes: Uint8Array): "hash" | "length" | undefined {
  const { hash = "", length } = entry.metadata ?? {};
  if (length !== undefined && Number(length) !== bytes.length) return "length";
  for (const digest of hash.split(/\s+/)) {
    const [algorithm = "", hex = ""] = digest.split(":");
    const own = hex === "" ? undefined : digestOf(bytes, algorithm);
    if (own !== undefined && own !== hex.toLowerCase()) return "hash";
  }
  return undefined;
}

function isHtml(type: string | undefined, url: string): boolean {
  if (type !== undefined) return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type.trim());
  return /(?:\/|\.x?html?)$/i.test(url);
}

/** Hosts and services before them are known to insert these into pages. */
const REWRITERS: readonly { mark: string; what: string; cure: string }[] = [
  {
    mark: "/cdn-cgi/l/email-protection",
    what: "Cloudflare's address obfuscation",
    cure: "Turn off Email Address Obfuscation in Cloudflare (Scrape Shield).",
  },
  {
    mark: "data-cfemail",
    what: "Cloudflare's address obfuscation",
    cure: "Turn off Email Address Obfuscation in Cloudflare (Scrape Shield).",
  },
  {
    mark: "static.cloudflareinsights.com/beacon",
    what: "Cloudflare's script for Web Analytics",
    cure: "Turn off the automatic set-up of Web Analytics in Cloudflare.",
  },
  {
    mark: "/cdn-cgi/scripts/",
    what: "a script of Cloudflare",
    cure: "Turn off Rocket Loader and the Scrape Shield functions in Cloudflare.",
  },
  {
    mark: "/cdn-cgi/challenge-platform/",
    what: "Cloudflare's bot detection",
    cure: "Turn off JavaScript Detections in Cloudflare (Bot Fight Mode).",
  },
  {
    mark: "/.netlify/scripts/",
    what: "a script of Netlify",
    cure: "Turn off the extension that injects it in Netlify's site settings.",
  },
  {
    mark: "netlify-rum-container",
    what: "Netlify's script for real user metrics",
    cure: "Turn off Real User Metrics in Netlify.",
  },
];

/** The known program that rewrote a page on its way, if it left a mark. */
export function rewriterOf(
  page: Uint8Array,
): { readonly what: string; readonly cure: string } | undefined {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  return REWRITERS.find(({ mark }) => bytes.includes(mark));
}

/** Reports that the resource is served at another address, and the option that helps. */
export function reportRedirect(
  findings: CheckFindings,
  place: FindingPlace,
  from: string,
  to: string,
): void {
  findings.add("redirect", place, `${from} leads to ${to}.`, redirectCure(from, to));
}

function redirectCure(from: string, to: string): string {
  if (!URL.canParse(to)) return "Let the host serve the listed address.";
  const [listed, served] = [new URL(from), new URL(to)];
  if (listed.origin !== served.origin) {
    return (
      "Publish under the address that the host answers at: --url with its beginning, such as " +
      `${served.origin}/, and once --moved-from with the old one.`
    );
  }
  const [path, target] = [listed.pathname, served.pathname];
  if (path.replace(/(?:index)?\.html$/, "") === target) {
    return "Turn on the option cleanUrls (--clean-urls), and publish again.";
  }
  if (`${path}.html` === target)
    return "Turn off the option cleanUrls (--no-clean-urls), and publish again.";
  if (`${path}/` === target || path === `${target}/`) {
    return "Let the site builder write such pages as the host serves them: with or without folder.";
  }
  return "List the address at which the page is served, or stop the host from redirecting it.";
}

/** The URLs whose last change in the log is their deletion, and that no Resource List has. */
export function deletedUrls(publication: ServedPublication): readonly Listed[] {
  const last = new Map<string, Listed>();
  const listed = new Set<string>();
  for (const list of publication.values()) {
    for (const [at, entry] of list.document.entries.entries()) {
      if (list.kind === "resource-list") listed.add(urlKey(entry.loc));
      if (list.kind !== "change-list" || !URL.canParse(entry.loc, list.url)) continue;
      const url = new URL(entry.loc, list.url).href;
      last.set(urlKey(url), { list, number: at + 1, entry, url });
    }
  }
  return [...last].flatMap(([key, one]) =>
    one.entry.metadata?.change === "deleted" && !listed.has(key) ? [one] : [],
  );
}

export async function checkDeleted(
  site: Site,
  deleted: readonly Listed[],
  findings: CheckFindings,
): Promise<void> {
  for (const { list, number, url } of deleted) {
    const answer = await site.get(url).catch((error) => {
      if (error instanceof NoAnswerError) return undefined;
      throw error;
    });
    if (answer?.status !== 200) continue;
    await bytesOf(answer);
    if (answer.redirects.length > 0) continue; // It moved.
    const cure = "Delete it on the host. Leave it if you only took it out of the log.";
    const place = placeIn(list, `entry ${number}, rs:md@change`);
    findings.add("deleted-served", place, `${url} is deleted in the log, but served.`, cure);
  }
}
