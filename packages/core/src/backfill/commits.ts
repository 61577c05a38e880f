import { secondsOf } from "@rs-emit/documents";
import { dayOf } from "@rs-emit/feeds";
import { GitFailedError } from "../git/errors.ts";
import { ask, runGit } from "../git/process.ts";
import type { Repository } from "../git/repository.ts";
import { timesInOrder } from "../history/commit-clock.ts";
import type { PublishedCommit } from "../history/page-history.ts";
import { mention, sentence } from "../model/sentence.ts";
import { noLineError, noPastError } from "./errors.ts";
import type { FolderOf } from "./page-folders.ts";

interface CommitScope {
  /** A local branch or one of `origin`; by default HEAD. */
  readonly branch: string | undefined;
  /** A commit or a date, which is not part of the line. */
  readonly since: string | undefined;
  /** `day`: only the last commit of each UTC day. */
  readonly every: "commit" | "day";
}

export interface CommitLine {
  /** The commit before the first; absent where the line starts with the repository. */
  readonly baseline: PastCommit | undefined;
  readonly commits: readonly PastCommit[];
  /** With which commit of the line readers got any commit; `undefined` up to the baseline. */
  readonly publicationOf: (commit: string) => PastCommit | undefined;
}

/** @throws {EmitError} `NO_PAST` `NO_LINE` */
export async function readCommitLine(
  repository: Repository,
  scope: CommitScope,
  present: number,
): Promise<CommitLine> {
  const { root } = repository;
  const tip = await tipOf(repository, scope.branch);
  const format = "--format=%H %ct %s";
  const args = ["log", "-z", "--first-parent", "--encoding=UTF-8", format, tip, "--"];
  const read = (await runGit(root, args))
    .split("\0")
    .filter((record) => record !== "")
    .map(parseCommit)
    .reverse();
  const times = timesInOrder(
    read.map(({ time }) => time),
    present,
  );
  const all = read.map((commit, at) => ({ ...commit, time: times[at] ?? commit.time }));
  if (all.length < 2) {
    const name = scope.branch === undefined ? "The repository" : `The branch ${scope.branch}`;
    throw noPastError(
      `${name} has one commit only, so it holds no past.`,
      [
        "Many deploy tools replace their branch at each deploy.",
        sentence`Read the commits that the site was built from instead, with the option ${mention("build")}.`,
      ],
      "build",
    );
  }
  const first = scope.since === undefined ? 0 : await firstAfter(root, scope.since, all);
  const selected = all.slice(first);
  const commits = scope.every === "day" ? lastOfEachDay(selected) : selected;
  const published = new Set(commits);
  const publications = new Map<string, PastCommit>();
  let next: PastCommit | undefined;
  for (const commit of selected.toReversed()) {
    if (published.has(commit)) next = commit;
    if (next !== undefined) publications.set(commit.id, next);
  }
  return {
    baseline: all[first - 1],
    commits,
    publicationOf: (commit) => publications.get(commit),
  };
}

/** Drops commits with the same files as the previous one, and commits at the ends without files. */
export async function withoutRepeats(
  repository: Repository,
  { baseline, commits, publicationOf }: CommitLine,
  folderOf: FolderOf,
): Promise<CommitLine> {
  const all = baseline === undefined ? commits : [baseline, ...commits];
  const contents = await contentsOf(repository, all, folderOf);
  const last = contents.findLastIndex((content) => content !== "");
  const kept = all.filter(
    (_, position) => position <= last && contents[position] !== (contents[position - 1] ?? ""),
  );
  if (baseline === undefined || contents[0] === "") {
    if (kept.length > 0) return { baseline: undefined, commits: kept, publicationOf };
  } else if (kept.length > 1) {
    return { baseline, commits: kept.slice(1), publicationOf };
  }
  const place = folderOf(all.at(-1)?.id ?? "") || "the repository";
  if (baseline !== undefined) {
    throw noPastError(
      `No commit after ${baseline.id.slice(0, 10)} changed anything in ${place}.`,
      sentence`Name an earlier commit or date with the option ${mention("since")}, or leave it out.`,
      "since",
    );
  }
  throw noPastError(
    `No commit changed anything in ${place}.`,
    sentence`If the site is built, and its folder is not committed, build each commit with the option ${mention("build")}.`,
    "build",
  );
}

