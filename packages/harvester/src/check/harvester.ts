import { setTimeout as pause } from "node:timers/promises";
import type { EntryMode } from "@rs-emit/feeds";
import type { RobotsMemory, Transport } from "@rs-emit/reader";
import type { Database } from "../store/schema.ts";

export interface Harvester {
  readonly database: Database;
  readonly transport: Transport;
  readonly settings: HarvesterSettings;
  /** UTC seconds. */
  readonly now: () => number;
  /** Seconds of a clock that runs, where `now` stands still. */
  readonly elapsed?: (() => number) | undefined;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Seconds of processor time that this thread has used, if not by the system's account. */
  readonly processorTime?: (() => number) | undefined;
  /** Aborts checks, and the requests they wait for. */
  readonly signal?: AbortSignal | undefined;
  /** How a pause passes, if not by the system's clock. */
  readonly wait?: typeof wait | undefined;
  /** The known robots.txt files, if `transport` respects them. The database keeps them per host. */
  readonly robots?: RobotsMemory | undefined;
}

export interface HarvesterSettings {
  readonly entries: EntryMode;
  readonly withMinor: boolean;
  /** Entries without `datetime` use their `lastmod`; IFCC-0001 ignores them. */
  readonly useLastmod: boolean;
  /** A source may list collections on other hosts. */
  readonly allowOtherHosts: boolean;
  /** Seconds between checks of a source without an interval of its own. */
  readonly interval: number;
  readonly hasHub: boolean;
  /** Pages that the lists of a site may name, if not those of `LIST_LIMITS`. */
  readonly maxPages?: number | undefined;
}

/** What a decision depends on besides the facts and what is stored. */
export interface Circumstances {
  readonly settings: HarvesterSettings;
  /** UTC seconds. */
  readonly now: number;
  /** From 0 up to 1. Spreads checks that would coincide. */
  readonly random: number;
}

export const DEFAULT_SETTINGS: HarvesterSettings = {
  entries: "publication",
  withMinor: false,
  useLastmod: false,
  allowOtherHosts: false,
  interval: 86_400,
  hasHub: false,
};

/** Waits until that many milliseconds have passed, or the signal aborts. */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => {});
}

/** Milliseconds between two sources of one host: a thousand sites on one server are not one site to it. */
const BETWEEN_SOURCES = 200;

/**
 * The sources of one host, one after another, with a pause between two.
 *
 * @param areMore others follow at once
 */
export async function* inTurn<Source>(
  { wait: pass = wait, signal }: Pick<Harvester, "wait" | "signal">,
  sources: readonly Source[],
  areMore = false,
): AsyncGenerator<Source> {
  for (const [at, source] of sources.entries()) {
    yield source;
    if (areMore || at < sources.length - 1) await pass(BETWEEN_SOURCES, signal);
  }
}
