import { relative, resolve } from "node:path";
import type { Builder, Facts, Making, SourceRole } from "../../builder.ts";
import { folderKey, pathKey } from "../git/path-key.ts";
import type { Repository } from "../git/repository.ts";
import { textOf } from "../sources/sources.ts";

/** A builder's rules for the files of a repository, by key. */
export interface KeyedRules {
  roleOf(key: string): SourceRole | undefined;
  dataOf(source: string): readonly string[];
  read(key: string, bytes: Uint8Array): Facts;
  made(source: string, facts: Facts, data: readonly Facts[]): Making;
}

/**
 * Lets a builder be asked by key.
 *
 * @param isOutput tells the files of the output folder, which have no part in the build
 * @returns nothing when the builder has no rules
 */
export function keyedRules(
  repository: Repository,
  { project, rules }: Builder,
  isOutput: (key: string) => boolean,
): KeyedRules | undefined {
  if (rules === undefined) return undefined;
  const below = textOf(folderKey(repository, project)) ?? "";
  // As the builder spells its project: that may be named by a link.
  const fileOf = (key: string) => resolve(project, relative(`/${below}`, `/${textOf(key) ?? ""}`));
  const roleOf = (key: string) =>
    isOutput(key) || textOf(key) === undefined ? undefined : rules.roleOf(fileOf(key));
  return {
    roleOf: remembering(roleOf),
    dataOf: (source) => rules.dataOf(fileOf(source)).map((file) => pathKey(repository, file)),
    read: (key, bytes) => rules.read(fileOf(key), bytes),
    made: (source, facts, data) => rules.made(fileOf(source), facts, data),
  };
}

/** History names each file many times. */
function remembering<Answer>(ask: (key: string) => Answer | undefined) {
  const answers = new Map<string, Answer | "none">();
  return (key: string): Answer | undefined => {
    const known = answers.get(key) ?? ask(key) ?? "none";
    answers.set(key, known);
    return known === "none" ? undefined : known;
  };
}
