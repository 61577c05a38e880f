import {
  discover,
  HarvestError,
  inHttps,
  isAbsent,
  isAnswered,
  isBare,
  isHttp,
  keepScheme,
  NotFoundError,
  type RequestGuard,
  reasonOf,
  type Transport,
  UnreachableError,
  type Validators,
} from "@rs-emit/reader";
import { BackOff } from "@rs-emit/reader/http/back-off";
import { type Answer, LONGEST_FRESH } from "@rs-emit/reader/http/transport";
import { readSource } from "@rs-emit/reader/read/read-source";
import { readDescriptions } from "@rs-emit/reader/read/site-descriptions";
import { otherReader } from "../readers/index.ts";
import type { StoredDocuments } from "../store/check/document.ts";
import { databaseErrorOf } from "../store/errors.ts";
import type { SourceRow } from "../store/source.ts";
import { type Facts, publishesChanges } from "./facts.ts";
import type { Harvester } from "./harvester.ts";
import { areAllAbsent, countsLoss, isLost, lossAfter } from "./lost-log.ts";
import { Effort } from "./processor-time.ts";
import { type Besides, NothingToReadError } from "./reader.ts";
import { type Extent, extentOf, isSearchDue, withoutValidators } from "./schedule.ts";

/** Reads a source without recording anything. Throws {@link StoppedError} at a stop. */
export async function readFacts(
  harvester: Harvester,
  source: SourceRow,
  remembered: StoredDocuments,
): Promise<Facts> {
  const { signal } = harvester;
  if (signal === undefined) return read(harvester, source, remembered);
  if (signal.aborted) throw new StoppedError();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new StoppedError());
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([read(harvester, source, remembered), stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Reads what the author publishes; where that is no Change List, and a follower wants it, what else the site publishes. */
async function read(
  harvester: Harvester,
  source: SourceRow,
  remembered: StoredDocuments,
): Promise<Facts> {
  const { transport, now, elapsed, signal, processorTime } = harvester;
  const extent = extentOf(source, now());
  const { trustsFreshness } = extent;
  const effort = new Effort(processorTime);
  const asking = new CheckTransport(transport, { now, elapsed, trustsFreshness, signal, effort });
  const facts = await readThrough(asking, harvester, { source, remembered, extent, effort });
  return { ...facts, effort: effort.seconds };
}

async function readThrough(
  asking: CheckTransport,
  harvester: Harvester,
  request: PublishedRequest,
): Promise<Facts> {
  const { now } = harvester;
  const { source, remembered, extent, effort } = request;
  const { busy } = asking;
  const isSearched = isSearchDue(source, now());
  const published = isSearched
    ? await readPublished(harvester, asking, request)
    : { descriptionUrl: undefined, reading: undefined, error: undefined, remembered, busy };
  const { reading, error } = published;
  const isMissed = isAbsent(error) && countsLoss(source, now());
  const areAbsent = isMissed ? await areAllAbsent(asking, remembered) : undefined;
  const asked = { ...published, areAbsent };
  const hasNone = error === undefined || error instanceof NotFoundError;
  const isReplaced = isAbsent(error) && isLost(lossAfter(source, asked, now()));
  const isLog = !hasNone || publishesChanges(source, published);
  if (isLog && !isReplaced) return asked;
  const { descriptionUrl = "" } = published;
  const named = (reading?.collections ?? [])
    .flatMap(({ resourceListUrl = [] }) => resourceListUrl)
    .map((url) => (isHttp(descriptionUrl) ? url : inHttps(url)));
  const searched = isSearched ? now() : null;
  const searchedAt = source.polls_sitemap === 0 ? undefined : searched;
  try {
    if (searchedAt === undefined) {
      return { ...asked, besides: await besidesOf(asking, request, named) };
    }
    const about = { source, transport: asking, effort, ...extent, named, isSearched };
    const observation = await otherReader.read(harvester, about);
    return { ...asked, searchedAt, observation, error: observation.problem };
  } catch (thrown) {
    if (thrown instanceof StoppedError) throw thrown;
    const besides = thrown instanceof NothingToReadError ? thrown.besides : undefined;
    return { ...asked, searchedAt, error: asError(source, thrown), besides };
  }
}

/**
 * What a site without a Change List publishes besides. A list that was found is believed until somebody has it polled: sites
 * that publish no log are not asked for more than they are worth.
 */
async function besidesOf(
  asking: Transport,
  { source: { address, condition }, extent }: PublishedRequest,
  named: readonly string[],
): Promise<Besides | undefined> {
  if (named.length > 0 || condition === "has-sitemap") return { publishes: "sitemap" };
  return extent.isQuick ? undefined : otherReader.suggest(asking, address ?? "");
}

function asError(source: SourceRow, thrown: unknown): HarvestError {
  if (thrown instanceof HarvestError) return thrown;
  return databaseErrorOf(thrown) ?? unexpectedError(source.address ?? "", thrown);
}

interface PublishedRequest {
  readonly source: SourceRow;
  readonly remembered: StoredDocuments;
  readonly extent: Extent;
  readonly effort: Effort;
}

async function readPublished(
  { settings: options, now, elapsed }: Harvester,
  asking: CheckTransport,
  { source, remembered, extent: { isQuick, isUnconditional } }: PublishedRequest,
): Promise<Facts> {
  const { busy } = asking;
  let descriptionUrl = source.description_url ?? undefined;
  const nothing = { reading: undefined, remembered, busy };
  try {
    descriptionUrl = await descriptionPlace(source, isQuick, asking);
    const transport = keepScheme(asking, descriptionUrl);
    const reading = await readSource(transport, {
      descriptionUrl,
      remembered,
      options,
      now,
      elapsed,
      checks: source.checks_kept + source.checks_without_news + source.unfinished_checks,
      isQuick,
      isUnconditional,
    });
    if (reading === undefined) return { ...nothing, descriptionUrl, error: undefined };
    const known = isUnconditional ? withoutValidators(remembered) : remembered;
    const descriptions = await readDescriptions(transport, reading, known);
    const { interruption, collections } = reading;
    const problems = collections.map(({ problem, listProblem }) => problem ?? listProblem);
    const error = interruption ?? problems.find((problem) => problem !== undefined);
    return { descriptionUrl, reading, descriptions, error, remembered, busy };
  } catch (thrown) {
    if (thrown instanceof StoppedError) throw thrown;
    const error = asError(source, thrown);
    return { ...nothing, descriptionUrl, error };
  }
}

/**
 * Where a Source Description is asked. One that was found by http is asked by https from then on if `https://` was typed, and
 * once a day if a bare name was: http remains only while nothing answers there.
 */
async function descriptionPlace(
  { address, description_url: known }: SourceRow,
  isQuick: boolean,
  transport: Transport,
): Promise<string> {
  if (address === null || known === null) return discover(transport, address ?? "");
  if (!isHttp(known) || isHttp(address)) return known;
  const secure = inHttps(known);
  if (!isBare(address)) return secure;
  return isQuick || !(await isAnswered(transport, secure)) ? known : secure;
}

/** Seconds after which a check sends no more requests. */
const LONGEST = 480;

export interface CheckOptions {
  readonly now: () => number;
  readonly elapsed?: (() => number) | undefined;
  /** Documents that are fresh by `Cache-Control` are not requested. */
  readonly trustsFreshness: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly effort: Effort;
}

class CheckTransport implements Transport {
  readonly #transport: BackOff;
  readonly #options: CheckOptions;
  readonly #elapsed: () => number;
  readonly #end: number;

  constructor(transport: Transport, options: CheckOptions) {
    this.#transport = new BackOff(transport);
    this.#options = options;
    this.#elapsed = options.elapsed ?? options.now;
    this.#end = this.#elapsed() + LONGEST;
  }

  /** UTC seconds by host, from `Retry-After`. */
  get busy(): ReadonlyMap<string, number> {
    return this.#transport.busy;
  }

  /** @throws {StoppedError} if the check was aborted */
  async get(url: string, validators?: Validators, guard?: RequestGuard): Promise<Answer> {
    const { now, trustsFreshness, signal, effort } = this.#options;
    if (signal?.aborted) throw new StoppedError();
    if (this.#elapsed() > this.#end) {
      throw new UnreachableError(url, "was not asked for any more: the check took too long");
    }
    const fresh = (validators?.freshUntil ?? 0) - now();
    if (trustsFreshness && fresh > 0 && fresh <= LONGEST_FRESH) {
      return { status: "unchanged", url, permanentUrl: url };
    }
    const answer = await this.#transport.get(url, validators, guard);
    if (answer.status === "unchanged") return answer;
    return { ...answer, body: effort.ofReading(answer.body) };
  }
}

function unexpectedError(address: string, cause: unknown): HarvestError {
  const reason = reasonOf(cause).replace(/\.?$/, ".");
  const problem = `The harvester itself failed at ${address}: ${reason}`;
  return new HarvestError({ code: "UNEXPECTED", problem, cause });
}

/** The harvester stops. This says nothing about the source. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
  constructor() {
    super("The check was broken off: the harvester stops.");
  }
}
