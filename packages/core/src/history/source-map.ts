import { readFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { decodeText } from "@rs-emit/documents";
import { EmitError } from "../model/errors.ts";
import { mention, type Sentence, sentence } from "../model/sentence.ts";
import { alternateUrls, composedKey } from "../model/url.ts";
import type { Settings } from "../options/settings.ts";

/** Names of columns or properties: `hugo list all` writes `permalink` and `path`. */
const URL_NAMES = ["url", "permalink"];
const SOURCE_NAMES = ["source", "path"];

function sourceMapError(file: string, why: string, cause?: unknown): EmitError {
  const cure = sentence`Check the option ${mention("sourceMap")}: it names a .csv file with the columns url and source, or a .json file such as { "/moss/": "content/moss.md" }.`;
  return unusableError(file, why, cure, cause);
}

/** The list is another site's: the builder has another address. */
function otherAddressError(file: string, site: string, first: string): EmitError {
  const cure = sentence`Give the builder the address of the site (in Hugo: baseURL), and run it again, or change the option ${mention("url")}.`;
  return unusableError(file, `has no page below ${site}; its first is ${first}`, cure);
}

function unusableError(file: string, why: string, cure: Sentence, cause?: unknown): EmitError {
  return new EmitError({
    code: "SOURCE_MAP",
    isUsage: true,
    problem: `The source map ${file} ${why}.`,
    cure,
    option: "sourceMap",
    cause,
  });
}

type SourceOf = (page: string) => string | undefined;

/**
 * Paths in the list are relative to the working directory.
 * @returns by page, a file of the output folder: the absolute path of its source file
 * @throws {EmitError} `SOURCE_MAP`
 */
export async function readSourceMap(
  file: string,
  { site }: Pick<Settings, "site">,
): Promise<SourceOf> {
  const pairs = await readPairs(file);
  const sources = new Map<string, string>();
  for (const [address, source] of pairs) {
    if (source === "" || !URL.canParse(address, site)) continue;
    const url = new URL(address, site).href.replace(/\/index\.s?html$/, "/");
    if (url.startsWith(site)) sources.set(composedKey(url), resolve(source));
  }
  if (sources.size === 0) {
    const [first] = pairs;
    throw first === undefined
      ? sourceMapError(file, "is empty")
      : otherAddressError(file, site, first[0]);
  }
  return (page) => {
    const sourceOf = (url: string) => sources.get(composedKey(url)) ?? [];
    return alternateUrls(site, page).flatMap(sourceOf)[0];
  };
}

type SourcePair = readonly [address: string, source: string];

async function readPairs(file: string): Promise<readonly SourcePair[]> {
  const rows = await readRows(file);
  if (Array.isArray(rows)) return rows.map((row: unknown) => pairOf(row, file));
  if (typeof rows !== "object" || rows === null) throw sourceMapError(file, "is no list");
  return Object.entries(rows).map(([address, source]: [string, unknown]) => {
    if (typeof source === "string") return [address, source];
    throw sourceMapError(file, `gives ${address} no path`);
  });
}

async function readRows(file: string): Promise<unknown> {
  try {
    const text = decodeText(readFileSync(file));
    return extname(file).toLowerCase() === ".json" ? JSON.parse(text) : await parseCsv(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw sourceMapError(file, `cannot be read (${reason})`, error);
  }
}

/** Lazy: only CSV needs the parser. */
async function parseCsv(text: string): Promise<unknown> {
  const { parse } = await import("csv-parse/sync");
  return parse(text, { columns: true, skip_empty_lines: true, trim: true });
}

function pairOf(row: unknown, file: string): SourcePair {
  const entries: [string, unknown][] =
    typeof row === "object" && row !== null ? Object.entries(row) : [];
  const find = (names: readonly string[]): string => {
    const value = entries.find(([name]) => names.includes(name.toLowerCase()))?.[1];
    if (typeof value === "string") return value;
    throw sourceMapError(file, `has an entry without ${names.join(" or ")}`);
  };
  return [find(URL_NAMES), find(SOURCE_NAMES)];
}
