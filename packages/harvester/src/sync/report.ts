import type { HarvestError } from "../errors.ts";

/** Something about one resource that a sync could not do, or an audit found wrong. */
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
