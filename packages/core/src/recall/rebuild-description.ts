import {
  type CapabilityEntry,
  DocumentError,
  type Entry,
  readDocumentSync,
} from "@rs-emit/documents";
import { attributeToSiblings } from "../model/collections.ts";
import {
  beginsAsOurs,
  CAPABILITY_LIST,
  DUMPS,
  NOTIFICATION,
  OWN_CAPABILITIES,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";
import type { CollectionPublication } from "../model/publication.ts";
import {
  folderOf,
  type ListedFolder,
  type RecallDescriptionRequest,
  type RecalledDescription,
} from "./description.ts";
import { type DocumentStore, ownValue, StoredDocument } from "./document-store.ts";
import { damagedDocumentError, otherSiteError } from "./errors.ts";

interface Membership {
  readonly base: string;
  readonly since: number;
  readonly siblings: readonly ListedFolder[];
}

/**
 * Many hosts and deploy tools omit dot folders. Capability Lists name all collections.
 * @returns `undefined` if rs-emit wrote no Capability List there
 * @throws {EmitError} `DAMAGED_DOCUMENT` `OTHER_SITE`
 */
export async function rebuildDescription(
  store: DocumentStore,
  request: RecallDescriptionRequest,
): Promise<RecalledDescription | undefined> {
  const own = new Map<string, ListedFolder>();
  const named = new Map<string, ListedFolder>();
  let base: string | undefined;
  // Once, the site's root may have been the only collection.
  const known = [...request.collections, { url: request.site, folder: "" }];
  const queue = new Map<string, Pick<ListedFolder, "folder">>();
  for (const { url, folder } of known) if (!queue.has(url)) queue.set(url, { folder });
  for (const [url, { folder }] of queue) {
    const membership = await readMembership(store, { url, folder }, request);
    if (membership === undefined) continue;
    base ??= membership.base;
    if (membership.base !== base) {
      const why = `it was published under ${membership.base}, and others under ${base}.`;
      throw damagedDocumentError(folder + CAPABILITY_LIST, store.place, why);
    }
    own.set(url, { url, folder, since: membership.since });
    for (const sibling of membership.siblings) {
      const since = named.get(sibling.url)?.since ?? sibling.since;
      named.set(sibling.url, { ...sibling, since: Math.max(since, sibling.since) });
      // Iteration over a map includes entries that are added meanwhile.
      if (!queue.has(sibling.url)) queue.set(sibling.url, sibling);
    }
  }
  if (base === undefined) return undefined;
  const listed = [...new Map([...named, ...own]).values()];
  return { base, listed, others: [], rebuiltFrom: new Set(own.keys()) };
}

/** Reads what only the Capability List records. Empty if it cannot be read: it is written anew. */
export async function readCapabilities(
  store: DocumentStore,
  folder: string,
): Promise<Pick<CollectionPublication, "capabilities" | "sitemap" | "describedby">> {
  const nothing = { capabilities: [] };
  const bytes = await store.bytes(folder + CAPABILITY_LIST);
  if (bytes === undefined) return nothing;
  try {
    const parsed = readDocumentSync(bytes);
    const { root, metadata, links, entries } = parsed;
    if (root !== "urlset" || metadata.capability !== "capabilitylist") return nothing;
    const others = entries.filter(isCapability).filter(isOthersCapability);
    const describedby = links.find(({ rel }) => rel === "describedby")?.href;
    return { capabilities: others, sitemap: ownValue(parsed, "sitemap"), describedby };
  } catch (error) {
    if (error instanceof DocumentError) return nothing;
    throw error;
  }
}

function isCapability(entry: Entry): entry is CapabilityEntry {
  return entry.metadata?.capability !== undefined;
}

/** rs-emit writes these only under its own names: others may offer them too. */
const OPTIONAL_CAPABILITIES: ReadonlyMap<string, string> = new Map([
  ["change-notification", NOTIFICATION],
  ...Object.entries(DUMPS),
]);

function isOthersCapability({ loc, metadata: { capability } }: CapabilityEntry): boolean {
  const optional = OPTIONAL_CAPABILITIES.get(capability);
  const isOurs = optional !== undefined && loc.endsWith(`/${optional}`);
  return !isOurs && !OWN_CAPABILITIES.includes(capability);
}

/** @returns `undefined` for a Capability List that rs-emit did not write, or an earlier version wrote */
export async function readMembership(
  store: DocumentStore,
  { url, folder }: Pick<ListedFolder, "url" | "folder">,
  { site, movedFrom }: RecallDescriptionRequest,
): Promise<Membership | undefined> {
  const document = new StoredDocument(store, folder + CAPABILITY_LIST);
  const bytes = await document.bytes();
  if (bytes === undefined || !beginsAsOurs(bytes)) return undefined;
  const parsed = document.parseOurs(bytes, "capability-list");
  const since = document.optionalTime("since", ownValue(parsed, "since"));
  if (since === undefined) return undefined;
  const linked = (relation: string) => parsed.links.find(({ rel }) => rel === relation)?.href ?? "";
  const base = [site, movedFrom].find((one) => linked("up") === `${one}${SOURCE_DESCRIPTION}`);
  if (base === undefined) throw otherSiteError(linked("up").replace(SOURCE_DESCRIPTION, ""), site);
  if (linked("describes") !== base + url.slice(site.length)) {
    throw document.damaged(`it describes ${linked("describes")}, but is not in that folder.`);
  }
  const value = ownValue(parsed, "siblings");
  const siblings =
    value === undefined ? undefined : document.guard(() => attributeToSiblings(value));
  if (siblings === undefined) {
    throw document.damaged("it does not name the other collections of the site.");
  }
  return {
    base,
    since,
    siblings: siblings.map(({ path, since }) => {
      const folder = folderOf(path);
      if (folder !== undefined) return { url: site + path, folder, since };
      throw document.damaged(`it names ${path}, which is no folder of the site.`);
    }),
  };
}
