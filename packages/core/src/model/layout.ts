/** Where each document stands, and by what it is recognized as ours (design: Documents). */

/** The Source Description, below the site's root. */
export const SOURCE_DESCRIPTION = ".well-known/resourcesync";

/** The documents of a collection, below its folder. */
export const CAPABILITY_LIST = "capabilitylist.xml";
export const CHANGE_LIST_INDEX = "changelist.xml";
export const RESOURCE_LIST = "resourcelist.xml";
export const ABOUT = "about.xml";
/** The newest notification, where the site has a hub: the topic that followers subscribe to. */
export const NOTIFICATION = "notification.xml";

/** Response headers for Netlify and Cloudflare Pages, at the folder's root. Most of it is the author's. */
export const HEADERS = "_headers";

/** The feed of a collection, unless the author names it. */
export const FEED = "changes.atom";

/** The capabilities that rs-emit publishes; other entries of a Capability List are somebody else's. */
export const OWN_CAPABILITIES: readonly string[] = ["changelist", "resourcelist"];

/** The comment in every document; a file without it is never overwritten unasked. */
export const GENERATOR = " Written by rs-emit. Each run reads it back: please do not edit it. ";
const GENERATOR_MARK = " Written by rs-emit.";

/** The comment in a feed. */
export const FEED_COMMENT = `${GENERATOR_MARK} Each run writes it anew: edits are lost. `;

/** How much of a file shows who wrote it: the generator's comment stands before the root. */
export const BEGINNING_BYTES = 512;

/** Whether the beginning of a file shows that rs-emit wrote it. */
export function beginsAsOurs(bytes: Uint8Array): boolean {
  const beginning = new TextDecoder("latin1").decode(bytes.subarray(0, BEGINNING_BYTES));
  return beginning.includes(`<!--${GENERATOR_MARK}`);
}

/** Whether the beginning of a file shows that it is a feed of ours. */
export function beginsAsOurFeed(bytes: Uint8Array): boolean {
  const beginning = new TextDecoder("latin1").decode(bytes.subarray(0, BEGINNING_BYTES));
  return beginning.includes(`<!--${FEED_COMMENT}-->`);
}

/** Whether a comment is the generator's. */
export function isGeneratorComment(comment: string): boolean {
  return comment.startsWith(GENERATOR_MARK);
}

/** Whether a file of a collection's folder has the name of one of its documents. */
export function isDocumentName(name: string): boolean {
  return (
    [CAPABILITY_LIST, CHANGE_LIST_INDEX, RESOURCE_LIST, ABOUT, NOTIFICATION].includes(name) ||
    /^(?:changelist|resourcelist)-[\w-]+\.xml$/.test(name)
  );
}

/** Whether a feed may have a name: one that no other document has. */
export function isFeedName(name: string): boolean {
  return /^[\w-][\w.-]*\.(?:atom|xml)$/.test(name) && !isDocumentName(name);
}

/** How long a Change List stays open. */
export const PERIODS = ["year", "month", "day"] as const;
export type Period = (typeof PERIODS)[number];

const PERIOD_LENGTH: Record<Period, number> = { year: 4, month: 7, day: 10 };

/** The period a time falls in, such as `2026-10`; later periods sort after earlier ones. */
export function periodOf(seconds: number, period: Period): string {
  return new Date(seconds * 1000).toISOString().slice(0, PERIOD_LENGTH[period]);
}

/** When the period after that of a time begins, UTC seconds. */
export function nextPeriod(seconds: number, period: Period): number {
  const [year = 0, month = 1, day = 1] = periodOf(seconds, period).split("-").map(Number);
  const next = {
    year: Date.UTC(year + 1, 0),
    month: Date.UTC(year, month),
    day: Date.UTC(year, month - 1, day + 1),
  };
  return next[period] / 1000;
}

/** The name of a Change List that starts in a period: its first, or its next part. */
export function changeListName(period: string, taken: ReadonlySet<string>): string {
  const first = `changelist-${period}.xml`;
  if (!taken.has(first)) return first;
  for (let part = 2; ; part++) {
    const name = `changelist-${period}-part${part}.xml`;
    if (!taken.has(name)) return name;
  }
}

/** Whether a name is one that `changeListName` gives, in whatever period. */
export function isChangeListName(name: string): boolean {
  return /^changelist-[\w-]+\.xml$/.test(name);
}

/**
 * The name of a part of a Resource List past the limits. It holds the snapshot's time: the parts of
 * the last snapshot must stand until the new index, which is the commit, has replaced the old.
 */
export function resourceListPartName(at: number, part: number): string {
  const stamp = new Date(at * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  return `resourcelist-${stamp}Z-part${part}.xml`;
}

/** Whether a name is one that `resourceListPartName` gives. */
export function isResourceListPartName(name: string): boolean {
  return /^resourcelist-\d{8}T\d{6}Z-part\d+\.xml$/.test(name);
}

/** Tells which files of the output folder are documents of its collections, and so no resources. */
export function ownDocuments(
  collections: readonly { readonly folder: string }[],
  feed: string | undefined,
): (file: string) => boolean {
  const folders = new Set(collections.map(({ folder }) => folder));
  return (file) => {
    const name = file.slice(file.lastIndexOf("/") + 1);
    if (file === SOURCE_DESCRIPTION || file === ABOUT || file === HEADERS) return true;
    if (!isDocumentName(name) && name !== feed) return false;
    return folders.has(file.slice(0, -name.length));
  };
}
