import { contentRule } from "../../packages/core/src/page/content/content-rule.ts";
import {
  findMarks,
  isWritable,
} from "../../packages/core/src/page/placeholders/find-placeholders.ts";
import { readPage } from "../../packages/core/src/page/read-page.ts";
import { COST_BOUNDS } from "../bounds.ts";
import { type Reader, wordsOf } from "../reader.ts";

const SITE = "https://example.org/";
const PAGE = `${SITE}page.html`;

/** Bytes of two pages of the same shape. What is much shorter fits into memory that costs less to tidy. */
const SHORT = 1_250_000;
const LONG = 4 * SHORT;

/** How much more the longer page may cost: four times, plus a tenth. */
const MOST = 4.4;

/** Milliseconds for each byte that are never too many: what costs as little is measured badly. */
const LITTLE = 0.0001;

/** Garbage of the page before may be collected while one is read, so both are read again in doubt. */
const READINGS = 4;

const BY_SELECTORS = contentRule(["main", "div > p"]);

class CostError extends Error {}

const READER: Reader = {
  name: "cost",
  reads: "pages of 5 MB and of a quarter of that, of the same shapes",
  bounds: COST_BOUNDS,
  functions: [
    compared("readPage", (bytes) =>
      readPage(bytes, { url: PAGE, site: SITE, memory: { had: new Set() } }),
    ),
    compared("readPage by selectors", (bytes) => readPage(bytes, { rule: BY_SELECTORS })),
    compared("findMarks", (bytes) => isWritable(bytes) && findMarks(bytes, false)),
  ],
  words: wordsOf("cost"),
};

export default READER;

function compared(name: string, read: (bytes: Uint8Array) => unknown) {
  return {
    name,
    throws: [],
    run(shapes: Uint8Array) {
      const text = Buffer.from(shapes).toString();
      const pages = [pageOf(text, SHORT), pageOf(text, LONG)] as const;
      let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let reading = 0; reading < READINGS; reading += 1) {
        short = Math.min(
          short,
          timeOf(() => read(pages[0])),
        );
        long = Math.min(
          long,
          timeOf(() => read(pages[1])),
        );
        if (long <= Math.max(short * MOST, LONG * LITTLE)) return;
      }
      const words = `${Math.round(long)} ms for ${LONG} bytes, ${Math.round(short)} ms for ${SHORT}`;
      throw new CostError(words);
    },
  };
}

/** Milliseconds of a processor. */
function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The first line begins the page. Each other one is a shape, which is repeated with other numbers until it has
 * its share of the page.
 */
function pageOf(text: string, bytes: number): Buffer {
  const [head = "", ...shapes] = text.split("\n").filter((line) => line !== "");
  const share = Math.ceil(bytes / Math.max(1, shapes.length));
  return Buffer.from(head + shapes.map((shape) => repeated(shape, share)).join(""));
}

function repeated(shape: string, bytes: number): string {
  if (!/\d/.test(shape)) return shape.repeat(Math.ceil(bytes / Buffer.byteLength(shape)));
  const parts: string[] = [];
  for (let length = 0; length < bytes; length += Buffer.byteLength(parts.at(-1) ?? "")) {
    parts.push(shape.replaceAll(/\d+/g, `${parts.length}`));
  }
  return parts.join("");
}
