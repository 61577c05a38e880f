import type { Authority } from "./authority.ts";
import type { ListedCollection } from "./description.ts";
import { READING_LIMITS } from "./limits.ts";
import { targets } from "./outline.ts";
import { documentFolder, relativeTo } from "./place.ts";
import type { NotificationChannel, Outline } from "./reading.ts";

export interface Capabilities {
  readonly describedBy: readonly string[];
  readonly notification: NotificationChannel | undefined;
  readonly changeListUrl: string | undefined;
  /** The Resource List, or its index: what there is, where nothing says what changed. */
  readonly resourceListUrl: string | undefined;
  readonly notes: readonly string[];
}

export interface Site {
  readonly authority: Authority;
  /** The site's folder, before and after redirects. */
  readonly folders: readonly string[];
}

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
    resourceListUrl: outline.entries.find(({ metadata }) => metadata?.capability === "resourcelist")
      ?.loc,
    notes,
  };
}

/** What the Capability List describes, else the Source Description. Not on other hosts. */
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

export function collectionKey(url: string, { folders }: Site): string {
  for (const folder of folders) {
    const relative = relativeTo(folder, url);
    if (relative !== undefined) return relative;
  }
  return url;
}

/** Change Notification 1.0.1, section 5. The topic is the `self` link or the entry's URI. */
function channelOf({ entries }: Outline): NotificationChannel | undefined {
  for (const entry of entries) {
    const [hub] = targets(entry, "hub");
    const isChannel = entry.metadata?.capability === "change-notification";
    if (isChannel && hub !== undefined)
      return { topic: targets(entry, "self")[0] ?? entry.loc, hub };
  }
  return undefined;
}
