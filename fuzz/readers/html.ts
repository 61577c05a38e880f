import { resourceSyncLinks } from "@rs-emit/check";
import { peek } from "@rs-emit/reader/discover/peek";
import { linksOf, parseLinkHeader } from "@rs-emit/reader/page-links";
import { understand } from "@rs-emit/reader/read/site-descriptions";
import { contentRule } from "../../packages/core/src/page/content/content-rule.ts";
import {
  findMarks,
  isWritable,
} from "../../packages/core/src/page/placeholders/find-placeholders.ts";
import { readPage } from "../../packages/core/src/page/read-page.ts";
import { readStatement } from "../../packages/core/src/page/site-statement.ts";
import { BOUNDS } from "../bounds.ts";
import { type Reader, wordsOf } from "../reader.ts";
import { answerOf, LONGEST_HEADER } from "./answers.ts";

const PAGE = "https://example.org/page.html";
const SITE = "https://example.org/";

const BY_SELECTORS = contentRule(["main", "div > p"]);

const READER: Reader = {
  name: "html",
  reads: "pages, and the header Link beside them",
  bounds: BOUNDS,
  functions: [
    {
      name: "readPage",
      throws: [],
      run: (bytes) =>
        readPage(bytes, {
          url: PAGE,
          site: SITE,
          memory: { had: new Set() },
        }),
    },
    { name: "readPage of XHTML", throws: [], run: (bytes) => readPage(bytes, { xhtml: true }) },
    {
      name: "readPage by selectors",
      throws: [],
      run: (bytes) => readPage(bytes, { rule: BY_SELECTORS }),
    },
    { name: "findMarks", throws: [], run: (bytes) => isWritable(bytes) && findMarks(bytes, false) },
    {
      name: "findMarks of XHTML",
      throws: [],
      run: (bytes) => isWritable(bytes) && findMarks(bytes, true),
    },
    { name: "readStatement", throws: [], run: readStatement },
    {
      name: "resourceSyncLinks",
      throws: [],
      run: (bytes) => resourceSyncLinks(bytes, PAGE, headerIn(bytes)),
    },
    {
      name: "peek, linksOf",
      throws: [],
      run: async (bytes) => {
        const page = await peek(PAGE, answerOf(PAGE, bytes, headerIn(bytes)));
        return [linksOf(page, "resourcesync"), linksOf(page, "sitemap")];
      },
    },
    { name: "parseLinkHeader", throws: [], run: (bytes) => parseLinkHeader(headerIn(bytes)) },
    {
      name: "understand",
      throws: [],
      // Before any other markup, so that it is a page whatever follows.
      run: (bytes) =>
        understand(Buffer.concat([Buffer.from("<html>"), bytes]), { about: PAGE, base: PAGE }),
    },
  ],
  words: wordsOf("html"),
};

export default READER;

/** A header of a response is as long as the client takes at most, and of one line. */
function headerIn(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, LONGEST_HEADER)).toString("latin1");
  return text.replace(/[\r\n\0]/g, " ");
}
