import { hash } from "node:crypto";
import type { Document, Element, ParentNode } from "domhandler";
import { outermost } from "./dom.ts";
import { ContentSelectorError } from "./errors.ts";
import { NormalForm } from "./normal-form.ts";
import { contentScheme } from "./scheme.ts";

/** How a page's own content is told from its shell (design, "What counts as a change"). */
export interface ContentRule {
  readonly scheme: string;
  /** Whether custom selectors match; without it, or where nothing matches, the default decides. */
  readonly matches?: (element: Element) => boolean;
}

/** The title and `main`, else `article`, else the body without its shell. */
export const DEFAULT_RULE: ContentRule = { scheme: contentScheme([]) };

const DIGEST_LENGTH = 32;

/** Selectors that css-select takes for "nothing matches". */
const UNFINISHED = /(?:^|[>+~])\s*$/;

/** Never content: code, and what only the browser reads. `noscript` has what lazy pages show. */
const UNSEEN: ReadonlySet<string> = new Set([
  "base",
  "head",
  "link",
  "meta",
  "script",
  "style",
  "template",
]);

const SHELL: ReadonlySet<string> = new Set([...UNSEEN, "aside", "footer", "header", "nav"]);

/**
 * The rule that CSS selectors make. css-select is loaded only when there are any.
 *
 * @throws ContentSelectorError for a selector that cannot be understood.
 */
export async function contentRule(selectors: readonly string[]): Promise<ContentRule> {
  if (selectors.length === 0) return DEFAULT_RULE;
  const { compile } = await import("css-select");
  const tests = selectors.map((selector) => {
    try {
      if (UNFINISHED.test(selector)) throw new SyntaxError("something is missing at its end");
      return compile<Element, Element>(selector);
    } catch (error) {
      throw new ContentSelectorError(selector, error);
    }
  });
  return {
    scheme: contentScheme(selectors),
    matches: (element) => tests.some((test) => holds(test, element)),
  };
}

/** The identity of a page's own content: `scheme:digest`. */
export function contentOf(
  document: Document,
  title: string | undefined,
  rule: ContentRule,
): string {
  const form = new NormalForm(title ?? "");
  const parts = chosenParts(document, rule);
  if (parts.length > 0) for (const part of parts) form.add(part, UNSEEN);
  else for (const body of bodiesOf(document)) form.add(body, SHELL);
  return `${rule.scheme}:${hash("sha256", form.text, "hex").slice(0, DIGEST_LENGTH)}`;
}

function chosenParts(document: Document, { matches }: ContentRule): Element[] {
  for (const test of [matches, isMain, isArticle]) {
    const parts = test === undefined ? [] : outermost(document, test, UNSEEN);
    if (parts.length > 0) return parts;
  }
  return [];
}

function bodiesOf(document: Document): readonly ParentNode[] {
  const bodies = outermost(document, (element) => element.name === "body", UNSEEN);
  return bodies.length > 0 ? bodies : [document];
}

function isMain({ name, attribs }: Element): boolean {
  return name === "main" || attribs.role?.trim().toLowerCase() === "main";
}

function isArticle({ name }: Element): boolean {
  return name === "article";
}

/** `:contains()` and the like recurse: a page nested too deep for them matches nothing. */
function holds(test: (element: Element) => boolean, element: Element): boolean {
  try {
    return test(element);
  } catch {
    return false;
  }
}
