import type { Environment } from "../environment.ts";
import type { Settings } from "../options.ts";
import { authorsEdits, type Edits } from "./edits.ts";
import type { CommitChanges } from "./git/history.ts";
import { folderKey } from "./git/path-key.ts";
import type { Repository } from "./git/repository.ts";
import type { RepositoryReading } from "./reading.ts";
import { matchedSources, statedSources } from "./sources/built.ts";
import { datingFiles } from "./sources/files.ts";
import { type Origin, originOf } from "./sources/origin.ts";
import { type BuiltFiles, ownSources, type Sources } from "./sources/sources.ts";

/** Changes are known from the history of the pages' sources. */
export interface GitEvidence {
  readonly kind: "git";
  readonly repository: Repository;
  readonly sources: Sources;
  /** An author's edits that no commit holds yet. */
  readonly edits: Edits;
  /** Every commit, oldest first; empty for a continuation. */
  readonly history: readonly CommitChanges[];
}

/** Changes are known from files' own times. */
export interface FileEvidence {
  readonly kind: "files";
  /** The files that date a page, by absolute path; none where nothing tells its source. */
  readonly sourcesOf: (page: string) => readonly string[];
}

/** Where changes are known from. */
export type Evidence = GitEvidence | FileEvidence;

/**
 * Decides where changes are known from: the git repository of the pages' sources, or the files' own
 * times where there is none, or where asked.
 *
 * @param built the files of the output folder
 * @param reading what git told; see `readRepository`
 */
export async function evidenceFrom(
  reading: RepositoryReading | undefined,
  settings: Settings,
  environment: Environment,
  built: BuiltFiles,
): Promise<Evidence> {
  const origin = originOf(settings, environment);
  if (reading === undefined) {
    return { kind: "files", sourcesOf: await datingFiles(origin, settings.folder, built.pages) };
  }
  const { repository, tree, history } = reading;
  const sources = sourcesFrom(origin, reading, settings, built);
  return {
    kind: "git",
    repository,
    sources,
    edits: authorsEdits(tree, sources, built.pages),
    history,
  };
}

function sourcesFrom(
  origin: Origin,
  { repository, tree }: RepositoryReading,
  settings: Settings,
  files: BuiltFiles,
): Sources {
  const built = { ...files, output: folderKey(repository, settings.folder) };
  switch (origin.kind) {
    case "stated":
      return statedSources(repository, tree, built, origin.builder);
    case "matched":
      return matchedSources(tree, built);
    case "own":
      return ownSources(tree);
  }
}
