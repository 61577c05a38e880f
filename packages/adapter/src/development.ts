import { type FillPage, publishedPages } from "@rs-emit/core/adapter";
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
