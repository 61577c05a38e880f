import { readFileSync } from "node:fs";
import { addressIn, isBare, reasonOf } from "@rs-emit/reader";
import { readSiteList, type SiteList } from "../site-list.ts";
import { understood, usageError } from "./errors.ts";

/** The sites in an OPML file, or in a text with one address a line. Throws {@link HarvestError} where it is no list. */
export function siteListIn(path: string, name = path): SiteList {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw usageError(`${name} cannot be read (${reasonOf(error)}).`, adviceOn(path), error);
  }
  return understood(() => readSiteList(bytes), `${name}: `);
}

/** Who names a site where a list is wanted has one site. */
function adviceOn(path: string): string {
  const address = addressIn(path);
  if (address === undefined || isBare(address)) return "";
  return "A list is a file: write addresses into one, one a line.";
}
