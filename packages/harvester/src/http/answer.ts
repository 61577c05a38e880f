import type { Validators } from "../model.ts";

/** Asks for documents: over the network, or in a built folder. */
export interface Transport {
  /**
   * One document of a host at a time: a second one waits until the first is read to its end or given
   * up, so read a document before asking for those that it names.
   *
   * @param url absolute, `http:` or `https:`
   * @param validators of the answer that is remembered: the document may be unchanged since
   * @param permit asked before each address is, those that redirects lead to too; throws if it may not be
   * @throws {FetchError} where there is no such answer
   */
  get(url: string, validators?: Validators, permit?: Permit): Promise<Answer>;
}

/** Whether an address may be asked. Throws `FetchError` if not. */
export type Permit = (url: string) => Promise<void>;

/** What came of asking for a document. */
export type Answer = FreshAnswer | UnchangedAnswer;

interface AnswerPlace {
  /** Where the answer came from, after all redirects. */
  readonly url: string;
  /**
   * Where permanent redirects (301, 308) lead, up to the first that is temporary or gives up https; the
   * address asked where there are none.
   */
  readonly permanentUrl: string;
}

/** A document, as it is now. */
export interface FreshAnswer extends AnswerPlace {
  readonly status: "fresh";
  readonly validators: Validators;
  /** The header `Link`, as it stands. */
  readonly link: string | undefined;
  /**
   * Without compression, its transfer's or its own (`sitemap.xml.gz`); bounded in size and time; may be
   * read once. Throws `FetchError`.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives the body up unread. */
  discard(): Promise<void>;
}

/** The document is the one that is remembered (304). */
export interface UnchangedAnswer extends AnswerPlace {
  readonly status: "unchanged";
}
