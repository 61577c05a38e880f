import type { EntryMode } from "@rs-emit/feeds";
import type { Kysely } from "kysely";
import type { Transport } from "../http/answer.ts";
import type { RobotsMemory } from "../http/robots-memory.ts";
import type { Schema } from "../store/schema.ts";

/** What checks need, and how they are to be made. */
export interface Harvester {
  readonly database: Kysely<Schema>;
  /** How documents of a source are asked for. */
  readonly transport: Transport;
  readonly settings: HarvesterSettings;
  /** UTC seconds. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Breaks off checks: what waits for an answer is let go of. */
  readonly signal?: AbortSignal | undefined;
  /** What is known of robots.txt, where `transport` respects it; hosts keep it in the database. */
  readonly robots?: RobotsMemory | undefined;
}

/** What whoever runs a harvester decides. */
export interface HarvesterSettings {
  readonly entries: EntryMode;
  /** Minor changes are told as well. */
  readonly withMinor: boolean;
  /** Entries without `datetime` happened at their `lastmod`; IFCC-0001 ignores them. */
  readonly useLastmod: boolean;
  /** A source may speak for other hosts where it says that a collection of it is there. */
  readonly allowOtherHosts: boolean;
  /** Seconds between checks of a source that has no interval of its own. */
  readonly interval: number;
  /** A hub is to be told of feeds that have changed. */
  readonly hasHub: boolean;
}

export const DEFAULT_SETTINGS: HarvesterSettings = {
  entries: "publication",
  withMinor: false,
  useLastmod: false,
  allowOtherHosts: false,
  interval: 86_400,
  hasHub: false,
};
