import type { Transport } from "../../http/answer.ts";
import type { Description } from "../../model.ts";
import { siteFolder } from "../place.ts";
import type { CollectionReading, Reading, RememberedDocument } from "../reading.ts";
import { DescriptionCache } from "./description-cache.ts";
import { readDescription } from "./read-description.ts";

export interface Descriptions {
  readonly source: Description | undefined;
  /** By collection key. */
  readonly collections: ReadonlyMap<string, Description>;
  readonly documents: readonly RememberedDocument[];
}

/** Stops when the host does not answer: descriptions can wait (IFCC-0001, `describedby`). */
export async function readDescriptions(
  transport: Transport,
  reading: Reading,
  remembered: ReadonlyMap<string, RememberedDocument>,
): Promise<Descriptions> {
  const { descriptionUrl } = reading;
  const cache = new DescriptionCache(transport, remembered);
  const documents = new Map<string, RememberedDocument>();
  const collections = new Map<string, Description>();
  const anew = new Set(reading.documents.map(({ url }) => url));
  let isSilent = reading.interruption !== undefined;
  const read = async (urls: readonly string[], about: string, from: string) => {
    if (isSilent || urls.length === 0) return undefined;
    // A document that is named for the first time has no known content.
    const isKnown = !anew.has(from) && !anew.has(descriptionUrl);
    const said = await readDescription(cache, { urls, about, isKnown });
    isSilent = said.status === "failed";
    if (said.status === "read") documents.set(said.document.url, said.document);
    return said.status === "read" ? said.description : undefined;
  };
  const source = await read(reading.describedBy, siteFolder(descriptionUrl), descriptionUrl);
  // Undescribed collections come first: the check's time may end before the others.
  const isRead = ({ describedBy }: CollectionReading) =>
    describedBy.some((one) => remembered.has(one));
  const inOrder = reading.collections.toSorted(
    (one, other) => Number(isRead(one)) - Number(isRead(other)),
  );
  for (const { key, url, capabilityListUrl, describedBy, problem } of inOrder) {
    const urls = problem === undefined ? describedBy : [];
    const description = await read(urls, url, capabilityListUrl);
    if (description !== undefined) collections.set(key, description);
  }
  return { source, collections, documents: [...documents.values()] };
}
