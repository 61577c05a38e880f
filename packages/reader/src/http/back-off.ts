import type { Validators } from "../model.ts";
import type { RequestGuard } from "./client.ts";
import { BusyError, FetchError, StatusError, UnreachableError } from "./errors.ts";
import { FETCH_LIMITS } from "./fetch-limits.ts";
import { isRobotsTxt } from "./robots.ts";
import type { Answer, Transport } from "./transport.ts";

/**
 * A transport that backs off: nothing more is asked of a host that asked to wait (429, 503), whose robots.txt fails (RFC 9309,
 * section 2.3.1.4), or that gave no answer several times in a row. What it is asked for then fails as it did the last time.
 * Make one for each check, so that the next check asks again.
 */
export class BackOff implements Transport {
  readonly #transport: Transport;
  /** By host name. */
  readonly #refused = new Map<string, FetchError>();
  readonly #unanswered = new Map<string, number>();
  readonly #busy = new Map<string, number>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** UTC seconds by host name, from `Retry-After`. Grows with each request. */
  get busy(): ReadonlyMap<string, number> {
    return this.#busy;
  }

  async get(url: string, validators?: Validators, guard?: RequestGuard): Promise<Answer> {
    // Redirects may lead to another host.
    let asked = url;
    this.#requireOpen(url);
    try {
      const answer = await this.#transport.get(url, validators, async (next) => {
        asked = next;
        this.#requireOpen(next);
        await guard?.(next);
      });
      this.#unanswered.delete(hostOf(answer.url));
      return answer;
    } catch (error) {
      if (error instanceof FetchError) this.#note(hostOf(asked), error);
      throw error;
    }
  }

  #requireOpen(url: string): void {
    const refusal = this.#refused.get(hostOf(url));
    if (refusal !== undefined) throw refusal;
  }

  /** @param host the one that was asked: its robots.txt may be on another one */
  #note(host: string, error: FetchError): void {
    const unanswered =
      error instanceof UnreachableError ? (this.#unanswered.get(host) ?? 0) + 1 : 0;
    this.#unanswered.set(host, unanswered);
    if (unanswered < FETCH_LIMITS.unanswered && !isForTheHost(error)) return;
    for (const name of [host, hostOf(error.url)]) {
      this.#refused.set(name, error);
      if (error instanceof BusyError && error.until !== undefined)
        this.#busy.set(name, error.until);
    }
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}

/** Whether an answer to one request is meant for all of its host. */
function isForTheHost(error: FetchError): boolean {
  if (error instanceof BusyError) return true;
  return error instanceof StatusError && error.status >= 500 && isRobotsTxt(error.url);
}
