import type { DocumentKind } from "@rs-emit/documents";
import type { Transport } from "../fetch/answer.ts";
import { BusyError, type FetchError, UnreachableError } from "../fetch/errors.ts";
import type { StatedDigest } from "./digest.ts";
import { MidwayError, UnfinishedError, UnreadableError } from "./errors.ts";
import type { ReadingLimits } from "./limits.ts";
import { OpenDocument, otherKind } from "./open-document.ts";
import { outlineKind } from "./outline.ts";
import type { Outline, RememberedDocument } from "./reading.ts";

/** A document that is as it was, and what is remembered of it. */
export interface KnownDocument {
  readonly url: string;
  readonly permanentUrl: string;
  /** Where it came from. */
  readonly base: string;
  readonly known: Remembered;
}

type Remembered = RememberedDocument & { readonly outline: Outline };

/** What a document of bounded size says now. */
export interface OutlineReading {
  readonly outline: Outline;
  readonly base: string;
  readonly permanentUrl: string;
  /** Whether it is the one that was read before. */
  readonly isAsBefore: boolean;
  /** How it will be known, where it was read anew. */
  readonly document: RememberedDocument | undefined;
}

/** Where a check gets a source's documents, and what bounds it. */
export class Library {
  requests = 0;
  unchanged = 0;
  /** The first failure that was the host's own. */
  interruption: FetchError | undefined;
  readonly limits: ReadingLimits;
  readonly #transport: Transport;
  readonly #remembered: ReadonlyMap<string, RememberedDocument>;
  readonly #now: () => number;
  readonly #end: number;
  #lists = 0;
  #entries = 0;
  #unanswered = 0;
  #isRefused = false;

  constructor(
    transport: Transport,
    remembered: ReadonlyMap<string, RememberedDocument>,
    limits: ReadingLimits,
    now: () => number,
  ) {
    this.#transport = transport;
    this.#remembered = remembered;
    this.limits = limits;
    this.#now = now;
    this.#end = now() + limits.seconds;
  }

  /** What is remembered of a ResourceSync document. */
  known(url: string): Remembered | undefined {
    const known = this.#remembered.get(url);
    return known?.outline === undefined ? undefined : { ...known, outline: known.outline };
  }

  /**
   * Asks for a document.
   *
   * @param stated the digest that an index states of it
   * @throws {MidwayError} where it is as before, and the index speaks of another one
   */
  async open(url: string, stated?: StatedDigest): Promise<OpenDocument | KnownDocument> {
    const known = this.known(url);
    this.requests += 1;
    const answer = await this.#transport.get(url, known?.validators);
    this.#unanswered = 0;
    if (answer.status === "fresh") return OpenDocument.open(url, answer, stated);
    if (known === undefined) {
      throw new UnreadableError(url, "is said to be unchanged, and was never read");
    }
    if (stated?.algorithm === "sha256" && stated.hex !== known.hash) throw new MidwayError(url);
    this.unchanged += 1;
    return { url, base: answer.url, permanentUrl: answer.permanentUrl, known };
  }

  /**
   * Asks for a document of bounded size.
   *
   * @throws {UnreadableError} where it is of none of these kinds
   */
  async outline(url: string, kinds: readonly DocumentKind[]): Promise<OutlineReading> {
    const found = await this.open(url);
    if (found instanceof OpenDocument) {
      await found.expect(...kinds);
      return this.finishOutline(found);
    }
    const { known, ...place } = found;
    const kind = outlineKind(known.outline);
    if (kind === undefined || !kinds.includes(kind)) throw otherKind(url, kind, kinds);
    return { ...place, outline: known.outline, isAsBefore: true, document: undefined };
  }

  /** Reads a document of bounded size to its end. */
  async finishOutline(opened: OpenDocument): Promise<OutlineReading> {
    const outline = await opened.outline(this.limits);
    const document = opened.remember(outline, false);
    const isAsBefore = this.known(opened.url)?.hash === document.hash;
    if (isAsBefore) this.unchanged += 1;
    const { base, permanentUrl } = opened;
    return { outline, base, permanentUrl, isAsBefore, document };
  }

  /** Counts a Change List that was asked for. */
  spend(entries: number): void {
    this.#lists += 1;
    this.#entries += entries;
  }

  /** Whether no further Change List is read in this check. */
  get isSpent(): boolean {
    return this.isOver || this.isFull;
  }

  /** Whether as much was read as one check may read. */
  get isFull(): boolean {
    const { documents, entries } = this.limits;
    return this.#lists >= documents || this.#entries >= entries;
  }

  /** Whether nothing at all is asked for any more. */
  get isOver(): boolean {
    return this.#isRefused || this.#now() > this.#end;
  }

  /** Why a document is not asked for any more. */
  reasonFor(url: string): FetchError | UnfinishedError {
    return (this.#isRefused ? this.interruption : undefined) ?? new UnfinishedError(url);
  }

  /**
   * Takes note of a failure: a host that asks to be left alone, or that is silent again and again, is.
   *
   * @returns whether it is the host's, and not the document's
   */
  noteFailure(error: unknown): boolean {
    if (!(error instanceof UnreachableError) && !(error instanceof BusyError)) return false;
    this.#unanswered += 1;
    this.interruption ??= error;
    this.#isRefused ||= error instanceof BusyError || this.#unanswered >= this.limits.unanswered;
    if (error instanceof BusyError) this.interruption = error;
    return true;
  }
}
