import { HarvestError } from "../errors.ts";
import { BusyError, UnreachableError } from "../http/errors.ts";
import { capabilitiesOf } from "./collection.ts";
import { CollectionLists, type EarlyLists, type Reader } from "./lists.ts";
import { outlineKind } from "./outline.ts";
import type { ListedCollection, Outline } from "./reading.ts";
import { collectionsIn, isDescription, unlisted } from "./source-description.ts";

interface ShortReading {
  readonly isUnchanged: boolean;
  /** By the URLs of Capability Lists. */
  readonly early: ReadonlyMap<string, EarlyLists>;
}

const NOTHING: ShortReading = { isUnchanged: false, early: new Map() };

/**
 * One conditional request per remembered collection if nothing is new. Counts only if the current
 * Capability List still names these lists. A collection without a Change List leaves nothing to ask for: the documents
 * above may name its first one, or another collection. Throws if the host does not answer.
 */
export async function readShort(reader: Reader, descriptionUrl: string): Promise<ShortReading> {
  const collections = rememberedCollections(reader, descriptionUrl);
  if (collections === undefined || collections.length === 0) return NOTHING;
  const early = new Map<string, EarlyLists>();
  for (const listed of collections) {
    const lists = listsOf(reader, listed);
    if (lists === undefined) return { isUnchanged: false, early };
    try {
      await lists.lists.open();
      while (lists.lists.isReady && !reader.cache.budget.isSpent) await lists.lists.readNext();
    } catch (error) {
      if (error instanceof BusyError || error instanceof UnreachableError) throw error;
      if (!(error instanceof HarvestError)) throw error;
      return { isUnchanged: false, early };
    }
    const { interruption } = reader.cache.budget;
    if (interruption !== undefined) throw interruption;
    early.set(listed.capabilityListUrl, lists);
    if (!lists.lists.isAsBefore) return { isUnchanged: false, early };
  }
  return { isUnchanged: true, early };
}

function rememberedCollections(
  { cache }: Reader,
  descriptionUrl: string,
): readonly ListedCollection[] | undefined {
  const outlines: Outline[] = [];
  const urls = new Set([descriptionUrl]);
  for (const url of urls) {
    const outline = cache.known(url)?.outline;
    if (outline === undefined) return undefined;
    if (outlineKind(outline) === "capability-list") return [unlisted(url)];
    outlines.push(outline);
    if (!isDescription(outline)) for (const { loc } of outline.entries) urls.add(loc);
  }
  return collectionsIn(outlines);
}

function listsOf(reader: Reader, listed: ListedCollection): EarlyLists | undefined {
  const { cache, site } = reader;
  const outline = cache.known(listed.capabilityListUrl)?.outline;
  if (outline === undefined) return undefined;
  const { changeListUrl } = capabilitiesOf(outline, listed);
  if (changeListUrl === undefined || cache.known(changeListUrl) === undefined) return undefined;
  const url = site.collectionUrl(listed, outline);
  if (!site.mayName(changeListUrl)) return undefined;
  return {
    changeListUrl,
    collectionUrl: url,
    lists: new CollectionLists(reader, changeListUrl, url),
  };
}
