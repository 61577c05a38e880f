/** The names of all documents, and how rs-emit recognizes its own files (design: Documents). */

import { basename } from "node:path";
import { decodeText, GENERATOR_MARK, NO_LOG, SOURCE_DESCRIPTION } from "@rs-emit/documents";

export { FEED, isNoLogMarker, markedSite, NO_LOG, SOURCE_DESCRIPTION } from "@rs-emit/documents";

/** This name and those that follow are relative to a collection's folder. */
export const CAPABILITY_LIST = "capabilitylist.xml";
export const CHANGE_LIST_INDEX = "changelist.xml";
export const RESOURCE_LIST = "resourcelist.xml";
export const ABOUT = "about.xml";
export const NOTIFICATION = "notification.xml";
export const RESOURCE_DUMP = "resourcedump.xml";
export const CHANGE_DUMP = "changedump.xml";

export const DUMPS = { resourcedump: RESOURCE_DUMP, changedump: CHANGE_DUMP } as const;
export type DumpCapability = keyof typeof DUMPS;

/** At the top of a package (ResourceSync 1.1, sections 11.2 and 13.2). */
export const MANIFEST = "manifest.xml";

/** In the root folder for Netlify and Cloudflare Pages. Authors write most of it. */
export const HEADERS = "_headers";

export const ROBOTS = "robots.txt";

export const SITEMAP_FILE = "sitemap.xml";

/** Suffix of a file that is being written. A killed run leaves such a file. */
export const TEMPORARY = ".rs-emit-tmp";

export const OWN_CAPABILITIES: readonly string[] = ["changelist", "resourcelist"];

/** A comment in every document. rs-emit overwrites no file without it unless the author asks. */
export const GENERATOR = `${GENERATOR_MARK} Each run reads it back: please do not edit it. `;

export const FEED_COMMENT = `${GENERATOR_MARK} Each run writes it anew: edits are lost. `;

export const SITEMAP_COMMENT = `${GENERATOR_MARK} For search engines. Each run writes it anew: edits are lost. `;

/** The generator's comment comes before the root element, so these bytes contain it. */
export const BEGINNING_BYTES = 512;

/** Whether rs-emit wrote the file, by its first bytes; also if a program for Windows has saved it as UTF-16. */
export function beginsAsOurs(bytes: Uint8Array): boolean {
  return decodeText(bytes.subarray(0, BEGINNING_BYTES)).includes(`<!--${GENERATOR_MARK}`);
}

/** A feed or a sitemap: a document that no later run reads back. */
export function beginsAsOurView(bytes: Uint8Array): boolean {
  const beginning = new TextDecoder("latin1").decode(bytes.subarray(0, BEGINNING_BYTES));
  return [FEED_COMMENT, SITEMAP_COMMENT].some((one) => beginning.includes(`<!--${one}-->`));
}

export function isGeneratorComment(comment: string): boolean {
  return comment.startsWith(GENERATOR_MARK);
}

const DOCUMENTS = new Set([
  CAPABILITY_LIST,
  CHANGE_LIST_INDEX,
  RESOURCE_LIST,
  ABOUT,
  NOTIFICATION,
  RESOURCE_DUMP,
  CHANGE_DUMP,
]);

export function isDocumentName(name: string): boolean {
  return DOCUMENTS.has(name) || isOneOfMany(name);
}

export const RESOURCE_DUMP_FOLDER = "resourcedump/";

/** Documents whose number grows stand in these folders from the beginning: the collection's own folder stays clear. */
export const FOLDERS_OF_MANY = [
  "changelist/",
  "resourcelist/",
  RESOURCE_DUMP_FOLDER,
  "changedump/",
] as const;

function isOneOfMany(name: string): boolean {
  return isChangeListName(name) || isResourceListPartName(name) || isOfDump(name);
}

/** A document's name in its collection: the last part of the path, with its folder for one of many. */
export function documentName(path: string): string {
  const withFolder = path.slice(path.lastIndexOf("/", path.lastIndexOf("/") - 1) + 1);
  return isOneOfMany(withFolder) ? withFolder : path.slice(path.lastIndexOf("/") + 1);
}

export function isFeedName(name: string): boolean {
  return /^[\w-][\w.-]*\.(?:atom|xml)$/.test(name) && !isDocumentName(name);
}

export function isSitemapName(name: string): boolean {
  return name.endsWith(".xml") && isFeedName(name);
}

export function sitemapPartName(name: string, number: number): string {
  return name.replace(/\.xml$/, `-part${number}.xml`);
}

export function isOfSitemap(path: string, name: string): boolean {
  const stem = name.slice(0, -".xml".length);
  return (
    path === name || (path.startsWith(stem) && /^-part\d+\.xml$/.test(path.slice(stem.length)))
  );
}

export const INDEX_NOW_KEY = /^[A-Za-z\d-]{8,128}$/;

/** IndexNow asks for this file as a proof of the site's owner. */
export function keyFileName(key: string): string {
  return `${key}.txt`;
}

