import {
  type CheckedSite,
  check,
  commonAddress,
  exitStatusOf,
  NoAnswerError,
  type ReportFormat,
  type Sample,
  type Site,
  type SiteAnswer,
  uniqueAddress,
  writeReport,
} from "@rs-emit/check";
import {
  discover,
  FetchError,
  inHttps,
  isHttp,
  normalizeAddress,
  OptedOutError,
  plainNotice,
  type Requester,
  type RequestGuard,
  type Transport,
} from "@rs-emit/reader";
import { ACCEPTED_CODINGS } from "@rs-emit/reader/http/body";
import { Client, type ClientResponse, REDIRECTS } from "@rs-emit/reader/http/client";
import { robotsGuard } from "@rs-emit/reader/http/robots";
import { transportOver } from "@rs-emit/reader/http/transport";
import { EXIT } from "./errors.ts";
import { type OutputStreams, painterOf } from "./terminal.ts";

interface CheckOptions extends Requester {
  readonly site: string;
  readonly sample: Sample;
  readonly format: ReportFormat;
  readonly strict?: boolean | undefined;
}

/**
 * Returns the exit status: 1 for errors, with `--strict` for warnings too.
 * @throws {HarvestError} if no publication is found
 */
export async function checkPublication(
  given: CheckOptions,
  { stdout, stderr }: OutputStreams,
): Promise<number> {
  const result = await judge(given, (notice) => stderr.write(`${notice}\n`));
  stdout.write(writeReport(result, given.format, painterOf(stdout)));
  return exitStatusOf(result, given.strict ?? false) === 0 ? EXIT.done : EXIT.failed;
}

async function judge(
  { site, sample, ...requester }: CheckOptions,
  note: (notice: string) => void,
): Promise<CheckedSite> {
  const client = new Client(requester);
  try {
    const unasked = transportOver(client);
    const guard = robotsGuard(unasked);
    const transport: Transport = { get: (url, validators) => unasked.get(url, validators, guard) };
    const description = await discover(transport, site);
    const notice = plainNotice(normalizeAddress(site), description);
    if (notice !== undefined) note(notice);
    return await check({ site: judgedSite(client, guard, description), description, sample });
  } finally {
    await client.close();
  }
}

/**
 * A site as `rs-harvest check` judges it. It is asked as by every other command, with the same bounds; statuses, redirects
 * and headers are kept.
 *
 * @param start where it was found; if that is by https, all of it is asked so
 */
function judgedSite(client: Client, guard: RequestGuard, start: string): Site {
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
): Promise<SiteAnswer> {
  const { status } = exchange;
  if (status !== 200) await exchange.discard();
  const places = [...passed.slice(1), url];
  return {
    status,
    redirects: statuses.map((one, at) => ({ status: one, to: commonAddress(places[at] ?? url) })),
    header: (name) => exchange.headerList(name),
    body: status === 200 ? readAnswer(url, exchange.read(limits)) : [],
  };
}

async function* readAnswer(
  url: string,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
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
