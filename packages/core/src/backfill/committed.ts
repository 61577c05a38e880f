import { join } from "node:path";
import { draftFirst, type FirstLogs } from "../derive/first-publication.ts";
import { pastFromGit } from "../gather/first-publication.ts";
import { readTree } from "../git/blobs.ts";
import { startLog } from "../git/log.ts";
import type { Repository } from "../git/repository.ts";
import type { GitHistory } from "../history/explanations.ts";
import { treeWithLinks } from "../history/linked-files.ts";
import { pageFiles } from "../history/page-files.ts";
import type { Inventory } from "../model/resources.ts";
import type { Settings } from "../options/settings.ts";
import type { CommitLine, PastCommit } from "./commits/commits.ts";
import type { WorkFolder } from "./commits/worktree.ts";
import { missingVersionsError } from "./errors.ts";
import type { PastSettings } from "./options.ts";
import { inventoryOf } from "./replay/commit-states.ts";

/** The newest commit of a line, checked out. */
export interface CommittedSite {
  readonly newest: PastCommit;
  readonly checkout: string;
  /** The folder of the pages in it. */
  readonly folder: string;
  readonly inventory: Inventory;
}

/** @throws {EmitError} when the newest commit cannot be read */
export async function readCommitted(
  settings: Settings,
  newest: PastCommit,
  folder: string,
  work: WorkFolder,
): Promise<CommittedSite> {
  const worktree = work.borrow();
  await worktree.checkOut(newest.id);
  const path = join(worktree.path, folder);
  // The author confirms the folder later.
  const inventory = await inventoryOf({ ...settings, anyFolder: true }, path, () => undefined);
  return { newest, checkout: worktree.path, folder: path, inventory };
}

/**
 * The log of a committed folder: what git says of it, as for a first publication of its newest commit.
 * @throws {EmitError} `MISSING_VERSIONS` where no remote has what a partial clone lacks
 */
export async function committedLogs(
  settings: Settings,
  { newest, inventory, ...site }: CommittedSite,
  { publicationOf }: CommitLine,
  author: Repository,
  { allowSkipped }: Pick<PastSettings, "allowSkipped">,
  present: number,
): Promise<FirstLogs> {
  const git = await historyUpTo({ newest, inventory, ...site }, author, settings.messages);
  const line = { publicationOf, time: newest.time };
  const past = await pastFromGit(settings, {}, inventory, git, present, line);
  if (past.unread > 0 && !allowSkipped) throw missingVersionsError(past.unread);
  return draftFirst(settings, inventory, { past, imported: [], gone: [] }, present);
}

/** Links lead where they do in the checkout; the author's repository has the commits, and may fetch versions. */
async function historyUpTo(
  { newest, checkout, folder, inventory }: CommittedSite,
  author: Repository,
  messages: boolean,
): Promise<GitHistory> {
  const repository = { ...author, head: newest.id };
  const log = startLog(repository, messages);
  const tree = await readTree(repository);
  const parts = [{ repository, prefix: "", tree, edits: new Map(), log }];
  const here = { ...repository, root: checkout };
  const reading = { repository: here, tree: treeWithLinks(here, parts), parts, lacking: [] };
  const files = pageFiles({ kind: "own" }, reading, folder, inventory);
  return { kind: "git", reading, files };
}
