import { rmSync } from "node:fs";
import {
  BACKFILL_VARIABLE,
  type EmitOptions,
  type EmitResult,
  type Environment,
  emit,
  handOver,
  refuseTestAddress,
} from "@rs-emit/core";
import { type Builder, parseSiteUrl } from "@rs-emit/core/adapter";
import { printable } from "@rs-emit/core/words";
import { documentsInBackup, moveToBackup } from "./backup.ts";
import { type AdapterSettings, inConfig } from "./options.ts";
import { previewBuild, type Variables } from "./preview.ts";
import { summarizeBuild, wrapped } from "./summary.ts";
import { AT_HOME, mayGoOn, refuseWarning, wouldGoOn } from "./unreachable.ts";

/** Prints one line at a time. */
export interface Logger {
  /** Columns of the terminal that are left for a line; absent in a pipe. */
  readonly columns?: number | undefined;
  info(line: string): void;
  warn(line: string): void;
}

export interface Build {
  readonly options: AdapterSettings;
  /** An absolute path. */
  readonly folder: string;
  readonly url: string | undefined;
  readonly builder: Builder;
  readonly logger: Logger;
  /** An absolute path: documents stay here while the output folder lacks them. */
  readonly backup: string;
  readonly environment?: Omit<Environment, "builder" | "documents">;
  readonly variables?: Variables;
}

/**
 * Skips preview builds. In a backfill it reports to the backfill. A build that may continue without the live
 * site gets a no-log file instead of documents.
 * @returns `undefined` where nothing was published. Throws EmitError, with nothing written.
 */
export async function publishBuild(build: Build): Promise<EmitResult | undefined> {
  const { builder, folder, logger, url, variables = process.env } = build;
  const { onUnreachable, productionBranch, ...options } = build.options;
  const backfill = variables[BACKFILL_VARIABLE];
  const preview = backfill ? undefined : previewBuild(variables, productionBranch);
  if (preview !== undefined) {
    logger.info(preview);
    return undefined;
  }
  const site: EmitOptions = { ...options, folder, url };
  if (backfill) {
    logger.info(await handOver(backfill, site, builder));
    return undefined;
  }
  refuseTestAddress(site);
  refuseWarning(onUnreachable, variables);
  try {
    return await publish(site, build);
  } catch (error) {
    if (!mayGoOn(error, onUnreachable, variables)) {
      if (wouldGoOn(error, onUnreachable, variables)) {
        logger.warn(`A build at home may go on without its change log: onUnreachable: ${AT_HOME}`);
      }
      throw error;
    }
    if (!options.dryRun) await moveToBackup(folder, build.backup, parseSiteUrl("url", url));
    const { problem, cure } = error.worded(inConfig);
    logger.warn(`This build has your pages and no change log, so do not deploy it. ${problem}`);
    logger.warn(`Nothing is lost: the published log is as it was. ${cure}`);
    return undefined;
  }
}

/** What stands before a line leaves little of a narrow terminal. */
const NARROWEST = 40;

async function publish(
  options: EmitOptions,
  { backup, builder, environment, folder, logger }: Build,
): Promise<EmitResult> {
  const documents = documentsInBackup(folder, backup);
  const result = await emit(options, { ...environment, builder, ...(documents && { documents }) });
  if (!result.dryRun) rmSync(backup, { recursive: true, force: true });
  const width = Math.max(logger.columns ?? Number.POSITIVE_INFINITY, NARROWEST);
  for (const line of summarizeBuild(result, width)) logger.info(line);
  for (const note of result.notes) {
    for (const line of wrapped(printable(note.worded(inConfig)), width)) logger.warn(line);
  }
  return result;
}
