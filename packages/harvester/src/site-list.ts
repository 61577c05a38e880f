import { lineOf, readableAddress, webLink } from "@rs-emit/feeds";
import { addressIn, decodeMarkup, isBare, shownAddress } from "@rs-emit/reader";
import { checkLength, exceeded, type OpmlOutline, readOpml, SITE_LIST_LIMITS } from "./opml.ts";

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
 * @param list a file's bytes are decoded as they declare
 * @throws {HarvestError} where it is markup of another kind
 * @throws {HarvestError} where it passes a limit
 */
export function readSiteList(list: string | Uint8Array): SiteList {
  const text = (typeof list === "string" ? list : decodeMarkup(list)).replace(/^\ufeff/, "");
  checkLength(text);
  const sites: ListedSite[] = [];
  const refused: RefusedAddress[] = [];
  for (const { line, given, ...site } of /^\s*</.test(text)
    ? sitesInOpml(text)
    : sitesInLines(text)) {
    const { address } = site;
    if (address !== undefined) sites.push({ ...site, address });
    else refused.push(refusedLine(line, lineOf(shownAddress(given), 60)));
    if (sites.length + refused.length > SITE_LIST_LIMITS.sites) throw exceeded("sites");
  }
  return { sites: mergeSites(sites), refused };
}

/** What a line of a list names. */
interface Line extends Pick<ListedSite, "name" | "labels"> {
  /** From 1. */
  readonly line: number;
  readonly given: string;
  /** What `given` means; `undefined` where that is no address of a site. */
  readonly address: string | undefined;
}

function* sitesInLines(text: string): Generator<Line> {
  for (const [index, line] of text.split(/\r\n|[\n\r]/).entries()) {
    // Within an address `#` begins a fragment.
    const comment = line.search(/(?:^|\s)#/);
    const given = (comment < 0 ? line : line.slice(0, comment)).trim();
    if (given !== "") yield { line: index + 1, given, address: addressIn(given) };
  }
}

function refusedLine(line: number, address: string): RefusedAddress {
  const cure = "Write one address a line, and comments after #.";
  return { address, problem: `Line ${line} is no address: "${address}". ${cure}` };
}

/**
 * A feed reader's list has the address of each feed (`xmlUrl`) and of its site (`htmlUrl`). A change log is looked for at the
 * site, so the latter counts where both are there. Each folder around an outline is a label.
 */
function* sitesInOpml(text: string): Generator<Line> {
  for (const outline of readOpml(text)) {
    const { line, htmlUrl, xmlUrl, folders: labels } = outline;
    const given = [htmlUrl, xmlUrl].filter((one) => one !== undefined);
    const addresses = given.flatMap((one) => addressIn(one) ?? []);
    // What has no scheme may be a path.
    const address = addresses.find((one) => !isBare(one)) ?? addresses[0];
    const name = address === undefined ? undefined : nameIn(outline, address);
    yield { line, given: given[0] ?? outline.name, address, name, labels };
  }
}

/** Exporters write an address where they know no name. */
function nameIn({ name, xmlUrl = "" }: OpmlOutline, address: string): string | undefined {
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

/** Labels of a source, and UTF-16 code units of a label. */
const LIMITS = { most: 20, length: 100 } as const;

/** Labels as they are kept, each once: longer ones are cut, more of them are left out. */
export function fittingLabels(texts: readonly string[]): readonly string[] {
  const lines = texts.map((text) => lineOf(text, LIMITS.length));
  return [...new Set(lines.filter((line) => line !== ""))].slice(0, LIMITS.most);
}
