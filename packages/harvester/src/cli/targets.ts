import { readFileSync, statSync } from "node:fs";
import { normalizeAddress } from "../address.ts";
import { readSiteList } from "../site-list.ts";
import { UsageError, understood } from "./errors.ts";

export type Targets =
  | { readonly kind: "network"; readonly addresses: readonly string[] }
  /** A built site, read from its folder. */
  | { readonly kind: "folder"; readonly folder: string; readonly url: string };

export interface GivenTargets {
  readonly sites: readonly string[];
  readonly list?: string | undefined;
  /** The address of a folder that is read instead of the network. */
  readonly url?: string | undefined;
}

/** The sites, each once. Throws {@link UsageError}, also for a folder without its address. */
export function targetsOf({ sites, list, url }: GivenTargets): Targets {
  const folder = sites.find(isFolder);
  const [site] = sites;
  if (url !== undefined) {
    if (folder === undefined) {
      throw new UsageError(`${site} is no folder: --url gives the address of a folder.`);
    }
    return { kind: "folder", folder, url };
  }
  if (folder !== undefined) {
    throw new UsageError(`${folder} is a folder. Give its address: --url https://example.org/`);
  }
  const listed = list === undefined ? [] : addressesIn(list, `--list ${list}`);
  const addresses = new Set([
    ...sites.map((one) => understood(() => normalizeAddress(one))),
    ...listed,
  ]);
  if (addresses.size === 0) throw new UsageError(`--list ${list} names no site.`);
  return { kind: "network", addresses: [...addresses] };
}

/** Most addresses are no paths, so errors mean no. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The addresses in an OPML file, or in a text with one a line. Throws {@link UsageError}. */
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
