import type { Entry, Link, Metadata, ParsedDocument } from "@rs-emit/documents";

/**
 * What a document says, whatever its URLs and times: its kind, which elements and attributes it
 * has, its relations, changes, kinds of digest, and how many entries.
 */
export function shapeOf({ root, metadata, links, entries }: ParsedDocument) {
  return {
    root,
    metadata: metadataShape(metadata),
    links: sorted(links.map(linkShape)),
    entries: entries.map(entryShape),
  };
}

function entryShape({ metadata, links, ...elements }: Entry) {
  return {
    elements: Object.keys(elements).toSorted(),
    metadata: metadata && metadataShape(metadata),
    links: links?.map(linkShape),
  };
}

function metadataShape(metadata: Metadata) {
  const { capability, change, hash } = metadata;
  return {
    attributes: Object.keys(metadata).toSorted(),
    capability,
    change,
    digests: digests(hash),
  };
}

function linkShape(link: Link) {
  const { rel, pri, hash } = link;
  return { attributes: Object.keys(link).toSorted(), rel, pri, digests: digests(hash) };
}

function digests(hash: string | undefined): readonly string[] | undefined {
  return hash?.split(/\s+/).map((digest) => digest.replace(/:.*/, ""));
}

function sorted<T extends { readonly rel: string }>(links: readonly T[]): readonly T[] {
  return links.toSorted((one, other) => one.rel.localeCompare(other.rel));
}
