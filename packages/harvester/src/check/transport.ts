import type { Answer, Permit, Transport } from "../http/answer.ts";
import { BusyError, UnreachableError } from "../http/errors.ts";
import type { Validators } from "../model.ts";
import { StoppedError } from "./errors.ts";

/** Seconds after which a check sends no more requests. */
const LONGEST = 480;

export interface CheckOptions {
  readonly now: () => number;
  /** Documents that are fresh by `Cache-Control` are not requested. */
  readonly trustsFreshness: boolean;
  readonly signal?: AbortSignal | undefined;
}

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

  /** UTC seconds by host, from `Retry-After`. */
  get busy(): ReadonlyMap<string, number> {
    return this.#busy;
  }

  /** @throws {StoppedError} if the check was aborted */
  async get(url: string, validators?: Validators, permit?: Permit): Promise<Answer> {
    const { now, trustsFreshness, signal } = this.#options;
    if (signal?.aborted) throw new StoppedError();
    const time = now();
    if (time > this.#end) {
      throw new UnreachableError(url, "was not asked for any more: the check took too long");
    }
    if (trustsFreshness && validators?.freshUntil !== undefined && time < validators.freshUntil) {
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
