import type { Validators } from "../model.ts";

export interface Transport {
  /**
   * One document of a host at a time: read or discard it before requesting the next.
   * @param validators of the remembered answer
   * @param permit called before each request, redirects included; throws to refuse
   * @throws {FetchError}
   */
  get(url: string, validators?: Validators, permit?: Permit): Promise<Answer>;
}

/** Throws `FetchError` if an address may not be requested. */
export type Permit = (url: string) => Promise<void>;

export type Answer = FreshAnswer | UnchangedAnswer;

interface AnswerPlace {
  /** After all redirects. */
  readonly url: string;
  /** After permanent redirects (301, 308), up to the first that is temporary or leaves https. */
  readonly permanentUrl: string;
}

export interface FreshAnswer extends AnswerPlace {
  readonly status: "fresh";
  readonly validators: Validators;
  readonly link: string | undefined;
  /** Decompressed, a `.gz` too; bounded in size and time; read it once. Throws `FetchError`. */
  readonly body: AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

/** The remembered document is current (304). */
export interface UnchangedAnswer extends AnswerPlace {
  readonly status: "unchanged";
}
