import { count, printable, printableJson } from "@rs-emit/documents";
import { timestamp } from "@rs-emit/feeds";
import {
  countOf,
  HEALTHS,
  isUnfollowed,
  type StandingCounts,
  standingsText,
} from "../health-names.ts";
import { Causes, causeLine, causeOf, type Problem } from "../problem-causes.ts";
import { nextDue } from "../store/following/next-check.ts";
import { sites } from "../store/pages/exported-sites.ts";
import { countHealth } from "../store/pages/health.ts";
import type { Condition, Database } from "../store/schema.ts";

export type LogFormat = "text" | "json";

/** Writes an event for the operator, as a line of text or of JSON. */
export function eventWriter(format: LogFormat, write: (line: string) => void): WriteEvent {
  return (text, event) =>
    write(format === "json" ? `${printableJson(event, 0)}\n` : `${printable(text)}\n`);
}

/** @param event the same for programs */
export type WriteEvent = (text: string, event: ServiceEvent) => void;

interface ServiceEvent {
  /** W3C datetime. */
  readonly time: string;
  readonly event: "start" | "polling" | "round" | "trouble" | "problem";
  readonly [detail: string]: unknown;
}

/** Between two lines there is an hour at least. */
const HOUR = 3600;

interface Round {
  readonly counts: StandingCounts;
  readonly next: number | undefined;
}

interface Checked {
  readonly address: string;
  readonly changes: number;
  /** Why the check failed. */
  readonly problem?: Problem | undefined;
  /** How the source does now: one without a change log is counted, and does not fail. */
  readonly condition?: Condition | undefined;
}

interface RoundLogOptions {
  readonly database: Database;
  readonly write: WriteEvent;
  /** Seconds between the checks of a source: within them each one was checked. */
  readonly interval: number;
  readonly now: () => number;
}

/** Says after each round of checks, once an hour at most, what this process checked and found. */
export class RoundLog {
  readonly #options: RoundLogOptions;
  /** What is wrong with each checked site since its last check. */
  readonly #sites = new Map<string, string | undefined>();
  #changes = 0;
  /** UTC seconds of the last line, or of the start. */
  #since: number;
  #isFirst = true;

  constructor(options: RoundLogOptions) {
    this.#options = options;
    this.#since = options.now();
  }

  checked({ address, changes, problem, condition }: Checked): void {
    const isFailure =
      problem !== undefined && (condition === undefined || !isUnfollowed(condition));
    this.#sites.set(address, isFailure ? causeOf(problem) : undefined);
    this.#changes += changes;
  }

  /** Writes what is to be said by now. The first round is reported as soon as it is over. */
  async look(): Promise<void> {
    const { database, interval, now } = this.#options;
    const time = now();
    const silence = Math.abs(time - this.#since);
    if (this.#sites.size === 0 || (!this.#isFirst && silence < HOUR)) return;
    const next = await nextDue(database);
    // Of very many sources some are always due.
    const isOver = next === undefined || next > time || silence >= interval;
    if (!isOver) return;
    this.#write({ counts: await countHealth(sites(database)), next }, timestamp(time));
    this.#since = time;
    this.#isFirst = false;
    this.#sites.clear();
    this.#changes = 0;
  }

  #write({ counts, next }: Round, time: string): void {
    const { write } = this.#options;
    const nextCheck = next === undefined ? undefined : timestamp(next);
    const checked = this.#sites.size;
    const changes = this.#changes;
    const health = Object.fromEntries(HEALTHS.map((one) => [one, countOf(counts, one)]));
    const total = countOf(counts);
    write(
      `${time} Checked ${count(checked, "site")}: ${count(changes, "change")}. ` +
        (total === 0 ? "No site is followed any more." : `${standingsText(counts)}.`) +
        (nextCheck === undefined ? "" : ` Next check: ${nextCheck}.`),
      { time, event: "round", checked, changes, sources: total, health, next: nextCheck },
    );
    const failures = new Causes();
    for (const [address, cause] of this.#sites) {
      if (cause !== undefined) failures.add(cause, address);
    }
    for (const one of failures) {
      write(`${time} ${causeLine(one)}`, { time, event: "trouble", ...one });
    }
  }
}
