import { type Facts, frontMatter } from "@rs-emit/core/adapter";
import type { EleventySettings } from "../eleventy.ts";
import { isComputed } from "./data.ts";
import { isScript } from "./data-files.ts";
import { readScript } from "./script.ts";
import { unknownFacts } from "./unread.ts";

/** Summaries and the like decide nothing, and there are many versions. */
const LONGEST = 300;

/** Reads what a version of a template says that may decide on its page. */
export function readTemplate(
  bytes: Uint8Array,
  isCode: boolean,
  settings: EleventySettings,
): Facts {
  const text = new TextDecoder().decode(bytes);
  if (isCode) return readScript(text);
  if (hasOwnFrontMatter(settings)) return unreadable(text);
  const [, language, block] = /^---[ \t]*(\w+)[ \t]*\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? [];
  if (block !== undefined && /^(?:js|javascript)$/.test(language ?? "")) return readScript(block);
  if (block !== undefined && language === "json") return readJson(block);
  // What begins with more dashes is text.
  if (/^\uFEFF?----/.test(text)) return {};
  const data = frontMatter(bytes);
  return data === undefined ? unreadable(text) : deciding(data);
}

/** Whether the site reads front matter in a way of its own. */
function hasOwnFrontMatter({ frontMatterParsingOptions }: EleventySettings): boolean {
  const { delimiters, language = "yaml", engines = {} } = frontMatterParsingOptions ?? {};
  return delimiters !== undefined || language !== "yaml" || "json" in engines || "js" in engines;
}

/** Reads what a version of a data file says that may decide on pages. */
export function readData(
  file: string,
  bytes: Uint8Array,
  { dataExtensions }: EleventySettings,
): Facts {
  const text = new TextDecoder().decode(bytes);
  if (isScript(file)) return readScript(text);
  const parser = dataExtensions.get(file.slice(file.lastIndexOf(".") + 1))?.parser;
  if (parser === undefined) return readJson(text);
  try {
    return deciding(parser(text, file));
  } catch {
    return unreadable(text);
  }
}

function readJson(text: string): Facts {
  try {
    return deciding(JSON.parse(text));
  } catch {
    return unreadable(text);
  }
}

function deciding(data: unknown): Facts {
  if (typeof data !== "object" || data === null || data instanceof Promise) {
    return unreadable(String(data));
  }
  const entries = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (name === "pagination") return [[name, true]];
    return mayDecide(name, value) ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}

function mayDecide(name: string, value: unknown): boolean {
  if (name === "permalink" || isComputed(name)) return true;
  return (JSON.stringify(value)?.length ?? 0) <= LONGEST;
}

/** A version that says something which cannot be read. */
function unreadable(text: string): Facts {
  return unknownFacts(text);
}
