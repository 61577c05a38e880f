import { decoded, type HarvestError, type RobotsMemory, type Transport } from "@rs-emit/reader";
import picomatch from "picomatch";
import type { CopyState } from "./copy/copy-state.ts";
import type { CopyFolder } from "./copy/folder.ts";
import type { WorkingSet } from "./copy/working-set.ts";
import type { Source } from "./site/source.ts";

export interface SyncRequest {
  readonly address: string;
  readonly folder: string;
  /** Compare everything by hash, and write nothing. */
  readonly audit?: boolean | undefined;
  /** Compare everything by hash, and fetch again what is missing or has other bytes. */
  readonly repair?: boolean | undefined;
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
  /** Bytes are taken from mirrors, where the site states their SHA-256. */
  readonly mirrors?: boolean | undefined;
  /** Packages of dumps are used where the source has some. */
  readonly dump: boolean;
}

export interface SyncTools {
  readonly documents: Transport;
  /** Asks for resources, byte for byte; a few of a host at a time. */
  readonly files: Transport;
  /** What both know of robots.txt. */
  readonly robots: RobotsMemory;
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

export interface Filter {
  /** Identifies the filter: a copy that was made with another one is compared as a whole. */
  readonly name: string;
  includes(url: string): boolean;
}

/**
 * Globs on the paths of URLs below the site's, decoded, as `gallery/**`, or `gallery/` for short. Of a resource
 * elsewhere, the whole URL is compared.
 *
 * @param include what is copied; everything where there is none
 * @param exclude what of that is not
 */
export function filterOf(
  site: string,
  include: readonly string[],
  exclude: readonly string[],
): Filter {
  const [isIncluded, isExcluded] = [include, exclude].map((globs) =>
    picomatch(
      globs.map((glob) => glob.replace(/\/$/, "/**").replace(/^\//, "")),
      { dot: true },
    ),
  );
  return {
    name: JSON.stringify([[...include].sort(), [...exclude].sort()]),
    includes(url) {
      if (include.length === 0 && exclude.length === 0) return true;
      const path = pathWithin(url, site);
      return (include.length === 0 || isIncluded?.(path) === true) && isExcluded?.(path) !== true;
    },
  };
}

/** A folder's own page is `index.html`, as in the copy. */
function pathWithin(url: string, site: string): string {
  const path = url.startsWith(site) ? url.slice(site.length) : url;
  const named = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  return decoded(named) ?? named;
}

/** Something about a resource, or a collection, that a sync could not do, or an audit found wrong. */
interface Problem {
  readonly url: string;
  /** Stable, such as `DIFFERENT`. */
  readonly code: string;
  readonly message: string;
}

/** The result of a sync, counted in resources. */
interface SyncCounts {
  created: number;
  updated: number;
  deleted: number;
  unchanged: number;
  /** Gone from the site, and kept here, since deleting was not asked for. */
  kept: number;
  failed: number;
  /** Bytes that were fetched, without compression. */
  bytes: number;
}

/** What an audit found, counted in resources. */
export interface AuditCounts {
  unchanged: number;
  /** Files with other bytes than the site states, or than sync wrote. */
  different: number;
  missing: number;
  /** Files of resources that the site does not have any more. */
  extra: number;
  /** The site states no hash of them; they are as sync wrote them. */
  cannotBeAudited: number;
  /** Other files in the folder, which sync did not write. */
  foreign: number;
}

export interface SyncReport {
  readonly site: string;
  readonly counts: SyncCounts | AuditCounts;
  readonly isInSync: boolean;
  /** The first thousand; the counts have all. */
  readonly problems: readonly Problem[];
  /** For the user, besides problems. */
  readonly notes: readonly string[];
}

const LISTED = 1000;

export class Problems {
  readonly list: Problem[] = [];
  count = 0;

  add(url: string, { code, message }: Pick<HarvestError, "code" | "message">): void {
    this.count += 1;
    if (this.list.length < LISTED) this.list.push({ url, code, message });
  }
}

export class Tally {
  readonly counts: SyncCounts = {
    created: 0,
    updated: 0,
    deleted: 0,
    unchanged: 0,
    kept: 0,
    failed: 0,
    bytes: 0,
  };
  readonly problems = new Problems();

  fail(url: string, error: HarvestError): void {
    this.counts.failed += 1;
    this.problems.add(url, error);
  }
}
