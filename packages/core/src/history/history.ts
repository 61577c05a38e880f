import type { Environment } from "../model/environment.ts";
import type { Settings } from "../model/options.ts";
import type { Inventory } from "../model/types.ts";
import { type DatingFiles, datingFiles } from "./file-times.ts";
import { type PageFiles, pageFiles } from "./page-files.ts";
import type { RepositoryReading } from "./reading.ts";
import { originOf } from "./source-links.ts";

/** Changes are known from git. */
export interface GitHistory {
  readonly kind: "git";
  readonly reading: RepositoryReading;
  readonly files: PageFiles;
}

/** Changes are known from files' own times. */
export interface FileTimes {
  readonly kind: "files";
  readonly files: DatingFiles;
}

/** Where changes are known from. */
export type History = GitHistory | FileTimes;

/**
 * Decides where changes are known from: the git repository around the source files, or the files' own
 * times where there is none, or where asked.
 *
 * @param reading what git says; see `readRepository`
 */
export async function historyOf(
  reading: RepositoryReading | undefined,
  settings: Settings,
  environment: Environment,
  inventory: Inventory,
): Promise<History> {
  const origin = originOf(settings, environment);
  const { folder } = settings;
  return reading === undefined
    ? { kind: "files", files: await datingFiles(origin, folder, inventory) }
    : { kind: "git", reading, files: pageFiles(origin, reading, folder, inventory) };
}
