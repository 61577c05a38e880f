import { isDocumentError, parseDatetime, robotsSitemaps } from "@rs-emit/documents";
import {
  addressIn,
  HarvestError,
  listedDigest,
  listedIn,
  OptedOutError,
  readHttpDate,
  resolveUrl,
  respectRobots,
  type Transport,
} from "@rs-emit/reader";
import { readDate } from "@rs-emit/reader/read/change";
import { DescriptionReader } from "@rs-emit/reader/read/site-descriptions";
import { readSiteList } from "../../packages/harvester/src/site-list.ts";
import { fileOf, foldedPath } from "../../packages/harvester/src/sync/copy/file-name.ts";
import { BOUNDS } from "../bounds.ts";
import { type Reader, wordsOf } from "../reader.ts";
import { answerOf, transportTo } from "./answers.ts";

const SITE = "https://example.org/";
const ABOUT = "https://example.org/about.xml";

/** Addresses that rules of a robots.txt may be about. The last is as long as the harvester takes. */
const ASKED = ["", "a/b.html?x=1", `${"a/".repeat(3900)}`].map((path) => SITE + path);

/** Lines of an input that are read as values: dates, digests, addresses. Each is as short as a header at most. */
const VALUES = { most: 100, length: 16_384 };

const READER: Reader = {
  name: "text",
  reads: "robots.txt, descriptions, lists of sites; dates, digests and addresses in documents",
  bounds: BOUNDS,
  functions: [
    {
      name: "respectRobots",
      throws: [HarvestError],
      run: async (bytes) => {
        const transport = respectRobots(hostWith(bytes), { now: () => 0 });
        for (const url of ASKED) await transport.get(url).catch(unlessOptedOut);
      },
    },
    {
      name: "robotsSitemaps",
      throws: [],
      run: (bytes) =>
        robotsSitemaps(Buffer.from(bytes).toString()).map((url) => resolveUrl(url, SITE)),
    },
    {
      name: "DescriptionReader.read",
      throws: [HarvestError],
      run: (bytes) => {
        const reader = new DescriptionReader(transportTo(new Map([[ABOUT, bytes]])), new Map());
        return reader.read({ urls: [ABOUT], about: SITE, isKnown: false });
      },
    },
    {
      name: "readSiteList",
      throws: [HarvestError],
      run: (bytes) => readSiteList(Buffer.from(bytes).toString()),
    },
    { name: "values", throws: [], run: (bytes) => valuesIn(bytes).forEach(readValue) },
    { name: "fileOf", throws: [], run: (bytes) => valuesIn(bytes).forEach(nameFile) },
  ],
  words: wordsOf("text"),
};

export default READER;

/** A host whose pages are all there. */
function hostWith(robots: Uint8Array): Transport {
  return {
    async get(url, _, permit) {
      await permit?.(url);
      return answerOf(url, url.endsWith("/robots.txt") ? robots : new Uint8Array());
    },
  };
}

function unlessOptedOut(error: unknown): void {
  if (!(error instanceof OptedOutError)) throw error;
}

function valuesIn(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes).toString().split("\n", VALUES.most);
  return lines.map((line) => line.slice(0, VALUES.length));
}

function readValue(text: string): void {
  readDate(text);
  readHttpDate(text);
  listedDigest(text);
  listedIn({ hash: text, length: text });
  addressIn(text);
  try {
    parseDatetime(text);
  } catch (error) {
    if (!isDocumentError(error, "DATETIME")) throw error;
  }
}

/** A name of a file never leads out of its folder. */
function nameFile(text: string): void {
  const url = resolveUrl(text, SITE);
  if (url === undefined) return;
  const file = fileOf(url, SITE);
  const names = file.split("/");
  const isSafe = names.every(
    (name) => name !== "" && !/^\.\.?$/.test(name) && !name.includes("\\"),
  );
  if (!isSafe || foldedPath(file) === "") throw new RangeError(`${url} would be the file ${file}`);
}
