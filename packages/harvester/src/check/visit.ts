import type { Answer, Permit, Transport } from "../http/answer.ts";
import { BusyError, UnreachableError } from "../http/errors.ts";
import type { Validators } from "../model.ts";
import { LEASE } from "./lease.ts";

/** Seconds from the last document to the end of the lease, to read that one and to keep what was read. */
const RESERVE = 120;

/** How one check asks for documents: not for longer than it holds its source, and with an ear for its hosts. */
export class Visit implements Transport {
  readonly #transport: Transport;
  readonly #now: () => number;
  readonly #end: number;
  readonly #busy = new Map<string, number>();

  /** @param now UTC seconds */
  constructor(transport: Transport, now: () => number) {
    this.#transport = transport;
    this.#now = now;
    this.#end = now() + LEASE - RESERVE;
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
