import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError, EXIT } from "../errors.ts";
import type { NeocitiesApi } from "./api.ts";
import { readFolder } from "./files.ts";
import { download } from "./live.ts";

export interface PullResult {
  readonly fetched: readonly string[];
  readonly unchanged: number;
  /** In the folder only. They stay. */
  readonly surplus: readonly string[];
}

/**
 * Downloads what differs, one request at a time. Each file is written whole or not at all.
 * @throws {CommandError} if a file cannot be downloaded or written; the next run continues
 */
export async function pull(
  api: NeocitiesApi,
  url: string,
  folder: string,
  tell: (sentence: string) => void,
): Promise<PullResult> {
  mkdirSync(folder, { recursive: true });
  const remote = (await api.list()).filter(({ path }) => isInside(path));
  const here = new Map(readFolder(folder).files.map((file) => [file.path, file.sha1]));
  const changed = remote.filter(({ path, sha1 }) => here.get(path) !== sha1);
  for (const [at, { path, sha1 }] of changed.entries()) {
    store(folder, path, await download(url, path, sha1));
    if ((at + 1) % 50 === 0) tell(`${at + 1} of ${changed.length} files are fetched.`);
  }
  const there = new Set(remote.map(({ path }) => path));
  return {
    fetched: changed.map(({ path }) => path),
    unchanged: remote.length - changed.length,
    surplus: [...here.keys()].filter((path) => !there.has(path)),
  };
}

function isInside(path: string): boolean {
  return path !== "" && !path.split(/[\\/]/).some((part) => part === ".." || part === "");
}

function store(folder: string, path: string, bytes: Uint8Array): void {
  const target = join(folder, path);
  const temporary = `${target}.rs-emit-part`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(temporary, bytes);
    renameSync(temporary, target);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError({
      code: "WRITE_FAILED",
      problem: `${target} could not be written (${reason}).`,
      cure: "Make room or change permissions, then run again.",
      exitCode: EXIT.failed,
      cause: error,
    });
  }
}
