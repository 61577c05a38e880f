import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  byDepth,
  fileRules,
  isPage,
  ownDocuments,
  type Settings,
  walk,
} from "@rs-emit/core/adapter";
import { type Handler, Parser } from "htmlparser2";
import { pathOfList, resourceSyncLink } from "./link.ts";

/**
 * Puts the link into each page of the output folder that does not have one, at the end of its head.
 * Bytes besides it stay as they are.
 *
 * @param isLeftAlone tells the pages that this build did not write
 * @returns what puts the pages back as they were
 */
export async function insertLinks(
  settings: Settings,
  isLeftAlone: (file: string) => boolean = () => false,
): Promise<() => void> {
  const { folder, collections } = settings;
  const isOwnDocument = ownDocuments(collections, settings.feed?.file);
  const found = await walk(folder, fileRules({ ...settings, isOwnDocument }));
  const collectionOf = byDepth(collections);
  const originals = new Map<string, Buffer>();
  for (const file of found.candidates) {
    const collection = collectionOf(file);
    if (collection === undefined || !isPage(file) || isLeftAlone(file)) continue;
    const bytes = readFileSync(join(folder, file));
    const link = resourceSyncLink(pathOfList(collection));
    const linked = withLink(bytes, link, /\.xhtml$/i.test(file));
    if (linked === undefined) continue;
    writeFileSync(join(folder, file), linked);
    originals.set(file, bytes);
  }
  return () => {
    for (const [file, bytes] of originals) writeFileSync(join(folder, file), bytes);
  };
}

/** The page with the link; `undefined` when it has one, or is in a charset that is not ASCII's kin. */
export function withLink(bytes: Buffer, link: string, isXhtml = false): Buffer | undefined {
  // One character a byte, so that a place in the text is a place in the bytes.
  const text = bytes.toString("latin1");
  if (text.includes("\0")) return undefined;
  const place = placeForLink(text, isXhtml);
  if (place === undefined) return undefined;
  const element = Buffer.from(isXhtml ? link.replace(/>$/, " />") : link);
  return Buffer.concat([bytes.subarray(0, place), element, bytes.subarray(place)]);
}

/** Where the head of a page ends; `undefined` when the link is there. */
function placeForLink(html: string, isXhtml: boolean): number | undefined {
  // An implied head begins after the byte order mark and whatever stands before the first element.
  let place = html.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
  let isLinked = false;
  const handler: Partial<Handler> = {
    onprocessinginstruction: () => {
      place = parser.endIndex + 1;
    },
    onopentag: (name, { rel = "" }) => {
      if (name === "link" && rel.toLowerCase().split(/\s+/).includes("resourcesync")) {
        isLinked = true;
        parser.pause();
      } else if (name === "html" || name === "head") {
        place = parser.endIndex + 1;
      } else if (!IN_HEAD.has(name)) {
        if (name === "body") place = parser.startIndex;
        parser.pause();
      }
    },
    onclosetag: (name, isImplied) => {
      if (name !== "head" || isImplied) return;
      place = parser.startIndex;
      parser.pause();
    },
  };
  const parser = new Parser(handler, { recognizeSelfClosing: isXhtml });
  parser.write(html);
  return isLinked ? undefined : place;
}

/** Elements of the head: HTML standard, "Metadata content". */
const IN_HEAD = new Set([
  "base",
  "link",
  "meta",
  "noscript",
  "script",
  "style",
  "template",
  "title",
]);
