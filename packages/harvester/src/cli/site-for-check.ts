import {
  type Answer,
  commonAddress,
  NoAnswerError,
  type Site,
  uniqueAddress,
} from "@rs-emit/check";
import {
  ACCEPTED_CODINGS,
  type Client,
  type ClientResponse,
  FetchError,
  inHttps,
  isHttp,
  OptedOutError,
  REDIRECTS,
  type RequestGuard,
} from "@rs-emit/reader";

/**
 * A site as `rs-harvest check` judges it. It is asked as by every other command, with the same bounds; statuses, redirects
 * and headers are kept.
 *
 * @param start where it was found; if that is by https, all of it is asked so
 */
export function judgedSite(client: Client, guard: RequestGuard, start: string): Site {
  return {
    isLive: true,
    async get(url, pastCaches = false) {
      const asked = isHttp(start) ? url : inHttps(url);
      try {
        const response = await client.send(pastCaches ? uniqueAddress(asked) : asked, {
          method: "GET",
          headers: { ...HEADERS, ...(pastCaches ? PAST_CACHES : {}) },
          redirects: REDIRECTS,
          guard,
          unpack: false,
        });
        return await answerOf(response, client);
      } catch (error) {
        throw noAnswer(url, error);
      }
    },
  };
}

const HEADERS = { accept: "*/*", "accept-encoding": ACCEPTED_CODINGS };
const PAST_CACHES = { "cache-control": "no-cache", pragma: "no-cache" };

async function answerOf(
  { exchange, chain: { url, passed, statuses } }: ClientResponse,
  { limits }: Client,
): Promise<Answer> {
  const { status } = exchange;
  if (status !== 200) await exchange.discard();
  const places = [...passed.slice(1), url];
  return {
    status,
    redirects: statuses.map((one, at) => ({ status: one, to: commonAddress(places[at] ?? url) })),
    header: (name) => exchange.headerList(name),
    body: status === 200 ? read(url, exchange.read(limits)) : [],
  };
}

async function* read(url: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw noAnswer(url, error);
  }
}

function noAnswer(url: string, error: unknown): unknown {
  if (!(error instanceof FetchError)) return error;
  if (error instanceof OptedOutError) {
    return new NoAnswerError(url, "is not asked: robots.txt forbids it", error);
  }
  const reason = error.message.replace(`${error.url} `, "").replace(/\.$/, "");
  return new NoAnswerError(error.url, reason, error);
}
