import { randomUUID } from "node:crypto";
import { discover, NotFoundError } from "../discover/discover.ts";
import { HarvestError } from "../errors.ts";
import { readDescriptions } from "../read/description/descriptions.ts";
import { readSource } from "../read/read-source.ts";
import { forgetAttempt } from "../store/attempt.ts";
import { documentsOf, type StoredDocuments } from "../store/document.ts";
import { releaseHosts, robotsOf, takeHost } from "../store/host.ts";
import { findSource, type SourceRow } from "../store/source.ts";
import { watchOf } from "../store/watch.ts";
import { beginCheck } from "./begin.ts";
import { checkLists } from "./check-lists.ts";
import { StoppedError, UnexpectedError } from "./errors.ts";
import type { Harvester } from "./harvester.ts";
import { Leases } from "./leases.ts";
import { type Extent, extentOf, isSearchDue, withoutValidators } from "./next-check.ts";
import { type CheckResult, type Finding, tellsChanges } from "./outcome.ts";
import { record } from "./record.ts";
import { CheckTransport } from "./transport.ts";

/** Seconds until a retry, when another worker is asking the source's host. */
const HELD = 5;

/**
 * Checks a source once, due or not (IFCC-0001, "Checking for Updates"), and records its problems.
 */
export async function checkSource(harvester: Harvester, sourceId: number): Promise<CheckResult> {
  const { database, now } = harvester;
  const source = await findSource(database, sourceId);
  if (source === undefined) return { kind: "postponed", until: now() + HELD };
  const token = randomUUID();
  const state = await takeHost(database, source.host, token, now());
  if (typeof state === "object") return { kind: "postponed", until: state.busyUntil };
  if (state !== "free") return { kind: "postponed", until: now() + HELD };
  using leases = new Leases(database);
  leases.add(token);
  const taken = { hosts: [source.host], tokens: [token] };
  try {
    harvester.robots?.learn(await robotsOf(database, taken.hosts));
    await beginCheck(harvester, source);
    const remembered = await documentsOf(database, [source.id]);
    const finding = await examine(harvester, source, remembered.get(source.id) ?? new Map());
    const [result] = await record(harvester, [{ source, token, finding }], taken);
    return result ?? { kind: "postponed", until: now() };
  } catch (error) {
    await forgetAttempt(database, source.id);
    await releaseHosts(database, taken.hosts, taken.tokens);
    if (error instanceof StoppedError) return { kind: "postponed", until: now() };
    throw error;
  }
}

/** Reads a source without recording anything. Throws {@link StoppedError} at a stop. */
export async function examine(
  harvester: Harvester,
  source: SourceRow,
  remembered: StoredDocuments,
): Promise<Finding> {
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

/** Reads what the author tells; where that is nothing, and a follower wants it, the site's lists of pages. */
async function read(
  harvester: Harvester,
  source: SourceRow,
  remembered: StoredDocuments,
): Promise<Finding> {
  const { transport, now, signal } = harvester;
  const extent = extentOf(source, now());
  const { isPatient } = extent;
  const asking = new CheckTransport(transport, { now, isPatient, signal });
  const { busy } = asking;
  const watch = source.from_lists === 1 ? await watchOf(harvester.database, source.id) : undefined;
  const isSearched = isSearchDue(source, watch, now());
  const told = isSearched
    ? await readTold(harvester, asking, { source, remembered, extent })
    : { descriptionUrl: undefined, read: undefined, error: undefined, remembered, busy };
  const isSilent = told.error === undefined || told.error instanceof NotFoundError;
  if (source.from_lists === 0 || !isSilent || tellsChanges(source, told)) return told;
  try {
    const named =
      told.read?.reading.collections.flatMap(({ resourceListUrl = [] }) => resourceListUrl) ?? [];
    const about = { source, extent, named, before: watch, isSearched };
    const lists = await checkLists(harvester, asking, about);
    return { ...told, lists, error: lists.problem };
  } catch (thrown) {
    if (thrown instanceof StoppedError) throw thrown;
    return { ...told, error: asError(source, thrown) };
  }
}

function asError(source: SourceRow, thrown: unknown): HarvestError {
  return thrown instanceof HarvestError
    ? thrown
    : new UnexpectedError(source.address ?? "", thrown);
}

interface ToldRequest {
  readonly source: SourceRow;
  readonly remembered: StoredDocuments;
  readonly extent: Extent;
}

async function readTold(
  { settings: options, now }: Harvester,
  asking: CheckTransport,
  { source, remembered, extent: { isShort, isUnconditional } }: ToldRequest,
): Promise<Finding> {
  const { busy } = asking;
  let descriptionUrl = source.description_url ?? undefined;
  const nothing = { read: undefined, error: undefined, remembered, busy };
  try {
    descriptionUrl ??= await discover(asking, source.address ?? "");
    const reading = await readSource(asking, {
      descriptionUrl,
      remembered,
      options,
      now,
      isShort,
      isUnconditional,
    });
    if (reading === undefined) return { ...nothing, descriptionUrl };
    const known = isUnconditional ? withoutValidators(remembered) : remembered;
    const descriptions = await readDescriptions(asking, reading, known);
    const { interruption, collections } = reading;
    const error = interruption ?? collections.find(({ problem }) => problem !== undefined)?.problem;
    return { descriptionUrl, read: { reading, descriptions }, error, remembered, busy };
  } catch (thrown) {
    if (thrown instanceof StoppedError) throw thrown;
    const error = asError(source, thrown);
    return { descriptionUrl, read: undefined, error, remembered, busy };
  }
}
