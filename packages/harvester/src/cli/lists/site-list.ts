import { lineOf } from "@rs-emit/feeds";
import { NotAddressError, SiteListLimitError } from "./errors.ts";
import { readOpml } from "./read-opml.ts";
import { checkLength, SITE_LIST_LIMITS } from "./site-list-limits.ts";

/**
 * The addresses in a list of sites, each once, in its order: an OPML file, told by its first character, or
 * a text with one address a line, blank lines, and comments from `#` on.
 *
 * @throws {NotOpmlError} where it is markup of another kind
 * @throws {NotAddressError} where a line holds more than an address
 * @throws {SiteListLimitError} where it passes a limit
 */
export function readSiteList(text: string): string[] {
  checkLength(text);
  const list = text.replace(/^\ufeff/, "");
  return list.trimStart().startsWith("<") ? readOpml(list) : readLines(list);
}

function readLines(list: string): string[] {
  const addresses = new Set<string>();
  for (const [index, line] of list.split(/\r\n|[\n\r]/).entries()) {
    // Within an address `#` begins a fragment.
    const comment = line.search(/(?:^|\s)#/);
    const address = (comment < 0 ? line : line.slice(0, comment)).trim();
    if (address === "") continue;
    if (/[\s\p{Cc}]/u.test(address) || address.length > SITE_LIST_LIMITS.address) {
      throw new NotAddressError(index + 1, lineOf(address, 60));
    }
    addresses.add(address);
    if (addresses.size > SITE_LIST_LIMITS.sites) {
      throw new SiteListLimitError("sites", SITE_LIST_LIMITS.sites);
    }
  }
  return [...addresses];
}
