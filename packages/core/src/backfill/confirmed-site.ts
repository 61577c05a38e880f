import { siteFileRules } from "../inventory/file-rules.ts";
import { confirmFolder, doubtOf, servedCollections, spelledOnDisk } from "../inventory/folders.ts";
import { walk } from "../inventory/walk.ts";
import type { BackfillEnvironment, Environment } from "../model/environment.ts";
import { type EmitError, isEmitError, optionError } from "../model/errors.ts";
import { isFolder } from "../model/file-system.ts";
import type { Recalled } from "../model/publication.ts";
import type { Settings } from "../options/settings.ts";
import { recallFrom } from "../recall/previous-publication.ts";
import { alreadyPublishedError } from "./errors.ts";

/** @throws {EmitError} `ALREADY_PUBLISHED` since followers would receive every change again */
export async function requireUnpublished(
  settings: Settings,
  environment: Environment,
): Promise<Recalled> {
  if (settings.previous.kind === "none") throw withoutProof();
  environment.onProgress?.({ step: "recall", done: 0, total: 0 });
  const recalled = await recallFrom(settings, environment);
  if (recalled.kind !== "published") return recalled;
  throw alreadyPublishedError(recalled.publication.base, recalled.publication.folder);
}

export function withoutProof(): EmitError {
  const allowed =
    "auto, output, site or a folder, since a backfill needs proof that nothing was published";
  return optionError("previous", "none", allowed);
}

/** The proof is needed before the work and after it; the author is asked once. */
export function confirmOnce(environment: BackfillEnvironment): BackfillEnvironment {
  const { confirmFirst } = environment;
  if (confirmFirst === undefined) return environment;
  let confirmed = false;
  return {
    ...environment,
    confirmFirst: async (why) => {
      confirmed ||= await confirmFirst(why);
      return confirmed;
    },
  };
}

/**
 * Refuses the same folders as a publication: the newest commit's, and the one that receives the log.
 * @param newest the newest commit's folder
 * @param place its name
 * @throws {EmitError} `UNLIKELY_FOLDER` `EMPTY_SITE` unless the author confirms
 */
export async function likelySettings(
  given: Settings,
  newest: string,
  environment: Environment,
  place: string,
): Promise<Settings> {
  const { folder } = given;
  const settings = { ...given, collections: servedCollections(given) };
  const collections = spelledOnDisk(newest, given.collections);
  const committed = { ...given, collections };
  const shown = place || "the root of the repository";
  const anyFolder = await confirmFolder(newest, committed, environment, shown);
  if (anyFolder || (await isUnbuilt(settings))) return { ...settings, anyFolder };
  return { ...settings, anyFolder: await confirmFolder(folder, settings, environment) };
}

async function isUnbuilt(settings: Settings): Promise<boolean> {
  const { folder, collections } = settings;
  if (!isFolder(folder)) return true;
  if (!isEmitError(doubtOf(folder, collections), "EMPTY_SITE")) return false;
  const { candidates } = await walk(folder, siteFileRules(settings));
  return candidates.length === 0;
}
