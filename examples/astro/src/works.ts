import { type CollectionEntry, getCollection } from "astro:content";

/** All works, the last one finished first. */
export async function hung(): Promise<CollectionEntry<"works">[]> {
  const works = await getCollection("works");
  return works.sort((one, other) => other.data.finished.getTime() - one.data.finished.getTime());
}
