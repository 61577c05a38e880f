import { type Entry, urlKey } from "@rs-emit/documents";
import { planFirst } from "../derive/first-publication.ts";
import type { Repository } from "../git/repository.ts";
import type { BackfillEnvironment } from "../model/environment.ts";
import type { Change } from "../model/log.ts";
import type { Plan } from "../model/plan.ts";
import type { SnapshotEntry } from "../model/resources.ts";
import type { Note } from "../model/sentence.ts";
import type { EmitOptions } from "../options/emit-options.generated.ts";
import type { Settings } from "../options/settings.ts";
import { type CommitOutcome, type CommitReader, readCommits } from "./commit-states.ts";
import { type CommitLine, type PastCommit, type SkippedCommit, skippedCommit } from "./commits.ts";
import { baselineError, tooManySkippedError } from "./errors.ts";
import { backfillNotes } from "./notes.ts";
import type { PastSettings } from "./options.ts";
import type { BackfillProgress, ProgressFile, SavedProgress } from "./progress-file.ts";
import { Replay } from "./replay.ts";
import { pastOfSources, withEarlier } from "./source-past.ts";
import { statementReader } from "./statements.ts";
import type { WorkFolder } from "./worktree.ts";

export interface Backfill {
  readonly past: PastSettings;
  readonly options: EmitOptions;
  readonly environment: BackfillEnvironment;
  readonly repository: Repository;
  readonly line: CommitLine;
  readonly work: WorkFolder;
}

export interface Work extends Backfill {
  readonly reader: CommitReader;
}

interface ReplayedLine {
  readonly replay: Replay;
  /** The past of pages whose creation is in no commit; by URL key. */
  readonly sources: ReadonlyMap<string, readonly Change[]>;
  readonly skipped: readonly SkippedCommit[];
  readonly passedOver: number;
}

/** One commit in this many may be skipped without asking the author. */
const MOST_SKIPPED = 3;

export async function replayLine(
  run: Work,
  file: ProgressFile,
  present: number,
): Promise<ReplayedLine> {
  const { environment, line, reader, past, work } = run;
  const { baseline, commits } = line;
  const older = commits.slice(0, -1);
  const isTooMany = ({ skipped, passedOver }: Pick<SavedProgress, "skipped" | "passedOver">) =>
    !past.allowSkipped && skipped.length * MOST_SKIPPED > commits.length - passedOver;
  const saved = file.read();
  const reached = older.findIndex(({ id }) => id === saved?.commit) + 1;
  // What made too many fail may be mended by now.
  const from = reached > 0 && saved !== undefined && !isTooMany(saved) ? saved : undefined;
  let done = from === undefined ? 0 : reached;
  const replay = new Replay(
    {
      ...reader.settings,
      unstable: reader.unstable,
      readStatements: await statementReader(reader.settings),
      present,
    },
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
  const record = async (commit: PastCommit, outcome: CommitOutcome) => {
    if (outcome.kind === "taken") {
      if (commit === baseline) replay.begin(outcome);
      else await replay.take(outcome);
    } else if (outcome.kind === "passed-over") {
      if (outcome.mayHavePages) replay.leaveGap();
      if (commit !== baseline) passedOver += 1;
    } else {
      if (commit === baseline) throw baselineError(commit, outcome.reason, past);
      replay.leaveGap();
      skipped.push(skippedCommit(commit, outcome.reason));
    }
    if (commit === baseline) return;
    done += 1;
    latest = { commit: commit.id, replay, skipped, passedOver };
    if (isTooMany(latest)) throw tooManySkippedError(skipped, done, commits.length, past);
    file.saveSometimes(latest);
    report();
  };
  report();
  const { signal = new AbortController().signal } = environment;
  const first = from === undefined && baseline !== undefined ? [baseline] : [];
  const todo = [...first, ...older.slice(done)];
  try {
    await readCommits(todo, { reader, replay, work, jobs: past.jobs, signal, record });
  } finally {
    if (latest !== undefined) file.save(latest);
  }
  await replay.take(reader.last);
  const sources = await pastOfSources(run.repository, reader, replay.appearances, present);
  return { replay, sources, skipped, passedOver };
}

export function planOf(
  { past, reader }: Work,
  settings: Settings,
  others: readonly Entry[],
  { replay, sources, skipped, passedOver }: ReplayedLine,
  present: number,
): { readonly plan: Plan; readonly notes: readonly Note[] } {
  const { inventory, commit } = reader.last;
  const time = Math.max(replay.time, commit.time);
  const works = settings.collections.map((collection) => {
    return { collection, derived: withEarlier(replay.derived(collection.url), sources) };
  });
  const plan = planFirst({ time, present, works }, inventory, others);
  const snapshot = works.flatMap(({ derived }) => derived.snapshot);
  const created = new Set(
    works
      .flatMap(({ derived }) => derived.changes)
      .filter(({ kind }) => kind === "created")
      .map(({ url }) => urlKey(url)),
  );
  const isFirstSeen = ({ url }: Pick<SnapshotEntry, "url">) => replay.appearances.has(urlKey(url));
  const notes = backfillNotes(past, {
    older: plan.undated.filter((url) => !isFirstSeen({ url })).length,
    appeared: snapshot.filter((entry) => isFirstSeen(entry) && !created.has(urlKey(entry.url)))
      .length,
    skipped,
    passedOver,
    unstable: reader.unstable,
  });
  return { plan, notes };
}
