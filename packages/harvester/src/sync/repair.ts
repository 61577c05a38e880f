import { count, list, plural } from "@rs-emit/documents";
import type { Run } from "./run.ts";

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
