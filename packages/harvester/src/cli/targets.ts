import { readFileSync, statSync } from "node:fs";
import { normalizeAddress } from "../discover/address.ts";
import { readSiteList } from "../feeds/site-list.ts";
import type { HarvestArguments } from "./arguments.ts";
import { FileError, UsageError } from "./errors.ts";

/** What is to be harvested. */
export type Targets =
  | { readonly kind: "network"; readonly addresses: readonly string[] }
  /** A built site that is read from its folder. */
  | { readonly kind: "folder"; readonly folder: string; readonly url: string };

/**
 * The sites that the command line and its list name, each once.
 *
 * @throws {UsageError} for a folder without its address, or an address of a site that is none
 * @throws {AddressError} for what is no address
 * @throws {FileError} for a list that cannot be read
 */
export function targetsOf({ sites, list, url }: HarvestArguments): Targets {
  const folder = sites.find(isFolder);
  const [site] = sites;
  if (url !== undefined) {
    if (folder === undefined)
      throw new UsageError(`${site} is no folder: --url is for built sites.`);
    return { kind: "folder", folder, url };
  }
  if (folder !== undefined) {
    throw new UsageError(
      `${folder} is a folder. Say where it will stand: --url https://example.org/`,
    );
  }
  const listed = list === undefined ? [] : readSiteList(readList(list));
  const addresses = new Set([...sites, ...listed].map(normalizeAddress));
  return { kind: "network", addresses: [...addresses] };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function readList(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new FileError(path, "read", error);
  }
}
