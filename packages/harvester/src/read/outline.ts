import { type Entry, type Head, kindOf, type Link, type Metadata } from "@rs-emit/documents";
import { resolveUrl } from "../address.ts";
import type { Outline } from "./reading.ts";

const RELATIONS = new Set(["describes", "describedby", "hub", "self"]);

/**
 * @param base after redirects
 * @param entries from {@link outlined}; none of a change list
 */
export function outlineOf(
  { root, metadata, links }: Head,
  base: string,
  entries: readonly Entry[] = [],
): Outline {
  return { base, root, metadata: kept(metadata), links: linksOf(links, base), entries };
}

/** `undefined` if the entry's URL is invalid. */
export function outlined(
  { loc, metadata = {}, links = [] }: Entry,
  base: string,
): Entry | undefined {
  const url = resolveUrl(loc, base);
  if (url === undefined) return undefined;
  return { loc: url, metadata: kept(metadata), links: linksOf(links, base) };
}

export function targets({ links = [] }: Pick<Entry, "links">, rel: string): string[] {
  return links.filter((link) => link.rel === rel).map(({ href }) => href);
}

export function outlineKind({ root, metadata }: Outline) {
  return kindOf(root, metadata.capability);
}

function linksOf(links: readonly Link[], base: string): Link[] {
  return links.flatMap(({ rel, href }) => {
    const url = RELATIONS.has(rel.toLowerCase()) ? resolveUrl(href, base) : undefined;
    return url === undefined ? [] : [{ rel: rel.toLowerCase(), href: url }];
  });
}

function kept({ at, capability, from, until, hash }: Metadata): Metadata {
  return {
    ...(at === undefined ? {} : { at }),
    ...(capability === undefined ? {} : { capability }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
    ...(hash === undefined ? {} : { hash }),
  };
}
