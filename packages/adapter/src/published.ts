import {
  type FillPage,
  type LastChanged,
  publishedDates,
  publishedPages,
} from "@rs-emit/core/adapter";
import { documentsInBackup } from "./backup.ts";
import type { AdapterSettings } from "./options.ts";

/** Fills lists and dates as the last build published them in one of `folders`. */
export function fillAsPublished(
  { onUnreachable: _, productionBranch: __, ...options }: AdapterSettings,
  url: string,
  folders: readonly string[],
): Promise<FillPage | undefined> {
  const [folder = "."] = folders;
  return publishedPages({ ...options, folder, url }, folders);
}

/** Reads the log that stands in the folder, in its backup, or on the live site. */
export function lastChangedAsPublished(
  { onUnreachable: _, productionBranch: __, ...options }: AdapterSettings,
  url: string,
  folder: string,
  backup: string,
): Promise<LastChanged> {
  const documents = documentsInBackup(folder, backup) ?? folder;
  return publishedDates({ ...options, folder, url }, { documents });
}
