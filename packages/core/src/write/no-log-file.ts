import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isNoLogMarker, noLogMarker } from "@rs-emit/documents";
import { NO_LOG, SOURCE_DESCRIPTION, TEMPORARY } from "../model/layout.ts";
import { isForeign, requireRoom } from "./existing-files.ts";

/**
 * If the build replaces the published site, the log is lost: the next run must not start a new one.
 * @param site the address that the build was for
 */
export function leaveNoLogFile(folder: string, site: string): void {
  for (const path of [SOURCE_DESCRIPTION, NO_LOG]) {
    const target = join(folder, path);
    if (isForeign(target)) continue;
    requireRoom(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    // The target may be a link, which would be followed.
    writeFileSync(target + TEMPORARY, noLogMarker(site));
    renameSync(target + TEMPORARY, target);
  }
}

/** Whether a build without its log left a no-log file in the folder. */
export function hasNoLogFile(folder: string): boolean {
  const description = join(folder, SOURCE_DESCRIPTION);
  return existsSync(description) && isNoLogMarker(readFileSync(description));
}
