import type { Transport } from "../http/transport.ts";
import type { CopyState } from "./copy-state.ts";
import type { Filter } from "./filter.ts";
import type { CopyFolder } from "./folder.ts";
import type { Tally } from "./report.ts";
import type { Source } from "./source.ts";
import type { WorkingSet } from "./working-set.ts";

export interface SyncRequest {
  readonly address: string;
  readonly folder: string;
  /** Compare everything by hash, and write nothing. */
  readonly audit?: boolean | undefined;
  /** List what would be done, and write nothing. */
  readonly dryRun?: boolean | undefined;
  readonly delete?: boolean | undefined;
  readonly allowMassDelete?: boolean | undefined;
  /** Collections that are copied, by URL or name; all where there is none. */
  readonly collection: readonly string[];
  /** Globs on paths of URLs. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly otherHosts?: boolean | undefined;
  /** Packages of dumps are used where the source has some. */
  readonly dump: boolean;
}

export interface SyncTools {
  readonly documents: Transport;
  /** Asks for resources, byte for byte; a few of a host at a time. */
  readonly files: Transport;
  /** UTC seconds. */
  readonly now: () => number;
  readonly progress: { start(resources: number, doing: string): void; advance(): void };
  /** Called for each file that is changed, or would be by a dry run. */
  readonly onChange: (action: "create" | "update" | "delete", url: string) => void;
}

/** One run: the request, the site, and its copy. */
export interface Run {
  readonly request: SyncRequest;
  readonly tools: SyncTools;
  readonly source: Source;
  readonly state: CopyState;
  readonly working: WorkingSet;
  readonly folder: CopyFolder;
  readonly filter: Filter;
  readonly tally: Tally;
}

/** A run that changes no file of the copy. */
export function isDry({ request }: Run): boolean {
  return request.dryRun === true;
}
