import { hash } from "node:crypto";
import { compile } from "css-select";
import { type Document, DomHandler, type Element } from "domhandler";
import type { ParserOptions } from "htmlparser2";
import { EmitError } from "../../model/errors.ts";
import { UNSEEN } from "../elements.ts";
import { PageParser } from "../page-parser.ts";
import { outermost } from "./dom.ts";
import type { NormalForm } from "./normal-form.ts";

/** What is a page's own content (design, "What is a page, and what is minor"). */
export interface ContentRule {
  readonly scheme: string;
  /** Writes the own content into a normal form. Where it returns nothing, the default rule decides. */
  readonly read?: (
    html: string,
    options: ParserOptions,
    form: NormalForm,
  ) => NormalForm | undefined;
}

/** Increase it whenever the same page would get another identity. */
const VERSION = "1";

export const DEFAULT_RULE: ContentRule = { scheme: contentScheme([]) };

const DIGEST_LENGTH = 32;

/** css-select treats these incomplete selectors as "matches nothing". */
const UNFINISHED = /(?:^|[>+~])\s*$/;

/** @throws {EmitError} `CONTENT_SELECTOR` for a selector that cannot be parsed */
export function contentRule(selectors: readonly string[]): ContentRule {
  if (selectors.length === 0) return DEFAULT_RULE;
  const tests = selectors.map((selector) => {
    try {
      if (UNFINISHED.test(selector)) throw new SyntaxError("something is missing at its end");
      return compile<Element, Element>(selector);
    } catch (error) {
      throw contentSelectorError(selector, error);
    }
  });
  const matches = (element: Element) => tests.some((test) => holds(test, element));
  return {
    scheme: contentScheme(selectors),
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

/** Identities of different rules are never equal. */
export function isIdentityBy(scheme: string, identity: string | undefined): boolean {
  return identity?.startsWith(`${scheme}:`) === true;
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

/** `:contains()` and similar selectors recurse. A page nested too deep for them matches nothing. */
function holds(test: (element: Element) => boolean, element: Element): boolean {
  try {
    return test(element);
  } catch {
    return false;
  }
}

/** The version of the rules and, if there are selectors, a digest of them. */
export function contentScheme(selectors: readonly string[]): string {
  if (selectors.length === 0) return VERSION;
  return `${VERSION}.${hash("sha256", selectors.join("\n"), "hex").slice(0, 8)}`;
}

function contentSelectorError(selector: string, cause: unknown): EmitError {
  return new EmitError({
    code: "CONTENT_SELECTOR",
    isUsage: true,
    problem: `The content selector "${selector}" cannot be understood.`,
    cure: 'Write a CSS selector such as "main", "#content" or ".post".',
    option: "content",
    cause,
  });
}
