import type { Authority } from "./authority.ts";
import type { ListedCollection } from "./description.ts";
import { READING_LIMITS } from "./limits.ts";
import { targets } from "./outline.ts";
import { documentFolder, relativeTo } from "./place.ts";
import type { NotificationChannel, Outline } from "./reading.ts";

/** What a Capability List says of its collection (ResourceSync 1.1, section 9; IFCC-0001). */
export interface Capabilities {
  readonly describedBy: readonly string[];
  readonly notification: NotificationChannel | undefined;
  /** The Change List, or its index; none where no changes can be determined. */
  readonly changeListUrl: string | undefined;
  readonly notes: readonly string[];
}

/** Whom a source may speak for, and below which folders its collections have names of their own. */
export interface Site {
  readonly authority: Authority;
  /** The site's folder: as it was asked for, and where it came from. */
  readonly folders: readonly string[];
}

/** What a Capability List offers to a harvester of changes. */
export function capabilitiesOf(outline: Outline, listed: ListedCollection): Capabilities {
  const lists = outline.entries.filter(({ metadata }) => metadata?.capability === "changelist");
  const [first] = lists;
  const notes: string[] = [];
  if (lists.length > 1 && first !== undefined) {
    notes.push(
      `${listed.capabilityListUrl} names ${lists.length} Change Lists, and may name one; ` +
        `only ${first.loc} was read.`,
    );
  }
  return {
    describedBy: [...new Set([...targets(outline, "describedby"), ...listed.describedBy])],
    notification: channelOf(outline),
    changeListUrl: first?.loc,
    notes,
  };
}

/**
 * The URL that identifies a collection: what its Capability List describes, else what the Source Description
 * says of it, else the folder of the Capability List. Others' URLs are nobody's to take.
 */
export function collectionUrl(
  listed: ListedCollection,
  outline: Outline | undefined,
  { authority }: Site,
): string {
  const named = [
    ...(outline === undefined ? [] : targets(outline, "describes")),
    ...listed.describes,
  ];
  const mayBe = (url: string) =>
    url.length <= READING_LIMITS.collectionUrl && authority.mayName(url);
  return named.find(mayBe) ?? documentFolder(listed.capabilityListUrl);
}

/** A collection's name within its source: its URL, relative to the site's folder where it is below that. */
export function collectionKey(url: string, { folders }: Site): string {
  for (const folder of folders) {
    const relative = relativeTo(folder, url);
    if (relative !== undefined) return relative;
  }
  return url;
}

/**
 * The channel of pushed changes (Change Notification 1.0.1, section 5): the topic is the entry's URI, or
 * what it links to as `self`, and the hub is linked to.
 */
function channelOf({ entries }: Outline): NotificationChannel | undefined {
  for (const entry of entries) {
    const [hub] = targets(entry, "hub");
    const isChannel = entry.metadata?.capability === "change-notification";
    if (isChannel && hub !== undefined)
      return { topic: targets(entry, "self")[0] ?? entry.loc, hub };
  }
  return undefined;
}
