import { count, list, plural } from "@rs-emit/documents";
import { listedDigest } from "@rs-emit/reader";
import type { KnownFile } from "./copy/copy-state.ts";
import type { CopyFolder } from "./copy/folder.ts";
import type { Wanted } from "./copy/working-set.ts";
import { unclearError } from "./errors.ts";
import type { AuditCounts, Problems, Run } from "./run.ts";

interface Audit {
  readonly counts: AuditCounts;
  readonly problems: Problems;
  readonly notes: readonly string[];
}

type Verdict = "unchanged" | "different" | "missing" | "cannotBeAudited";

/**
 * Compares every file with what the site states of it, by its bytes, and writes nothing. Where the site states
 * no hash, a file is compared with what sync wrote.
 */
export async function audit({ state, working, folder, tools, tally }: Run): Promise<Audit> {
  const counts = { ...NOTHING };
  const { problems } = tally;
  for (const wanted of working.wanted()) {
    const known = state.file(wanted.key);
    const found = await verdictOn(wanted, known, folder);
    const isDoubtful = found === "missing" && working.isSaidDeleted(wanted.key);
    const verdict = isDoubtful ? "cannotBeAudited" : found;
    counts[verdict] += 1;
    if (verdict === "missing" || verdict === "different") {
      problems.add(wanted.url, { code: verdict.toUpperCase(), message: wordsOn(verdict, known) });
    }
    tools.progress.advance();
  }
  for (const { url, file } of working.gone()) {
    if (folder.look(file).found === "nothing") continue;
    counts.extra += 1;
    problems.add(url, { code: "EXTRA", message: `${file} is gone from the site.` });
  }
  for (const url of working.unclear()) problems.add(url, unclearError(url));
  const strange = state.unknownAmong(folder.files());
  counts.foreign = strange.length;
  return { counts, problems, notes: strange.length === 0 ? [] : [noteOn(strange)] };
}

const NOTHING: AuditCounts = {
  unchanged: 0,
  different: 0,
  missing: 0,
  extra: 0,
  cannotBeAudited: 0,
  foreign: 0,
};

function noteOn(files: readonly string[]): string {
  const were = plural(files.length, "was", "were");
  return `${count(files.length, "file")} ${were} not written by sync, or its database was lost: ${list(files)}`;
}

async function verdictOn(
  { hash }: Wanted,
  known: KnownFile | undefined,
  folder: CopyFolder,
): Promise<Verdict> {
  if (known === undefined) return "missing";
  const digest = listedDigest(hash ?? undefined);
  const actual = await folder.hashOf(known.file, digest?.algorithm);
  if (actual === undefined) return "missing";
  if (digest !== undefined) return actual === digest.hex ? "unchanged" : "different";
  return actual === known.hash ? "cannotBeAudited" : "different";
}

function wordsOn(verdict: Verdict, known: KnownFile | undefined): string {
  if (known === undefined) return "It was never copied.";
  if (verdict === "missing") return `${known.file} is not there.`;
  return `${known.file} has other bytes than it should have.`;
}

/**
 * Moves files with other bytes than sync wrote out of the copy, so that they are fetched again: whether they are damaged or
 * were edited, nobody can tell.
 *
 * @returns what is said of them
 */
export async function keepDamaged({ state, working, folder }: Run): Promise<readonly string[]> {
  const damaged: string[] = [];
  for (const wanted of working.wantedAndKnown()) {
    const known = state.file(wanted.key);
    if (known === undefined) continue;
    const actual = await folder.hashOf(known.file);
    if (actual !== undefined && actual !== known.hash) damaged.push(known.file);
  }
  if (damaged.length === 0) return [];
  const kept = folder.keepBeside(damaged);
  return [
    `${count(damaged.length, "file")} had other bytes than sync wrote, and ${plural(damaged.length, "is", "are")} kept in ${kept}: ${list(damaged)}`,
  ];
}