export function changeListName(period: string, taken: ReadonlySet<string>): string {
  const first = `changelist/${period}.xml`;
  if (!taken.has(first)) return first;
  for (let part = 2; ; part++) {
    const name = `changelist/${period}-part${part}.xml`;
    if (!taken.has(name)) return name;
  }
}

/** The Change List that holds the imported log. Its parts begin with this name. */
export const ADOPTED_LIST = "changelist/adopted";

export function isChangeListName(name: string): boolean {
  return /^changelist\/(?:adopted(?:-\d+)?|\d{4}(?:-\d\d){0,2}(?:-part\d+)?)\.xml$/.test(name);
}

/** The name contains the time: old parts are needed until the new index replaces the old index. */
export function resourceListPartName(at: number, part: number): string {
  return `resourcelist/${stampOf(at)}-part${part}.xml`;
}

function stampOf(seconds: number): string {
  const stamp = new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  return `${stamp}Z`;
}

export function isResourceListPartName(name: string): boolean {
  return /^resourcelist\/\d{8}T\d{6}Z-part\d+\.xml$/.test(name);
}

export function resourcePackageName(number: number): string {
  return `resourcedump/${number}.zip`;
}

/** The name contains the time: followers need the packages of the last few publications. */
export function changePackageName(publication: number, part: number): string {
  return `changedump/${stampOf(publication)}-part${part}.zip`;
}

/** ResourceSync wants a copy of each package's manifest beside the package. */
export function manifestCopyName(packageName: string): string {
  return packageName.replace(/\.zip$/, "-manifest.xml");
}

/** A package of a Resource Dump, or the copy of its manifest. */
export function isOfResourceDump(name: string): boolean {
  return /^resourcedump\/\d+(?:\.zip|-manifest\.xml)$/.test(name);
}

export function isPackageName(name: string): boolean {
  return /^(?:resourcedump\/\d+|changedump\/\d{8}T\d{6}Z-part\d+)\.zip$/.test(name);
}

export function isOfDump(name: string): boolean {
  return isPackageName(name.replace(/-manifest\.xml$/, ".zip"));
}

export interface NamingSettings {
  readonly feed: { readonly file: string } | undefined;
  readonly sitemap: string | undefined;
  readonly robots: boolean;
  readonly indexNow?: string | undefined;
}

/** Whether rs-emit writes the file; such a file is no resource. */
export function ownDocuments(
  collections: readonly { readonly folder: string }[],
  { feed, sitemap, robots, indexNow }: NamingSettings,
): (file: string) => boolean {
  const folders = new Set(collections.map(({ folder }) => folder));
  const ofRoot = new Set([SOURCE_DESCRIPTION, NO_LOG, ABOUT, HEADERS]);
  if (robots) ofRoot.add(ROBOTS);
  if (indexNow !== undefined) ofRoot.add(keyFileName(indexNow));
  return (file) => {
    const name = documentName(file);
    if (name.endsWith(TEMPORARY)) return true;
    if (ofRoot.has(file) || (sitemap !== undefined && isOfSitemap(file, sitemap))) return true;
    if (!isDocumentName(name) && name !== feed?.file) return false;
    return folders.has(file.slice(0, -name.length));
  };
}

interface WrittenFile {
  readonly path: string;
}

/** Change Lists first; the Resource List, which commits, last (design: Publishing safely). */
const COMMIT_ORDER = [
  CHANGE_LIST_INDEX,
  "feed",
  NOTIFICATION,
  "package",
  RESOURCE_DUMP,
  CHANGE_DUMP,
  ABOUT,
  CAPABILITY_LIST,
  basename(SOURCE_DESCRIPTION),
  HEADERS,
  ROBOTS,
  "part of the Resource List",
  RESOURCE_LIST,
];

export function inCommitOrder(one: WrittenFile, other: WrittenFile): number {
  return rank(one.path) - rank(other.path);
}

function rank(path: string): number {
  const name = documentName(path);
  if (isResourceListPartName(name)) return COMMIT_ORDER.indexOf("part of the Resource List");
  if (isOfDump(name)) return COMMIT_ORDER.indexOf("package");
  if (isFeedName(name) && !isChangeListName(name)) return COMMIT_ORDER.indexOf("feed");
  return COMMIT_ORDER.indexOf(name); // -1: a Change List
}

/** A new Change List begins with each period. */
export const PERIODS = ["year", "month", "day"] as const;
export type Period = (typeof PERIODS)[number];

/** Characters of a datetime that name its period. */
const NAME_LENGTHS: Record<Period, number> = { year: 4, month: 7, day: 10 };

export function periodOf(seconds: number, period: Period): string {
  return new Date(seconds * 1000).toISOString().slice(0, NAME_LENGTHS[period]);
}

export function nextPeriod(seconds: number, period: Period): number {
  // The name alone is its first day.
  const start = new Date(periodOf(seconds, period));
  if (period === "year") start.setUTCFullYear(start.getUTCFullYear() + 1);
  else if (period === "month") start.setUTCMonth(start.getUTCMonth() + 1);
  else start.setUTCDate(start.getUTCDate() + 1);
  return start.getTime() / 1000;
}
