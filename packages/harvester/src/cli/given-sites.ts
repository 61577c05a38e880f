import { readFileSync, statSync } from "node:fs";
import { addressIn, isBare, normalizeAddress, reasonOf } from "@rs-emit/reader";
import {
  type ListedSite,
  mergeSites,
  type RefusedAddress,
  readSiteList,
  type SiteList,
} from "../site-list.ts";
import { understood, usageError } from "./errors.ts";

/** What `rs-harvest` reads. */
export interface Targets {
  readonly sites: readonly [ListedSite, ...ListedSite[]];
  /** A built site, which is read in place of its address. */
  readonly folder?: string;
  /** Lines of the list that name no site. */
  readonly refused: readonly RefusedAddress[];
}

interface GivenTargets {
  readonly sites: readonly string[];
  readonly list?: string | undefined;
  /** The address of a folder that is read instead of the network. */
  readonly url?: string | undefined;
}

/** The sites, each once. Throws {@link HarvestError}, also for a folder without its address. */
export function targetsOf({ sites, list, url }: GivenTargets): Targets {
  const folder = sites.find((site) => pathKind(site) === "folder");
  const [site] = sites;
  if (url !== undefined) {
    if (folder === undefined) {
      throw usageError(`${site} is no folder: --url gives the address of a folder.`);
    }
    return { folder, sites: [{ address: url }], refused: [] };
  }
  if (folder !== undefined) {
    throw usageError(`${folder} is a folder. Give its address: --url https://example.org/`);
  }
  const named = sites.map((one) => ({ address: typedAddress(one, listAdvice(one)) }));
  const place = `--list ${list}`;
  const listed = list === undefined ? { sites: [], refused: [] } : siteListIn(list, place);
  const refused = listed.refused.map((one) => ({ ...one, problem: `${place}: ${one.problem}` }));
  const [first, ...others] = mergeSites([...named, ...listed.sites]);
  if (first === undefined) {
    const lines = refused.map(({ problem }) => problem).join("\n");
    throw usageError(`${place} names no site.`, lines);
  }
  return { sites: [first, ...others], refused };
}

/** The sites in an OPML file, or in a text with one address a line. Throws {@link HarvestError} where it is no list. */
export function siteListIn(path: string, name = path): SiteList {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw usageError(`${name} cannot be read (${reasonOf(error)}).`, adviceOnPath(path), error);
  }
  return understood(() => readSiteList(bytes), `${name}: `);
}

/** Who names a site where a list is wanted has one site. */
function adviceOnPath(path: string): string {
  const address = addressIn(path);
  if (address === undefined || isBare(address)) return "";
  return "A list is a file: write addresses into one, one a line.";
}

function listAdvice(path: string): string {
  return `To read the sites that a file lists: --list ${path}`;
}

/**
 * A site that the command line names.
 *
 * @param advice what to do where it is a file, or a folder
 * @throws {HarvestError} where it is no address; it says what was meant
 */
export function typedAddress(text: string, advice: string): string {
  const kind = pathKind(text);
  if (kind !== undefined)
    throw usageError(`${text} is a ${kind}, not the address of a site.`, advice);
  const address = understood(() => normalizeAddress(text));
  if (isBare(address) && LIST_NAME.test(text)) {
    throw usageError(`${text} is the name of a file, and no such file is here.`, advice);
  }
  return address;
}

/** No host has such a name. */
const LIST_NAME = /^[^/?#]+\.(?:opml|txt|xml|json|csv)$/i;

/** What a path leads to here. Most addresses are no paths, so errors mean nothing. */
function pathKind(path: string): "file" | "folder" | undefined {
  const address = addressIn(path);
  if (address !== undefined && !isBare(address)) return undefined;
  try {
    const stats = statSync(path);
    return stats.isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}
