import type { Representation, SnapshotEntry } from "./model.ts";

/** What a snapshot says of a resource, and nothing that is unknown. */
export function snapshotEntry(
  { url, hash, length, type, title, content }: Partial<Representation> & { readonly url: string },
  lastmod: number | undefined,
): SnapshotEntry {
  return {
    url,
    ...(hash === undefined ? {} : { hash }),
    ...(length === undefined ? {} : { length }),
    ...(type === undefined ? {} : { type }),
    ...(title === undefined ? {} : { title }),
    ...(content === undefined ? {} : { content }),
    ...(lastmod === undefined ? {} : { lastmod }),
  };
}
