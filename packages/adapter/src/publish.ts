import {
  BACKFILL_VARIABLE,
  type EmitOptions,
  type EmitResult,
  type Environment,
  emit,
  handOver,
  refuseTestAddress,
} from "@rs-emit/core";
import { type Builder, SiteUnreachableError } from "@rs-emit/core/adapter";
import { printable } from "@rs-emit/core/words";
import { type AdapterSettings, inConfig } from "./options.ts";
import { previewBuild, type Variables } from "./preview.ts";
import { summarizeBuild } from "./summary.ts";

/** Prints one line at a time. */
export interface Logger {
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
  readonly environment?: Omit<Environment, "builder">;
  /** The variables of build hosts; by default the process's. */
  readonly variables?: Variables;
}

/**
 * Skips preview builds, and outside CI builds without the live site. In a backfill it hands over.
 * @returns `undefined` where nothing was published
 * @throws {EmitError} with nothing written
 */
export async function publishBuild(build: Build): Promise<EmitResult | undefined> {
  const { builder, folder, logger, url, variables = process.env } = build;
  const { productionBranch, ...options } = build.options;
  const backfill = variables[BACKFILL_VARIABLE];
  const preview = backfill ? undefined : previewBuild(variables, productionBranch);
  if (preview !== undefined) {
    logger.info(preview);
    return undefined;
  }
  const site: EmitOptions = { ...options, folder, url };
  if (!backfill) refuseTestAddress(site);
  if (backfill) {
    logger.info(await handOver(backfill, site, builder));
    return undefined;
  }
  try {
    return await publish(site, build);
  } catch (error) {
    if (!(error instanceof SiteUnreachableError) || isDeploying(variables)) throw error;
    const { problem, cure } = error.worded(inConfig);
    logger.warn(`No change log was written. ${problem} ${cure}`);
    return undefined;
  }
}

async function publish(
  options: EmitOptions,
  { builder, environment, logger }: Build,
): Promise<EmitResult> {
  const result = await emit(options, { ...environment, builder });
  for (const line of summarizeBuild(result)) logger.info(line);
  for (const note of result.notes) logger.warn(printable(note.worded(inConfig)));
  return result;
}

/** Build hosts and workflows set CI: https://docs.github.com/actions/reference/variables */
function isDeploying({ CI }: Variables): boolean {
  return CI !== undefined && CI !== "" && CI !== "0" && CI !== "false";
}
