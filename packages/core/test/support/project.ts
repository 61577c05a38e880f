import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { emit } from "../../src/emit.ts";
import type { Environment } from "../../src/model/environment.ts";
import type { EmitResult } from "../../src/report/result.ts";
import { UNFLUSHED } from "./disk.ts";
import type { RunOptions } from "./site.ts";

const SITE = "https://example.org/";

/** The clock of every run. */
export const NOW = 2_000_000_000;

/** Writes files below a folder, each with its path as text, and dates them (UTC seconds). */
export function writeFiles(root: string, time: number, ...paths: readonly string[]): void {
  for (const path of paths) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `<title></title><main>${path} at ${time}</main>`);
    utimesSync(file, time, time);
  }
}

/** Publishes `dist/` of a project, whether it is in a repository or not. */
export function publishProject(
  root: string,
  options: RunOptions = {},
  environment: Environment = {},
): Promise<EmitResult> {
  return emit(
    {
      folder: join(root, "dist"),
      url: SITE,
      testAddress: true,
      previous: "none",
      anyFolder: true,
      ...options,
    },
    { clock: () => NOW, fileSystem: UNFLUSHED, ...environment },
  );
}

/** The entries of a run in short: when the content was changed, how, and where. */
export function changesOf({ collections }: EmitResult): string[] {
  return collections.flatMap(({ changes }) =>
    changes.map(({ lastmod, kind, url }) => `${lastmod} ${kind} /${url.slice(SITE.length)}`),
  );
}

/** The pages that a run could not date, by path. */
export function undatedOf({ collections }: EmitResult): string[] {
  return collections.flatMap(({ undated }) => undated.map((url) => url.slice(SITE.length)));
}

/** What a run had to say under a code; empty when it had nothing to. */
export function noteOf({ notes }: EmitResult, code: string): string {
  return notes.find((note) => note.code === code)?.message ?? "";
}
