import {
  type DocumentKind,
  type DocumentReader,
  type Entry,
  type Head,
  kindOf,
  type Link,
  type Metadata,
  numeral,
  openDocument,
  type ReadOptions,
} from "@rs-emit/documents";
import { resolveLoc, resolveUrl } from "../address.ts";
import type { UrlError } from "../errors.ts";
import type { FreshAnswer } from "../http/transport.ts";
import type { Validators } from "../model.ts";
import { DigestedBytes, type ListedDigest } from "./digest.ts";
import { headInWords, inWords, midwayError, unreadable, unreadableError } from "./errors.ts";
import type { ReadingLimits } from "./reading-limits.ts";
import type { DocumentSummary, RememberedDocument } from "./reading-result.ts";

export class OpenDocument {
  readonly url: string;
  /** After redirects: the base of relative URLs. */
  readonly base: string;
  readonly permanentUrl: string;
  readonly #answer: FreshAnswer;
  readonly #bytes: DigestedBytes;
  readonly #reader: DocumentReader;
  #expected: readonly DocumentKind[] = [];

  private constructor(
    url: string,
    answer: FreshAnswer,
    bytes: DigestedBytes,
    reader: DocumentReader,
  ) {
    this.url = url;
    this.base = answer.url;
    this.permanentUrl = answer.permanentUrl;
    this.#answer = answer;
    this.#bytes = bytes;
    this.#reader = reader;
  }

  /** Reads up to the first entry. Throws {@link HarvestError}. */
  static async open(
    url: string,
    answer: FreshAnswer,
    digest: ListedDigest | undefined,
    options: Pick<ReadOptions, "skipMissingLoc">,
  ): Promise<OpenDocument> {
    const bytes = new DigestedBytes(answer.body, digest);
    try {
      const reader = await openDocument(bytes, options);
      return new OpenDocument(url, answer, bytes, reader);
    } catch (error) {
      await answer.discard();
      throw unreadable(url, error);
    }
  }

  /** By root and capability, never by name or type. It may be known only after the entries. */
  get kind(): DocumentKind | undefined {
    return this.#reader.kind;
  }

  get validators(): Validators {
    return this.#answer.validators;
  }

  get head(): Head {
    return this.#reader.head;
  }

  /** Throws {@link HarvestError}, after all entries before the fault. */
  async *batches(): AsyncGenerator<readonly Entry[]> {
    try {
      yield* this.#reader.batches();
    } catch (error) {
      throw unreadable(this.url, error);
    }
  }

  async summary(limits: Pick<ReadingLimits, "lists" | "summary">): Promise<DocumentSummary> {
    const entries: Entry[] = [];
    for await (const batch of this.batches()) {
      entries.push(...batch.flatMap((entry) => summarized(entry, this.base) ?? []));
      const excess =
        excessOf(entries.length, limits.lists, "names", "documents") ??
        excessOf(this.#bytes.length, limits.summary, "has", "bytes");
      if (excess !== undefined) throw unreadableError(this.url, excess);
    }
    return summaryOf(this.head, this.base, entries);
  }

  /**
   * Call after reading to the end. Throws {@link HarvestError} for another kind, and if the index describes another
   * document.
   */
  remember(summary: DocumentSummary, isClosed: boolean): RememberedDocument {
    if (!this.#mayBe(this.#expected)) throw otherKind(this.url, this.head, this.#expected);
    const { sha256: hash, isAsListed } = this.#bytes.finish();
    if (!isAsListed) throw midwayError(this.url);
    const { url } = this;
    const { missingLocs } = this.#reader;
    const counted = missingLocs === 0 ? summary : { ...summary, missingLocs };
    return { url, validators: this.#answer.validators, hash, summary: counted, isClosed };
  }

  async close(): Promise<void> {
    await this.#reader.close();
  }

  /** Throws {@link HarvestError} for another kind, and discards the document. */
  async expect(kinds: readonly DocumentKind[]): Promise<void> {
    this.#expected = kinds;
    if (this.kind === undefined || this.#mayBe(kinds)) return;
    await this.close();
    throw otherKind(this.url, this.head, kinds);
  }

  #mayBe(kinds: readonly DocumentKind[]): boolean {
    return this.kind !== undefined && kinds.includes(this.kind);
  }
}

export function excessOf(
  count: number,
  most: number,
  verb: "has" | "names",
  what: string,
): string | undefined {
  if (count <= most) return undefined;
  return `is too large: it ${verb} more than ${numeral(most)} ${what}`;
}

export function otherKind(
  url: string,
  found: Pick<Head, "root" | "metadata">,
  kinds: readonly DocumentKind[],
): UrlError {
  const wanted = kinds.map(inWords).join(" or ");
  return unreadableError(url, `is ${headInWords(found)}, not ${wanted}`);
}

const RELATIONS = new Set(["describes", "describedby", "hub", "self"]);

/**
 * @param base after redirects
 * @param entries from {@link summarized}; none of a change list
 */
export function summaryOf(
  { root, metadata, links }: Head,
  base: string,
  entries: readonly Entry[] = [],
): DocumentSummary {
  return { base, root, metadata: kept(metadata), links: absoluteLinks(links, base), entries };
}

/** `undefined` if the entry's URL is invalid. */
function summarized({ loc, metadata = {}, links = [] }: Entry, base: string): Entry | undefined {
  const url = resolveLoc(loc, base);
  if (url === undefined) return undefined;
  return { loc: url, metadata: kept(metadata), links: absoluteLinks(links, base) };
}

export function targets({ links = [] }: Pick<Entry, "links">, rel: string): string[] {
  return links.filter((link) => link.rel === rel).map(({ href }) => href);
}

export function summaryKind({ root, metadata }: DocumentSummary) {
  return kindOf(root, metadata.capability);
}

function absoluteLinks(links: readonly Link[], base: string): Link[] {
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
