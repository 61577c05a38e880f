import { siteFileRules } from "../inventory/file-rules.ts";
import { confirmFolder, doubtOf, servedCollections, spelledOnDisk } from "../inventory/folders.ts";
import { walk } from "../inventory/walk.ts";
import type { Environment } from "../model/environment.ts";
import { isEmitError } from "../model/errors.ts";
import { isFolder } from "../model/file-system.ts";
import type { Settings } from "../options/settings.ts";

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
