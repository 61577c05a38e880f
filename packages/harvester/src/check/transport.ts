import type { Answer, Permit, Transport } from "../http/answer.ts";
import { BusyError, UnreachableError } from "../http/errors.ts";
import type { Validators } from "../model.ts";
import { StoppedError } from "./errors.ts";

/** Seconds after which a check asks for nothing more. */
const LONGEST = 480;

/** How a check asks for documents. */
export interface CheckOptions {
  /** UTC seconds. */
  readonly now: () => number;
  /** Documents are not asked for while their hosts said that they stay as they are (`Cache-Control`). */
  readonly isPatient: boolean;
  /** Breaks the check off. */
  readonly signal?: AbortSignal | undefined;
}

/** How one check asks for documents: for a bounded time, and noting which hosts asked to be left alone. */
export class CheckTransport implements Transport {
  readonly #transport: Transport;
  readonly #options: CheckOptions;
  readonly #end: number;
  readonly #busy = new Map<string, number>();

  constructor(transport: Transport, options: CheckOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#end = options.now() + LONGEST;
  }

  /** The hosts that asked to be left alone, and until when, in UTC seconds. */
  get busy(): ReadonlyMap<string, number> {
    return this.#busy;
  }

  /** @throws {StoppedError} when the check was broken off */
  async get(url: string, validators?: Validators, permit?: Permit): Promise<Answer> {
    const { now, isPatient, signal } = this.#options;
    if (signal?.aborted) throw new StoppedError();
    const time = now();
    if (time > this.#end) {
      throw new UnreachableError(url, "was not asked for any more: the check took too long");
    }
    if (isPatient && validators?.freshUntil !== undefined && time < validators.freshUntil) {
      return { status: "unchanged", url, permanentUrl: url };
    }
    try {
      return await this.#transport.get(url, validators, permit);
    } catch (error) {
      if (error instanceof BusyError && error.until !== undefined) {
        this.#busy.set(new URL(error.url).hostname, error.until);
      }
      throw error;
    }
  }
}
