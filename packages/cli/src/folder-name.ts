import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { missingFolder, similarName } from "@rs-emit/core/words";
import { CommandError, noFolderGivenError, oneLine } from "./errors.ts";

export const COMMAND_NAMES = ["backfill", "check", "init", "log", "notify", "neocities"] as const;

/**
 * Refuses an address, a misspelled command, or a folder that is not built yet. Throws CommandError.
 * @param isEnough whether the rest of the command line is enough for a run, which says more of a missing folder
 */
export function refuseNoFolder([name, ...others]: readonly string[], isEnough: boolean): void {
  if (name === "") {
    throw noFolderGivenError(
      "The name of the folder is empty.",
      "Give the folder of the built site, for example: npx rs-emit ./dist",
    );
  }
  if (name === undefined || name.startsWith("-") || existsSync(name)) return;
  const shown = oneLine(name);
  if (/^https?:/i.test(name)) {
    throw noFolderGivenError(
      `${shown} is an address, and stands where the folder of the built site is named.`,
      `Give both, for example: npx rs-emit ./dist --url ${shown}`,
    );
  }
  const isWord = /^[a-z]+$/i.test(name);
  const meant = isWord ? similarName(name, COMMAND_NAMES) : undefined;
  if (meant === undefined && isEnough && !(isWord && others.length > 0)) return;
  const build = "Build the site first, or give the folder that the build writes.";
  const help = "The commands: npx rs-emit --help";
  const missed = isWord ? `${shown}, and no command of that name` : shown;
  const missing = missingFolder(missed, `${build} ${help}`);
  if (meant === undefined) throw new CommandError(missing);
  throw new CommandError({ ...missing, code: "USAGE", cure: `Did you mean npx rs-emit ${meant}?` });
}

/**
 * A folder as messages name it.
 * @param here in place of the working directory
 */
export function shortPath(folder: string, here = "this folder"): string {
  const path = relative("", folder);
  return path.startsWith("..") ? resolve(folder) : path || here;
}

/** A path as a word of a command that readers paste. */
export function asWord(path: string): string {
  return /^[\w./\\:=-]+$/.test(path) ? path : JSON.stringify(path);
}
