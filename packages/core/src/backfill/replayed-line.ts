import { urlKey } from "@rs-emit/documents";
import { excludedDigests, type Plan } from "../derive/plan.ts";
import type { Repository } from "../git/repository.ts";
import type { EmitOptions } from "../model/emit-options.ts";
import type { BackfillEnvironment } from "../model/environment.ts";
import { ON_DEMAND } from "../model/resources.ts";
import type { Settings } from "../model/settings.ts";
import type { Recalled } from "../recall/publication.ts";
import { type CommitReader, type Outcome, readCommits } from "./commit-states.ts";
import type { CommitLine, PastCommit, SkippedCommit } from "./commits.ts";
import { backfillNotes } from "./notes.ts";
import type { Past } from "./options.ts";
import type { BackfillProgress, ProgressFile, SavedProgress } from "./progress-file.ts";
import { Replay } from "./replay.ts";
import type { WorkFolder } from "./worktree.ts";

export interface Work {
  readonly past: Past;
  readonly options: EmitOptions;
  readonly environment: BackfillEnvironment;
  readonly repository: Repository;
  readonly line: CommitLine;
  readonly work: WorkFolder;
  readonly reader: CommitReader;
}

interface ReplayedLine {
  readonly replay: Replay;
  readonly skipped: readonly SkippedCommit[];
  readonly passedOver: number;
}

/** Git checks out one commit of a committed folder while another is read. */
const CHECKOUTS = 2;

export async function replayLine(
  run: Work,
  file: ProgressFile,
  present: number,
): Promise<ReplayedLine> {
  const { environment, line, reader, past, work } = run;
  const { baseline, commits } = line;
  const older = commits.slice(0, -1);
  const saved = file.read();
  let done = older.findIndex(({ id }) => id === saved?.commit) + 1;
  const from: SavedProgress | undefined = done > 0 ? saved : undefined;
  const replay = new Replay(
    { ...reader.settings, unstable: reader.unstable, present },
    from?.replay,
  );
  const skipped = [...(from?.skipped ?? [])];
  let passedOver = from?.passedOver ?? 0;
  let latest: BackfillProgress | undefined;
  const report = () => {
    const { time, subject } = commits[done] ?? reader.last.commit;
    const about = { time, subject };
    environment.onProgress?.({ step: "commits", done, total: commits.length, about });
  };
  const record = (commit: PastCommit, outcome: Outcome) => {
    if (outcome.kind === "passed-over") passedOver += 1;
    else if (outcome.kind === "skipped") skipped.push(skippedCommit(commit, outcome.reason));
    else if (commit === baseline) replay.begin(outcome);
    else replay.take(outcome);
    if (commit === baseline) return;
    done += 1;
    latest = { commit: commit.id, replay, skipped, passedOver };
    file.saveSometimes(latest);
    report();
  };
  report();
  const { signal = new AbortController().signal } = environment;
  const first = from === undefined && baseline !== undefined ? [baseline] : [];
  const todo = [...first, ...older.slice(done)];
  const jobs = past.build === undefined ? CHECKOUTS : past.jobs;
  try {
    await readCommits(todo, { reader, replay, work, jobs, signal, record });
  } finally {
    if (latest !== undefined) file.save(latest);
  }
  replay.take(reader.last);
  return { replay, skipped, passedOver };
}

function skippedCommit({ id, time, subject }: PastCommit, reason: string): SkippedCommit {
  return { commit: id, time, subject, reason };
}

export function planOf(
  { past, reader }: Work,
  settings: Settings,
  { others }: Recalled,
  { replay, skipped, passedOver }: ReplayedLine,
  present: number,
): Plan {
  const { inventory, commit } = reader.last;
  const time = Math.max(replay.time, Math.min(commit.time, present));
  const collections = settings.collections.map((collection) => ({
    collection,
    configured: true,
    published: undefined,
    derived: replay.derived(collection.url),
    time,
    previous: undefined,
    since: time,
    changed: true,
    excluded: excludedDigests(inventory, collection.url),
  }));
  const undated = collections
    .flatMap(({ derived }) => derived.snapshot)
    .filter(({ lastmod, content }) => lastmod === undefined && content !== ON_DEMAND)
    .map(({ url }) => url);
  const unstable = unstablePages(reader);
  const notes = backfillNotes(past, { undated: undated.length, skipped, passedOver, unstable });
  // These may be the pages of an old commit, so the next ordinary run writes into pages.
  const pages = [] as const;
  return { first: true, time, collections, others, published: undefined, undated, pages, notes };
}

export function unstablePages({ last, unstable }: CommitReader): readonly string[] {
  const urls = last.inventory.resources.map(({ url }) => url);
  return urls.filter((url) => unstable.content.has(urlKey(url)));
}
