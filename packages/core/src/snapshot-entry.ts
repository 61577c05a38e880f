import type { Representation, SnapshotEntry } from "./model.ts";

/** What is known of a representation, and nothing that is unknown. */
export function representationOf({
  hash,
  length,
  type,
  title,
  content,
}: Partial<Representation>): Partial<Representation> {
  return {
    ...(hash === undefined ? {} : { hash }),
    ...(length === undefined ? {} : { length }),
    ...(type === undefined ? {} : { type }),
    ...(title === undefined ? {} : { title }),
    ...(content === undefined ? {} : { content }),
  };
}

/** What a snapshot says of a resource. */
export function snapshotEntry(
  resource: Partial<Representation> & { readonly url: string },
  lastmod: number | undefined,
): SnapshotEntry {
  return {
    url: resource.url,
    ...representationOf(resource),
    ...(lastmod === undefined ? {} : { lastmod }),
  };
}
