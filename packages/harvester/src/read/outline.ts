import { type Entry, type Head, kindOf, type Link, type Metadata } from "@rs-emit/documents";
import { resolveUrl } from "./place.ts";
import type { Outline } from "./reading.ts";

const RELATIONS = new Set(["describes", "describedby", "hub", "self"]);

export class OutlineBuilder {
  readonly #base: string;
  readonly #entries: Entry[] = [];

  constructor(base: string) {
    this.#base = base;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Skips an entry whose URL is invalid. */
  add({ loc, metadata, links = [] }: Entry): void {
    const url = resolveUrl(loc, this.#base);
    if (url === undefined) return;
    this.#entries.push({
      loc: url,
      metadata: outlined(metadata ?? {}),
      links: this.#links(links),
    });
  }

  build(head: Head): Outline {
    return {
      base: this.#base,
      root: head.root,
      metadata: outlined(head.metadata),
      links: this.#links(head.links),
      entries: this.#entries,
    };
  }

  #links(links: readonly Link[]): Link[] {
    return links.flatMap(({ rel, href }) => {
      const url = RELATIONS.has(rel.toLowerCase()) ? resolveUrl(href, this.#base) : undefined;
      return url === undefined ? [] : [{ rel: rel.toLowerCase(), href: url }];
    });
  }
}

export function targets({ links = [] }: Pick<Entry, "links">, rel: string): string[] {
  return links.filter((link) => link.rel === rel).map(({ href }) => href);
}

export function outlineKind({ root, metadata }: Outline) {
  return kindOf(root, metadata.capability);
}

function outlined({ at, capability, from, until, hash }: Metadata): Metadata {
  return {
    ...(at === undefined ? {} : { at }),
    ...(capability === undefined ? {} : { capability }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
    ...(hash === undefined ? {} : { hash }),
  };
}
