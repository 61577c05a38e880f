import { refusalOf } from "./answer.ts";
import { Client, type ClientOptions } from "./client.ts";
import { Deadline } from "./exchange.ts";
import { followRedirect, startChain } from "./redirect-chain.ts";

export interface Poster {
  /** Follows 307 and 308 (WebSub, section 5.1.2). Throws {@link FetchError} for all but 2xx. */
  post(url: string, form: URLSearchParams): Promise<void>;
  close(): Promise<void>;
}

/** Requests are guarded as those for documents are, unless `allowPrivate`. */
export function openPoster(options: ClientOptions = {}): Poster {
  const client = new Client(options);
  return { post: (url, form) => post(client, url, form), close: () => client.close() };
}

async function post(client: Client, url: string, form: URLSearchParams): Promise<void> {
  const request = { method: "POST", headers: HEADERS, body: form.toString() } as const;
  const deadline = new Deadline(client.limits);
  let chain = startChain(url);
  for (;;) {
    const exchange = await client.send(chain.url, request, deadline);
    await exchange.discard();
    const { status } = exchange;
    if (status >= 200 && status < 300) return;
    const location = exchange.header("location");
    if (!KEEPS_METHOD.has(status) || location === undefined) {
      throw refusalOf(exchange, client.limits, client.now());
    }
    chain = followRedirect(chain, status, location, client.limits.redirects);
  }
}

const HEADERS = { "content-type": "application/x-www-form-urlencoded" };

/** They repeat the POST. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);
