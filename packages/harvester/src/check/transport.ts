import type { Answer, Permit, Transport } from "../http/answer.ts";
import { BusyError, UnreachableError } from "../http/errors.ts";
import type { Validators } from "../model.ts";

/** Seconds after which a check asks for nothing more. */
const LONGEST = 480;

/** How one check asks for documents: for a bounded time, and noting which hosts asked to be left alone. */
export class CheckTransport implements Transport {
  readonly #transport: Transport;
  readonly #now: () => number;
  readonly #end: number;
  readonly #busy = new Map<string, number>();

  /** @param now UTC seconds */
  constructor(transport: Transport, now: () => number) {
    this.#transport = transport;
    this.#now = now;
    this.#end = now() + LONGEST;
  }

  /** The hosts that asked to be left alone, and until when, in UTC seconds. */
  get busy(): ReadonlyMap<string, number> {
    return this.#busy;
  }

  async get(url: string, validators?: Validators, permit?: Permit): Promise<Answer> {
    if (this.#now() > this.#end) {
      throw new UnreachableError(url, "was not asked for any more: the check took too long");
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
