import type { DocumentKind } from "@rs-emit/documents";
import type { Answer, Transport } from "../http/answer.ts";
import type { Validators } from "../model.ts";
import type { Budget } from "./budget.ts";
import type { StatedDigest } from "./digest.ts";
import { MidwayError, UnreadableError } from "./errors.ts";
import type { ReadingLimits } from "./limits.ts";
import { OpenDocument, otherKind } from "./open-document.ts";
import { outlineKind } from "./outline.ts";
import { siteHost } from "./place.ts";
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
  /** How it will be known, where that is news. */
  readonly document: RememberedDocument | undefined;
}

/** Where a check gets a source's documents: from its host, or from memory where they are as they were. */
export class DocumentCache {
  readonly budget: Budget;
  readonly limits: ReadingLimits;
  readonly #transport: Transport;
  readonly #remembered: ReadonlyMap<string, RememberedDocument>;
  readonly #isUnconditional: boolean;

  /** @param isUnconditional asks for everything anew */
  constructor(
    transport: Transport,
    remembered: ReadonlyMap<string, RememberedDocument>,
    limits: ReadingLimits,
    budget: Budget,
    isUnconditional = false,
  ) {
    this.#isUnconditional = isUnconditional;
    this.#transport = transport;
    this.#remembered = remembered;
    this.limits = limits;
    this.budget = budget;
  }

  /** What is remembered of a ResourceSync document. */
  known(url: string): Remembered | undefined {
    const known = this.#remembered.get(url);
    if (known?.outline === undefined) return undefined;
    // Its bytes stay as they are when the day of its changes has come.
    const isRipe = known.outline.ripe !== undefined && known.outline.ripe <= this.budget.now;
    return isRipe ? undefined : { ...known, outline: known.outline };
  }

  /**
   * Asks for a document that tells of changes: also while its host says that it stays as it is.
   *
   * @param stated the digest that an index states of it
   * @throws {MidwayError} where it is as before, and the index speaks of another one
   */
  async open(url: string, stated?: StatedDigest): Promise<OpenDocument | KnownDocument> {
    const known = this.known(url);
    const { freshUntil: _, ...validators } = known?.validators ?? {};
    return this.#open(url, known, validators, stated);
  }

  async #open(
    url: string,
    known: Remembered | undefined,
    validators: Validators | undefined,
    stated?: StatedDigest,
  ): Promise<OpenDocument | KnownDocument> {
    const answer = await this.#ask(url, known, validators);
    this.budget.noteAnswer();
    if (answer.status === "fresh") return OpenDocument.open(url, answer, stated);
    if (known === undefined) {
      throw new UnreadableError(url, "is said to be unchanged, and was never read");
    }
    if (stated?.algorithm === "sha256" && stated.hex !== known.hash) throw new MidwayError(url);
    return { url, base: answer.url, permanentUrl: answer.permanentUrl, known };
  }

  /**
   * Another host's word that nothing has changed is not about what is remembered, whatever entity tag
   * the two share: a source that redirects there would be believed to speak for it.
   */
  async #ask(
    url: string,
    known: Remembered | undefined,
    validators: Validators | undefined,
  ): Promise<Answer> {
    const answer = await this.#transport.get(url, this.#isUnconditional ? undefined : validators);
    if (answer.status === "fresh" || known === undefined) return answer;
    return isOfSameHost(answer.url, known.outline.base) ? answer : this.#transport.get(url);
  }

  /**
   * Asks for a document of bounded size, unless its host said that it stays as it is.
   *
   * @throws {UnreadableError} where it is of none of these kinds
   */
  async outline(url: string, kinds: readonly DocumentKind[]): Promise<OutlineReading> {
    const remembered = this.known(url);
    const found = await this.#open(url, remembered, remembered?.validators);
    if (found instanceof OpenDocument) {
      await found.expect(kinds);
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
    const { base, permanentUrl } = opened;
    return { outline, base, permanentUrl, isAsBefore, document: this.newsOf(document) };
  }

  /** A document as it is to be remembered from now on; `undefined` where just that is remembered. */
  newsOf(document: RememberedDocument): RememberedDocument | undefined {
    const known = this.#remembered.get(document.url);
    const isKnown =
      known?.hash === document.hash &&
      known.isClosed === document.isClosed &&
      known.outline?.ripe === document.outline?.ripe &&
      known.outline !== undefined &&
      isOfSameHost(known.outline.base, document.outline?.base ?? document.url) &&
      known.validators.etag === document.validators.etag &&
      known.validators.lastModified === document.validators.lastModified;
    return isKnown ? undefined : document;
  }
}

function isOfSameHost(url: string, other: string): boolean {
  return siteHost(url) === siteHost(other);
}
