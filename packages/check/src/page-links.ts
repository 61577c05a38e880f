import { decodeText } from "@rs-emit/documents";
import { BEGINNING, linksInHead, linksOf } from "@rs-emit/reader/page-links";

const ATOM = "application/atom+xml";

/** The targets of a page's links with the relation `resourcesync` (ResourceSync 1.1, section 6.3.3), absolute. */
export function resourceSyncLinks(page: Uint8Array, url: string, link = ""): readonly string[] {
  const text = beginningOf(page, /resourcesync/i);
  return linksOf({ text, base: url, link }, "resourcesync");
}

/** Absolute URLs. */
export function feedLinks(page: Uint8Array, url: string): readonly string[] {
  const isAtom = (type: string) => type.toLowerCase() === ATOM;
  const links = linksInHead(beginningOf(page, /atom\+xml/i), url, "alternate", isAtom);
  return links.filter((href) => href !== undefined);
}

/** What the harvester reads of a page; nothing where the word is not in it, since parsing takes much longer. */
function beginningOf(page: Uint8Array, word: RegExp): string {
  const text = decodeText(page.subarray(0, BEGINNING));
  // A character reference may stand for any letter.
  return word.test(text) || text.includes("&#") ? text : "";
}
