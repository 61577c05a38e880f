import type { Facts } from "@rs-emit/core/adapter";
import { objectOf } from "./data.ts";

/**
 * A value that an old version computes: it is known only that the same text gives the same.
 *
 * Old versions are never run: what they import may be gone, or another by now.
 */
export class Unread {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A permalink that a function puts together from data and nothing else, in Liquid's notation. */
export class PlainFunction {
  readonly template: string;
  constructor(template: string) {
    this.template = template;
  }
}

/** Whatever names a page counts; of the rest, what looks like a property or a variable. */
const DECIDING = {
  permalink: /(?<![\w$.])permalink(?![\w$])/g,
  resourcesync: named("resourcesync"),
  draft: named("draft"),
  dynamicPermalink: named("dynamicPermalink"),
};

/** Reads from a script's text what it says plainly of pages; what it computes is `Unread`. */
export function readScript(text: string): Facts {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const facts: Record<string, unknown> = {};
  for (const [key, mentions] of Object.entries(DECIDING)) {
    const [mention, ...others] = code.matchAll(mentions);
    if (mention === undefined) continue;
    const value = valueAfter(code.slice(mention.index + key.length));
    const fact = value === undefined || others.length > 0 ? new Unread(code) : meaning(value, code);
    const isComputed = /(?:eleventy|buildawesome)Computed/.test(code.slice(0, mention.index));
    if (isComputed) facts.eleventyComputed = { ...objectOf(facts.eleventyComputed), [key]: fact };
    else facts[key] = fact;
  }
  if (/(?<![\w$.])pagination["']?\s*:/.test(code)) facts.pagination = true;
  // What is spread into the data may say anything.
  if (/[{,]\s*\.\.\./.test(code)) facts.permalink ??= new Unread(code);
  return facts;
}

function named(key: string): RegExp {
  return new RegExp(`(?<![\\w$.])${key}(?=["']?\\s*:|\\s*=(?![=>])|\\s*[(,}])`, "g");
}

/** The expression after a property's or a variable's name; `undefined` where there is none. */
function valueAfter(rest: string): string | undefined {
  const [start, sign] = /^["']?\s*(:|=(?![=>]))\s*/.exec(rest) ?? [];
  if (start === undefined) return undefined;
  const ends = sign === ":" ? [","] : [",", ";", "\n", ""];
  const text = rest.slice(start.length);
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const isClosing = /^[)\]}]$/.test(token);
    if (depth === 0 && (isClosing || ends.includes(token))) return text.slice(0, index).trim();
    if (isClosing) depth--;
    else if (/^[([{]$/.test(token)) depth++;
  }
  return undefined;
}

/** Strings, brackets, and what may end an expression. */
const TOKENS = /(["'`])(?:\\[\s\S]|(?!\1)[\s\S])*\1|[([{}\]),;\n]|$/g;

/** What an expression gives, as far as that can be read. */
function meaning(value: string, code: string): unknown {
  if (value === "true" || value === "false") return value === "true";
  const quoted = /^(["'])((?:(?!\1)[^\\])*)\1$/.exec(value) ?? /^(`)([^\\`$]*)`$/.exec(value);
  if (quoted?.[2] !== undefined) return quoted[2];
  const template = plainTemplate(value);
  if (template !== undefined) return new PlainFunction(template);
  // What else the file defines or imports may be used by the expression.
  const isAlone = !/\b(?:import|require|function|const|let|var|class)\b/.test(
    code.replace(value, ""),
  );
  return new Unread(isAlone ? value.replace(/\s+/g, " ") : code);
}

/** `(data) => `/${data.page.fileSlug}/`` as `/{{ page.fileSlug }}/`. */
function plainTemplate(value: string): string | undefined {
  const [, data, page, text] =
    /^(?:\(?(\w+)\)?|\(\s*\{\s*(page)\s*\}\s*\))\s*=>\s*`([^\\`]*)`$/.exec(value) ?? [];
  if (text === undefined) return undefined;
  const prefix = data === undefined ? "" : `${data}.`;
  let isPlain = true;
  const template = text.replace(/\$\{\s*([\w.]+)\s*\}/g, (_, path: string) => {
    isPlain &&= path.startsWith(prefix) && (page === undefined || path.startsWith("page."));
    return `{{ ${path.slice(prefix.length)} }}`;
  });
  return isPlain && !template.includes("${") ? template : undefined;
}
