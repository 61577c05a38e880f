import { readFileSync, statSync } from "node:fs";
import { normalizeAddress } from "../discover/address.ts";
import { readSiteList } from "../site-list.ts";
import type { HarvestArguments } from "./arguments.ts";
import { UsageError, understood } from "./errors.ts";

/** What is to be harvested. */
export type Targets =
  | { readonly kind: "network"; readonly addresses: readonly string[] }
  /** A built site that is read from its folder. */
  | { readonly kind: "folder"; readonly folder: string; readonly url: string };

/**
 * The sites that the command line and its list name, each once.
 *
 * @throws {UsageError} for a folder without its address, for what is no address, and for a list that cannot
 *   be read
 */
export function targetsOf({ sites, list, url }: HarvestArguments): Targets {
  const folder = sites.find(isFolder);
  const [site] = sites;
  if (url !== undefined) {
    if (folder === undefined) {
      throw new UsageError(`${site} is no folder: --url says where a folder will stand.`);
    }
    return { kind: "folder", folder, url };
  }
  if (folder !== undefined) {
    throw new UsageError(
      `${folder} is a folder. Say where it will stand: --url https://example.org/`,
    );
  }
  const listed = list === undefined ? [] : addressesIn(list, `--list ${list}`);
  const addresses = new Set([
    ...sites.map((one) => understood(() => normalizeAddress(one))),
    ...listed,
  ]);
  if (addresses.size === 0) throw new UsageError(`--list ${list} names no site.`);
  return { kind: "network", addresses: [...addresses] };
}

/** What cannot be looked at is none: most addresses are no paths. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * The addresses in a file: an OPML file, or a text with one a line.
 *
 * @param name what the command line calls it, such as `--list sites.txt`
 * @throws {UsageError}
 */
export function addressesIn(path: string, name = path): string[] {
  const text = readList(path, name);
  return understood(() => readSiteList(text).map(normalizeAddress), `${name}: `);
}

function readList(path: string, name: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${name} cannot be read (${reason}).`, { cause: error });
  }
}
