import { setTimeout as sleep } from "node:timers/promises";
import { bodyWithin, wholeBodyWithin } from "@rs-emit/documents";

export interface HostRequest extends Pick<RequestInit, "method" | "body" | "redirect"> {
  readonly headers?: Readonly<Record<string, string>>;
  /** For the answer, and again for its body. */
  readonly milliseconds?: number;
  /** Bytes of the body, decoded. */
  readonly bytes?: number;
  /** Differs from what caches know: they include the query in their key. */
  readonly pastCaches?: string;
  /** The statuses that are worth another attempt; 0 is no answer. By default those of a busy host, and none of a POST. */
  readonly again?: (status: number) => boolean;
}

export interface HostAnswer extends Pick<Response, "status" | "ok" | "headers"> {
  /** Where the status is no success, only its beginning. */
  readonly body: Buffer;
}

/** Seconds before each new attempt, unless the host sends `Retry-After`. */
const PAUSES = [1, 5, 15];

/** Seconds. If a host asks for a longer pause, the run stops asking. */
const LONGEST_PAUSE = 60;

const PAST_CACHES = { "cache-control": "no-cache", pragma: "no-cache" };

/**
 * Every request of the author's side: bounded in time and size. Requests up to three times more while a host
 * answers 429 or 5xx, as hosts do for some seconds after a deploy. Pauses as `Retry-After` says (RFC 9110,
 * section 10.2.3).
 * @returns the first answer with another status, or the last answer
 * @throws the errors of `fetch`, `TimeoutError`, and RangeError for a body that is too large
 */
export async function askHost(
  address: string | URL,
  {
    milliseconds = 30_000,
    bytes = 64_000_000,
    pastCaches,
    headers,
    again,
    ...init
  }: HostRequest = {},
): Promise<HostAnswer> {
  const url = new URL(address);
  if (pastCaches !== undefined) url.searchParams.set("rs-emit", pastCaches);
  const past = pastCaches === undefined ? {} : PAST_CACHES;
  const ask = () =>
    fetch(url, {
      ...init,
      headers: { "user-agent": "rs-emit", ...past, ...headers },
      signal: AbortSignal.timeout(milliseconds),
    });
  const response = await repeated(ask, again ?? (init.method === "POST" ? never : isBusy));
  const { status, ok } = response;
  const body = await (ok
    ? wholeBodyWithin(response.body, milliseconds, bytes)
    : firstBytes(response.body));
  return { status, ok, headers: response.headers, body };
}

export const never = () => false;

export function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}

async function repeated(
  ask: () => Promise<Response>,
  again: (status: number) => boolean,
): Promise<Response> {
  for (const pause of PAUSES) {
    const response = await ask().catch((error: unknown) => {
      if (!again(0)) throw error;
    });
    const seconds = (response && secondsAsked(response)) ?? pause;
    const mayChange = again(response?.status ?? 0) && seconds <= LONGEST_PAUSE;
    if (response !== undefined && !mayChange) return response;
    await response?.body?.cancel();
    await sleep(seconds * 1000);
  }
  return ask();
}

/** `Retry-After` is a number of seconds or a date. */
function secondsAsked({ headers }: Response): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/** What a host says beside a failure: as much as it sends within 5 s, up to 64 KiB. */
async function firstBytes(body: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of bodyWithin(body, 5_000)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= 65_536) break;
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(chunks);
}

/** Why a request had no answer: `fetch` hides the reason in the error's cause. */
export function reasonOfSilence(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
