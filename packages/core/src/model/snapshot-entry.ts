import type { Representation, SnapshotEntry } from "./types.ts";

/** What is known of a representation, and nothing that is unknown. */
export function representationOf({
  hash,
  length,
  type,
  title,
  content,
  markup,
}: Partial<Representation>): Partial<Representation> {
  return {
    ...(hash === undefined ? {} : { hash }),
    ...(length === undefined ? {} : { length }),
    ...(type === undefined ? {} : { type }),
    ...(title === undefined ? {} : { title }),
    ...(content === undefined ? {} : { content }),
    ...(markup === undefined ? {} : { markup }),
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

/** What a snapshot remembers instead of a hash where a server makes a page on demand. */
export const ON_DEMAND = "on-demand";

/** Whether enough is remembered of a resource to tell a change of it. */
export function isRemembered({ hash, length, content }: Partial<Representation>): boolean {
  return content === ON_DEMAND || (hash !== undefined && length !== undefined);
}
