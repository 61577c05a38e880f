import { readFileSync } from "node:fs";
import { decodeText } from "@rs-emit/documents";
import { addressIn, isBare, normalizeAddress, reasonOf } from "@rs-emit/reader";
import { type ListedSite, mergeSites, readSiteList, type SiteList } from "../site-list.ts";
import { understood, usageError } from "./errors.ts";

/** All sites in an OPML file, or in a text with one address a line. Throws {@link HarvestError}, also for a wrong line. */
export function sitesIn(path: string, name: string): ListedSite[] {
  const { sites, refused } = siteListIn(path, name);
  for (const { problem } of refused) throw usageError(`${name}: ${problem}`);
  const normalized = sites.map((site) =>
    understood(() => ({ ...site, address: normalizeAddress(site.address) }), `${name}: `),
  );
  return mergeSites(normalized);
}

/** Throws {@link HarvestError} where it is no list. */
export function siteListIn(path: string, name = path): SiteList {
  let text: string;
  try {
    text = decodeText(readFileSync(path));
  } catch (error) {
    throw usageError(`${name} cannot be read (${reasonOf(error)}).`, adviceOn(path), error);
  }
  return understood(() => readSiteList(text), `${name}: `);
}

/** Who names a site where a list is wanted has one site. */
function adviceOn(path: string): string {
  const address = addressIn(path);
  if (address === undefined || isBare(address)) return "";
  return "A list is a file: write addresses into one, one a line.";
}
