import { CAPABILITY_LIST, HEADERS, NOTIFICATION, SOURCE_DESCRIPTION } from "../model/layout.ts";
import type { CollectionWork } from "../model/plan.ts";
import type { ComposedDocument } from "./composed-document.ts";
import { withOwnLines } from "./own-lines.ts";

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
 * @param collections empty to remove the lines of rs-emit
 * @returns `undefined` where no file exists and none is needed. Throws ownLinesError.
 */
export function composeHeadersFile(
  folder: string,
  site: string,
  collections: readonly HeaderFacts[],
  hub: string | undefined,
): ComposedDocument | undefined {
  const lines = collections.length === 0 ? [] : ownLines(site, collections, hub);
  return withOwnLines(folder, HEADERS, lines);
}

function ownLines(
  site: string,
  collections: readonly HeaderFacts[],
  hub: string | undefined,
): readonly string[] {
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
  return [rule(site + SOURCE_DESCRIPTION, [XML]), ...rules];
}

/** Hosts guess a type by the name, and the Source Description has no extension. */
const XML = "Content-Type: application/xml";

function rule(url: string, headers: readonly string[]): string {
  return [new URL(url).pathname, ...headers.map((header) => `  ${header}`)].join("\n");
}

function link(url: string, rel: string): string {
  return `<${new URL(url).href}>; rel="${rel}"`;
}