/** One text for each commit, equal for equal files; `""` where the folder is empty or missing. */
async function contentsOf(
  { root }: Repository,
  commits: readonly PastCommit[],
  folderOf: FolderOf,
): Promise<readonly string[]> {
  // The folder may be a link: its own id does not change with the files behind it.
  const [trees, whole] = await Promise.all([
    idsOf(
      root,
      commits.map(({ id }) => (folderOf(id) === "" ? `${id}^{tree}` : `${id}:${folderOf(id)}`)),
    ),
    idsOf(
      root,
      commits.map(({ id }) => `${id}^{tree}`),
    ),
  ]);
  return trees.map((answer, position) => {
    if (answer.endsWith("missing")) return "";
    return answer.startsWith("tree ") ? answer : (whole[position] ?? "");
  });
}

async function idsOf(root: string, names: readonly string[]): Promise<readonly string[]> {
  const input = names.map((name) => `${name}\n`);
  const check = ["cat-file", "--batch-check=%(objecttype) %(objectname)"];
  const answer = await runGit(root, check, { input });
  return answer.trimEnd().split("\n");
}

async function tipOf({ root, head }: Repository, branch: string | undefined): Promise<string> {
  if (branch === undefined) {
    if (head !== undefined) return head;
    throw noPastError("The repository has no commits.", "Commit the site first.");
  }
  const names = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  const format = "--format=%(objectname) %(refname)";
  const refs = (await ask(root, ["for-each-ref", format, ...names])).split("\n");
  for (const name of names) {
    const ref = refs.find((one) => one.endsWith(` ${name}`));
    if (ref !== undefined) return ref.slice(0, ref.indexOf(" "));
  }
  throw noLineError(
    "branch",
    `There is no branch ${branch}, neither here nor at origin.`,
    sentence`Fetch it (git fetch origin ${branch}:refs/remotes/origin/${branch}), or check the option ${mention("branch")}.`,
  );
}

function parseCommit(record: string): PastCommit {
  const [id = "", time, ...subject] = record.split(" ");
  return { id, time: Number(time), subject: subject.join(" ") };
}

async function firstAfter(root: string, since: string, line: readonly PastCommit[]) {
  const time = secondsOf(since);
  if (time !== undefined) {
    const position = line.findIndex((commit) => commit.time >= time);
    return position < 0 ? line.length : position;
  }
  const id = await resolveCommit(root, since);
  const position = line.findIndex((commit) => commit.id === id);
  if (position >= 0) return position + 1;
  throw noLineError(
    "since",
    `${since} is neither a commit of the first-parent line nor a date such as 2026-10-05.`,
    sentence`Check the option ${mention("since")}.`,
  );
}

async function resolveCommit(root: string, name: string): Promise<string | undefined> {
  try {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
    return (await ask(root, args)).trim();
  } catch (error) {
    if (error instanceof GitFailedError) return undefined;
    throw error;
  }
}

const DAY = 86_400;

function lastOfEachDay(commits: readonly PastCommit[]): PastCommit[] {
  return commits.filter(({ time }, position) => {
    const next = commits[position + 1];
    return next === undefined || Math.floor(next.time / DAY) !== Math.floor(time / DAY);
  });
}

export interface PastCommit extends PublishedCommit {
  readonly id: string;
}

export interface SkippedCommit {
  readonly commit: string;
  readonly time: number;
  readonly subject: string;
  /** The line of the build's output that names the error, or why its pages could not be read. */
  readonly reason: string;
}

export function skippedCommit({ id, time, subject }: PastCommit, reason: string): SkippedCommit {
  return { commit: id, time, subject, reason };
}

/** `abc1234 of 5 October 2026 “Add moss” (Error: no such filter)`. */
export function nameOfSkipped({ commit, time, subject, reason }: SkippedCommit): string {
  return `${commit.slice(0, 7)} of ${dayOf(time)} “${subject}” (${reason})`;
}
