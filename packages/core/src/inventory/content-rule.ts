import { hash } from "node:crypto";
import { compile } from "css-select";
import { type Document, DomHandler, type Element } from "domhandler";
import type { ParserOptions } from "htmlparser2";
import { PageParser } from "../model/page-parser.ts";
import { outermost } from "./dom.ts";
import { UNSEEN } from "./elements.ts";
import { ContentSelectorError } from "./errors.ts";
import type { KeptTags, NormalForm } from "./normal-form.ts";

/** What counts as a page's own content (design, "What is a page, and what is minor"). */
export interface ContentRule {
  readonly scheme: string;
  /** An older scheme with the same selectors: pages are compared with a log that has it. */
  readonly formerScheme: (former: FormerReading) => string;
  /** What remembered blocks are called by: they can be compared where it is equal. */
  readonly memory: string;
  /** Writes the own content into a normal form; where it returns none, the default rule decides. */
  readonly read?: (
    html: string,
    options: ParserOptions,
    form: NormalForm,
  ) => NormalForm | undefined;
}

/** How an older version of the rules read a page: with the navigation in `main` and `article`. */
export interface FormerReading {
  readonly version: string;
  /** With all wrappers, parts in hidden elements counted too. */
  readonly keeps: KeptTags;
}

/** Increase it whenever the same page would get another identity, and keep the reading before. */
const VERSION = "3";

export const FORMER_READINGS: readonly FormerReading[] = [
  { version: "2", keeps: "parts" },
  { version: "1", keeps: "wrappers" },
];

/** Since then navigation is left out, which is no new block of any page. */
const MEMORY_VERSION = "2";

export const DEFAULT_RULE: ContentRule = schemesOf([]);

const DIGEST_LENGTH = 32;

/** css-select takes these incomplete selectors for "nothing matches". */
const UNFINISHED = /(?:^|[>+~])\s*$/;

/** @throws {ContentSelectorError} for a selector that cannot be parsed */
export function contentRule(selectors: readonly string[]): ContentRule {
  if (selectors.length === 0) return DEFAULT_RULE;
  const tests = selectors.map((selector) => {
    try {
      if (UNFINISHED.test(selector)) throw new SyntaxError("something is missing at its end");
      return compile<Element, Element>(selector);
    } catch (error) {
      throw new ContentSelectorError(selector, error);
    }
  });
  const matches = (element: Element) => tests.some((test) => holds(test, element));
  return {
    ...schemesOf(selectors),
    read(html, options, form) {
      const parts = outermost(treeOf(html, options), matches, UNSEEN);
      if (parts.length === 0) return undefined;
      for (const part of parts) form.add(part);
      return form;
    },
  };
}

export function contentIdentity(scheme: string, form: string): string {
  return `${scheme}:${hash("sha256", form, "hex").slice(0, DIGEST_LENGTH)}`;
}

class TreeHandler extends DomHandler {
  get depth(): number {
    return this.tagStack.length - 1; // The document itself is the first.
  }
}

function treeOf(html: string, options: ParserOptions): Document {
  const handler = new TreeHandler();
  new PageParser(handler, options).end(html);
  return handler.root;
}

/** `:contains()` and similar recurse; a page nested too deep for them matches nothing. */
function holds(test: (element: Element) => boolean, element: Element): boolean {
  try {
    return test(element);
  } catch {
    return false;
  }
}

function schemesOf(selectors: readonly string[]): Omit<ContentRule, "read"> {
  return {
    scheme: contentScheme(selectors),
    formerScheme: ({ version }) => contentScheme(selectors, version),
    memory: contentScheme(selectors, MEMORY_VERSION),
  };
}

/** The version of the rules, and a digest of the selectors where there are any. */
export function contentScheme(selectors: readonly string[], version = VERSION): string {
  if (selectors.length === 0) return version;
  return `${version}.${hash("sha256", selectors.join("\n"), "hex").slice(0, 8)}`;
}

/** Whether an older scheme told it. */
export function isFormerIdentity(content: string): boolean {
  return FORMER_READINGS.some(({ version }) => content.split(/[:.]/, 1)[0] === version);
}
