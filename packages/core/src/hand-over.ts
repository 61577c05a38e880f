import { renameSync, writeFileSync } from "node:fs";
import { siteFileRules } from "./inventory/file-rules.ts";
import { walk } from "./inventory/walk.ts";
import type { Builder } from "./model/environment.ts";
import type { EmitOptions } from "./options/emit-options.generated.ts";
import { parseOptions } from "./options/settings.ts";

/** Names the hand-over file. While it is set, plugins publish nothing. */
export const BACKFILL_VARIABLE = "RS_EMIT_BACKFILL";

/** @throws {EmitError} for options or a folder that could not be published either */
export async function handOver(
  file: string,
  options: EmitOptions,
  builder?: Builder,
): Promise<string> {
  const settings = parseOptions(options);
  const found = await walk(settings.folder, siteFileRules(settings));
  const pages = [...found.candidates, ...found.excluded].flatMap((page) => {
    const annotation = builder?.annotate?.(page);
    return annotation === undefined ? [] : [[page, annotation] as const];
  });
  const { folder } = settings;
  const text = JSON.stringify({
    folder,
    options,
    pages: Object.fromEntries(pages),
    sources: builder === undefined ? undefined : sourcesOf(found.candidates, builder),
    onDemand: builder === undefined ? undefined : (builder.onDemand ?? []),
    unlisted: builder?.unlisted,
  });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  return "A backfill builds this commit: nothing is published, the pages are handed over to it.";
}

function sourcesOf(
  pages: readonly string[],
  { sourceFiles }: Builder,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(pages.map((page) => [page, sourceFiles(page)]));
}
