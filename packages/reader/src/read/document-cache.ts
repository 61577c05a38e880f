import type { DocumentKind } from "@rs-emit/documents";
import { isSameHost } from "../address.ts";
import type { Answer, Transport } from "../http/transport.ts";
import type { Validators } from "../model.ts";
import type { ListedDigest } from "./digest.ts";
import { midwayError, unreadableError } from "./errors.ts";
import { OpenDocument, otherKind, summaryKind } from "./open-document.ts";
import type { Budget, ReadingLimits } from "./reading-limits.ts";
import type { DocumentSummary, RememberedDocument } from "./reading-result.ts";

export interface KnownDocument {
  readonly url: string;
  readonly permanentUrl: string;
  /** After redirects. */
  readonly base: string;
  readonly known: Remembered;
}

type Remembered = RememberedDocument & { readonly summary: DocumentSummary };

export interface SummaryReading {
  readonly summary: DocumentSummary;
  readonly base: string;
  readonly permanentUrl: string;
  readonly isAsBefore: boolean;
  readonly document: RememberedDocument | undefined;
}

interface CacheOptions {
  /** Requests everything anew. */
  readonly isUnconditional?: boolean | undefined;
  /** An entry without `loc` makes a document unreadable. Otherwise it is left out and counted. */
  readonly isStrict?: boolean;
}

export class DocumentCache {
  readonly budget: Budget;
  readonly #transport: Transport;
  readonly #remembered: ReadonlyMap<string, RememberedDocument>;
  readonly #options: CacheOptions;

  constructor(
    transport: Transport,
    remembered: ReadonlyMap<string, RememberedDocument>,
    budget: Budget,
    options: CacheOptions = {},
  ) {
    this.#options = options;
    this.#transport = transport;
    this.#remembered = remembered;
    this.budget = budget;
  }

  get limits(): ReadingLimits {
    return this.budget.limits;
  }

  known(url: string): Remembered | undefined {
    const known = this.#remembered.get(url);
    if (known?.summary === undefined) return undefined;
    // Changes dated in the future become due although the document is unchanged.
    const isReportable =
      known.summary.reportableAt !== undefined && known.summary.reportableAt <= this.budget.now;
    return isReportable ? undefined : { ...known, summary: known.summary };
  }

  /**
   * Requests a change list even while `Cache-Control` calls it fresh.
   * @throws {HarvestError} if it is unchanged, but the index states another digest
   */
  async open(url: string, digest?: ListedDigest): Promise<OpenDocument | KnownDocument> {
    const known = this.known(url);
    const { freshUntil: _, ...validators } = known?.validators ?? {};
    return this.#open(url, known, validators, digest);
  }

  async #open(
    url: string,
    known: Remembered | undefined,
    validators: Validators | undefined,
    digest?: ListedDigest,
  ): Promise<OpenDocument | KnownDocument> {
    const answer = await this.#ask(url, known, validators);
    if (answer.status === "fresh") {
      const skipMissingLoc = this.#options.isStrict !== true;
      return OpenDocument.open(url, answer, digest, { skipMissingLoc });
    }
    if (known === undefined) {
      throw unreadableError(url, "is said to be unchanged, and was never read");
    }
    if (digest?.algorithm === "sha256" && digest.hex !== known.hash) throw midwayError(url);
    return { url, base: answer.url, permanentUrl: answer.permanentUrl, known };
  }

  /** A 304 of another host does not count: a source that redirects there would speak for it. */
  async #ask(
    url: string,
    known: Remembered | undefined,
    validators: Validators | undefined,
  ): Promise<Answer> {
    const { isUnconditional } = this.#options;
    const answer = await this.#transport.get(url, isUnconditional ? undefined : validators);
    if (answer.status === "fresh" || known === undefined) return answer;
    return isSameHost(answer.url, known.summary.base) ? answer : this.#transport.get(url);
  }

  /** Respects `Cache-Control`. Throws {@link HarvestError} for another kind. */
  async summary(url: string, kinds: readonly DocumentKind[]): Promise<SummaryReading> {
    const remembered = this.known(url);
    const found = await this.#open(url, remembered, remembered?.validators);
    if (found instanceof OpenDocument) {
      await found.expect(kinds);
      return this.finishSummary(found);
    }
    const { known, ...place } = found;
    const kind = summaryKind(known.summary);
    if (kind === undefined || !kinds.includes(kind)) throw otherKind(url, known.summary, kinds);
    return { ...place, summary: known.summary, isAsBefore: true, document: undefined };
  }

  async finishSummary(opened: OpenDocument): Promise<SummaryReading> {
    const summary = await opened.summary(this.limits);
    const document = opened.remember(summary, false);
    const isAsBefore = this.known(opened.url)?.hash === document.hash;
    const { base, permanentUrl } = opened;
    return { summary, base, permanentUrl, isAsBefore, document: this.newsOf(document) };
  }

  /** What to remember of a document; `undefined` if that is remembered already. */
  newsOf(document: RememberedDocument): RememberedDocument | undefined {
    const known = this.#remembered.get(document.url);
    const isKnown =
      known?.hash === document.hash &&
      known.isClosed === document.isClosed &&
      known.summary?.reportableAt === document.summary?.reportableAt &&
      known.summary !== undefined &&
      isSameHost(known.summary.base, document.summary?.base ?? document.url) &&
      known.validators.etag === document.validators.etag &&
      known.validators.lastModified === document.validators.lastModified;
    return isKnown ? undefined : document;
  }
}
