import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HeadersFileError } from "../model/errors.ts";
import { CAPABILITY_LIST, HEADERS, NOTIFICATION, SOURCE_DESCRIPTION } from "../model/layout.ts";
import type { CollectionWork } from "../model/plan.ts";
import type { ComposedDocument } from "./staging.ts";

const BEGIN = "# rs-emit begins: each run writes the lines up to the end anew";
const END = "# rs-emit ends";
/** The marker lines and the text between them, with the line end before and after. */
const OWN_LINES = new RegExp(`(?:^|(?<=\n))${BEGIN}\r?\n(?:[\\s\\S]*?\n)?${END}(?:\r?\n|$)`);

interface HeaderFacts {
  readonly url: string;
  /** Whether its own URL is a page of its log. */
  readonly hasPage: boolean;
}

export function headerFactsOf({ collection: { url }, derived }: CollectionWork): HeaderFacts {
  return { url, hasPage: derived.snapshot.some((page) => page.url === url) };
}

/**
 * Only a collection's own page gets a header: a Capability List must pertain to whatever links it
 * (ResourceSync 1.1, section 6.3.3), and a pattern would match pages that are no resources.
 * @param collections empty to remove our lines
 * @returns `undefined` where no file exists and none is needed
 * @throws {HeadersFileError} where only one of the marker lines is left
 */
export function composeHeadersFile(
  folder: string,
  site: string,
  collections: readonly HeaderFacts[],
  hub: string | undefined,
): ComposedDocument | undefined {
  const before = readLines(join(folder, HEADERS));
  const own = collections.length === 0 ? "" : ownLines(site, collections, hub);
  const after = withOwnLines(before ?? "", own);
  if (own === "" && after === (before ?? "")) return undefined;
  return { path: HEADERS, bytes: Buffer.from(after, "latin1"), isAuthors: true };
}

/** Latin-1 keeps every byte of the author's lines. */
function readLines(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true ? readFileSync(file, "latin1") : undefined;
}

function withOwnLines(before: string, own: string): string {
  if (OWN_LINES.test(before)) return before.replace(OWN_LINES, () => own);
  if (before.includes(BEGIN) || before.includes(END)) throw new HeadersFileError(BEGIN, END);
  const gap = own === "" || before === "" || before.endsWith("\n") ? "" : "\n";
  return before + gap + own;
}

function ownLines(
  site: string,
  collections: readonly HeaderFacts[],
  hub: string | undefined,
): string {
  const rules = collections.flatMap(({ url, hasPage }) => {
    const list = link(url + CAPABILITY_LIST, "resourcesync");
    const topic = url + NOTIFICATION;
    return [
      ...(hasPage ? [rule(url, [`Link: ${list}`])] : []),
      ...(hub === undefined
        ? []
        : [rule(topic, [XML, `Link: ${link(topic, "self")}, ${link(hub, "hub")}, ${list}`])]),
    ];
  });
  return [BEGIN, rule(site + SOURCE_DESCRIPTION, [XML]), ...rules, END, ""].join("\n");
}

/** Hosts guess a type by the name, and the Source Description has no extension. */
const XML = "Content-Type: application/xml";

function rule(url: string, headers: readonly string[]): string {
  return [new URL(url).pathname, ...headers.map((header) => `  ${header}`)].join("\n");
}

function link(url: string, rel: string): string {
  return `<${new URL(url).href}>; rel="${rel}"`;
}
