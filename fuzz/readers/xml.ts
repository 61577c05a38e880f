import { judgeDocument } from "@rs-emit/check";
import {
  DocumentError,
  openDocument,
  openSitemap,
  readDocumentSync,
  readLocated,
} from "@rs-emit/documents";
import { DigestedBytes, HarvestError } from "@rs-emit/reader";
import { OpenDocument } from "@rs-emit/reader/read/open-document";
import { readChangeList } from "@rs-emit/reader/read/read-change-list";
import { READING_LIMITS } from "@rs-emit/reader/read/reading-limits";
import { understand } from "@rs-emit/reader/read/site-descriptions";
import { readFeed } from "../../packages/check/src/feed.ts";
import { readFeedList } from "../../packages/harvester/src/opml.ts";
import {
  LIST_LIMITS,
  openList,
  readContents,
} from "../../packages/harvester/src/readers/sitemap/list-contents.ts";
import { readSiteList } from "../../packages/harvester/src/site-list.ts";
import { BOUNDS } from "../bounds.ts";
import { type Reader, wordsOf } from "../reader.ts";
import { answerOf, drained, piecesOf } from "./answers.ts";
import { pageTaker } from "./page-taker.ts";

const URL_OF_IT = "https://example.org/changelist.xml";
const HOSTS = new Set(["example.org"]);
const NOW = 1_800_000_000;

const READER: Reader = {
  name: "xml",
  reads: "ResourceSync documents, sitemaps, feeds, OPML and descriptions in XML",
  bounds: BOUNDS,
  functions: [
    {
      name: "readDocumentSync, judgeDocument",
      throws: [DocumentError],
      run: (bytes) => judgeDocument(readDocumentSync(bytes)),
    },
    { name: "readLocated", throws: [DocumentError], run: (bytes) => readLocated(bytes) },
    {
      name: "openDocument",
      throws: [DocumentError],
      run: async (bytes) => drained(await openDocument(piecesOf(bytes))),
    },
    {
      name: "openSitemap",
      throws: [DocumentError],
      run: async (bytes) => drained(await openSitemap(piecesOf(bytes), { skipMissingLoc: true })),
    },
    { name: "readFeed", throws: [], run: readFeed },
    { name: "readChangeList", throws: [HarvestError], run: readChanges },
    { name: "OpenDocument.summary", throws: [HarvestError], run: readSummary },
    { name: "openList, readContents", throws: [HarvestError], run: readPages },
    {
      name: "understand",
      throws: [HarvestError],
      run: (bytes) => understand(bytes, { about: "https://example.org/", base: URL_OF_IT }),
    },
    {
      name: "readSiteList, readFeedList",
      throws: [HarvestError],
      run: (bytes) => {
        const text = Buffer.from(bytes).toString();
        readSiteList(text);
        readFeedList(text);
      },
    },
  ],
  words: wordsOf("xml"),
};

export default READER;

async function opened(bytes: Uint8Array): Promise<OpenDocument> {
  const answer = answerOf(URL_OF_IT, bytes);
  return OpenDocument.open(URL_OF_IT, answer, undefined, { skipMissingLoc: true });
}

async function readChanges(bytes: Uint8Array): Promise<void> {
  const rules = { hosts: HOSTS, useLastmod: true, now: NOW };
  await readChangeList(await opened(bytes), rules, READING_LIMITS, READING_LIMITS.entries);
}

async function readSummary(bytes: Uint8Array): Promise<void> {
  await (await opened(bytes)).summary(READING_LIMITS);
}

async function readPages(bytes: Uint8Array): Promise<void> {
  const list = await openList(URL_OF_IT, new DigestedBytes(piecesOf(bytes), undefined));
  await readContents(URL_OF_IT, list, {
    taker: pageTaker(),
    rules: { list: 1, base: URL_OF_IT, hosts: HOSTS, now: NOW },
    limits: LIST_LIMITS,
    pagesBefore: 0,
  });
}
