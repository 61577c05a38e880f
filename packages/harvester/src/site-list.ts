import { lineOf, readableAddress, webLink } from "@rs-emit/feeds";
import { addressIn, shownAddress } from "@rs-emit/reader";
import { fittingLabels } from "./fitting-labels.ts";
import { type Outline, readOutlines } from "./opml.ts";
import { checkLength, exceeded, SITE_LIST_LIMITS } from "./site-list-limits.ts";

/** What cannot be followed, without the user name and password that it may hold. */
export interface RefusedAddress {
  readonly address: string;
  readonly problem: string;
}

/** A site as a list names it. */
export interface ListedSite {
  readonly address: string;
  /** What the list calls it, if it does. */
  readonly name?: string | undefined;
  /** The folders that it stands in; absent where the list can have none. */
  readonly labels?: readonly string[] | undefined;
}

/** What a list of sites names. */
export interface SiteList {
  /** Each once, in the order of the list. */
  readonly sites: readonly ListedSite[];
  /** Lines that hold anything but one address. */
  readonly refused: readonly RefusedAddress[];
}

/**
 * Reads a list of sites: an OPML file (it begins with `<`), or a text with one address a line, blank lines, and comments
 * from `#` on.
 *
 * @throws {HarvestError} where it is markup of another kind
 * @throws {HarvestError} where it passes a limit
 */
export function readSiteList(text: string): SiteList {
  checkLength(text);
  const list = text.replace(/^\ufeff/, "");
  return list.trimStart().startsWith("<")
    ? { sites: readOpml(list), refused: [] }
    : readLines(list);
}

function readLines(list: string): SiteList {
  const addresses = new Set<string>();
  const refused: RefusedAddress[] = [];
  for (const [index, line] of list.split(/\r\n|[\n\r]/).entries()) {
    // Within an address `#` begins a fragment.
    const comment = line.search(/(?:^|\s)#/);
    const address = (comment < 0 ? line : line.slice(0, comment)).trim();
    if (address === "") continue;
    const isAddress = addressIn(address) !== undefined && !/\p{Cc}/u.test(address);
    if (isAddress) addresses.add(address);
    else refused.push(refusedLine(index + 1, lineOf(shownAddress(address), 60)));
    if (addresses.size + refused.length > SITE_LIST_LIMITS.sites) throw exceeded("sites");
  }
  return { sites: [...addresses].map((address) => ({ address })), refused };
}

function refusedLine(line: number, address: string): RefusedAddress {
  const cure = "Write one address a line, and comments after #.";
  return { address, problem: `Line ${line} is no address: "${address}". ${cure}` };
}

/**
 * The sites in an OPML file, each once, in its order. A feed reader's list has the address of each feed
 * (`xmlUrl`) and of its site (`htmlUrl`). A change log is looked for at the site, so the latter counts where both are there.
 * Each folder around an outline is a label.
 *
 * @throws {HarvestError} where it is something else, or has a DOCTYPE
 * @throws {HarvestError} where it passes a limit
 */
export function readOpml(text: string): ListedSite[] {
  return mergeSites(
    readOutlines(text).flatMap((outline) => {
      const address = webLink(outline.htmlUrl) ?? webLink(outline.xmlUrl);
      return address === undefined
        ? []
        : [{ address, name: nameIn(outline, address), labels: outline.folders }];
    }),
  );
}

/** Exporters write an address where they know no name. */
function nameIn({ name, xmlUrl = "" }: Outline, address: string): string | undefined {
  const isAddress = [address, xmlUrl].some((one) => spelled(one) === spelled(name));
  return name === "" || isAddress ? undefined : name;
}

/** An address as it is compared: without its scheme and its last slash. */
function spelled(text: string): string {
  return readableAddress(webLink(text) ?? text).replace(/\/$/, "");
}

/** Each site once: with the first name that it is given, and all labels. */
export function mergeSites(sites: Iterable<ListedSite>): ListedSite[] {
  const merged = new Map<string, ListedSite>();
  for (const { address, name, labels } of sites) {
    const before = merged.get(address);
    const all = [...(before?.labels ?? []), ...(labels ?? [])];
    const known = before?.labels ?? labels;
    merged.set(address, {
      address,
      name: before?.name ?? name,
      labels: known && fittingLabels(all),
    });
  }
  return [...merged.values()];
}
