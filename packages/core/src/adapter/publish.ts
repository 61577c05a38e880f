import type { Builder } from "../builder.ts";
import { emit } from "../emit.ts";
import type { Environment } from "../environment.ts";
import { type EmitOptions, parseOptions } from "../options.ts";
import { SiteUnreachableError } from "../recall/site-errors.ts";
import type { EmitResult } from "../result.ts";
import { printable } from "../words.ts";
import type { AdapterSettings } from "./options.ts";
import { previewBuild, type Variables } from "./preview.ts";
import { summarizeBuild } from "./summary.ts";
import { inConfigWords } from "./wording.ts";

/** How a builder speaks with its author: one line at a time. */
export interface Voice {
  info(line: string): void;
  warn(line: string): void;
}

/** A site that was just built in full. */
export interface Build {
  /** The options, without those that only this adapter has. */
  readonly options: AdapterSettings;
  /** The output folder, an absolute path. */
  readonly folder: string;
  /** The site's URL. */
  readonly url: string | undefined;
  readonly builder: Builder;
  readonly voice: Voice;
  readonly environment?: Omit<Environment, "builder">;
  /** The variables of the environment, by which hosts say what they do; the process's own. */
  readonly variables?: Variables;
}

/**
 * Publishes a site that a builder has just written, and says in a few lines what became of it.
 *
 * Nothing is published from a host's preview build, nor where the live site cannot be reached outside
 * CI: no deploy can follow there.
 *
 * @returns what was published; nothing where nothing was
 * @throws {EmitError} with nothing written
 */
export async function publishBuild(build: Build): Promise<EmitResult | undefined> {
  const { builder, folder, url, variables = process.env, voice } = build;
  const { link, productionBranch, ...rest } = build.options;
  const preview = previewBuild(variables, productionBranch);
  if (preview !== undefined) {
    voice.info(preview);
    return undefined;
  }
  const options: EmitOptions = { ...rest, folder, url };
  const takeOut = link ? await insertLinks(options, builder) : () => {};
  try {
    const result = await emit(options, { ...build.environment, builder });
    for (const line of summarizeBuild(result)) voice.info(line);
    for (const { message } of result.notes) voice.warn(inConfigWords(printable(message)));
    return result;
  } catch (error) {
    if (!(error instanceof SiteUnreachableError) || isDeploying(variables)) throw error;
    voice.warn(inConfigWords(`No change log was written. ${error.message}`));
    return undefined;
  } finally {
    if (rest.dryRun) takeOut();
  }
}

/** @returns what takes the links out again */
async function insertLinks(options: EmitOptions, builder: Builder): Promise<() => void> {
  const { insertLinks } = await import("./insert-links.ts");
  return insertLinks(parseOptions(options), leftAlone(builder));
}

function leftAlone({ annotate }: Builder): (file: string) => boolean {
  return (file) => {
    const annotation = annotate?.(file);
    return annotation?.stale === true || annotation?.withheld === true;
  };
}

/** Build hosts and workflows set this variable: https://docs.github.com/actions/reference/variables */
function isDeploying({ CI }: Variables): boolean {
  return CI !== undefined && CI !== "" && CI !== "0" && CI !== "false";
}
