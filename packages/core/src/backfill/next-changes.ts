import { emit } from "../emit.ts";
import type { Builder, Environment } from "../model/environment.ts";
import { isEmitError } from "../model/errors.ts";
import type { Change } from "../model/log.ts";
import type { Settings } from "../options/settings.ts";
import type { PastSettings } from "./options.ts";
import type { BuilderWords } from "./replay/commit-states.ts";

/** What an ordinary run would publish next; `undefined` where the folder has no page. */
export async function nextChanges(
  settings: Settings,
  { annotate, onDemand = [], unlisted = [] }: BuilderWords,
  past: PastSettings,
  environment: Environment,
): Promise<readonly Change[] | undefined> {
  const builder: Builder = {
    project: past.project,
    sourceFiles: () => [],
    onDemand,
    unlisted,
    annotate,
  };
  const { folder, site, include, exclude, content, cleanUrls, news, excerpts } = settings;
  const collections = settings.collections.map(({ folder }) => folder);
  const pages = { folder, url: site, collections, cleanUrls, news, excerpts };
  const globs = { include: [...include], exclude: [...exclude], content: [...content] };
  const dry = { dryRun: true, allowMassDelete: true };
  try {
    const result = await emit(
      { ...pages, ...globs, ...dry, previous: "output", history: "files" },
      { ...environment, builder },
    );
    return result.collections.flatMap(({ changes }) => changes);
  } catch (error) {
    if (isEmitError(error, "EMPTY_SITE")) return undefined;
    throw error;
  }
}
