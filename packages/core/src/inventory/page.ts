import type { Document, Element } from "domhandler";
import { parseDocument } from "htmlparser2";
import { decode } from "./charset.ts";
import { type ContentRule, contentOf, DEFAULT_RULE } from "./content.ts";
import { visit } from "./dom.ts";

/** What rs-emit wants to know of a page. */
export interface Page {
  /** The text of its `title`, white space collapsed; absent when empty. */
  readonly title?: string;
  /** Why the page is not meant for readers. */
  readonly hidden?: "noindex" | "redirect";
  /** Identity of its own content, `scheme:digest`. */
  readonly content: string;
}

/** How to read a page. */
export interface PageOptions {
  /** What its own content is; see `contentRule`. */
  readonly rule?: ContentRule;
  /** Whether elements may close themselves, as in XHTML. */
  readonly xhtml?: boolean;
}

/** A page that leads on within this many seconds is a redirect, not a page to read. */
const REDIRECT_SECONDS = 10;

const REFRESH = /^ ?(\d+)(?:\.[\d.]*)? ?[;, ] ?(?:url ?= ?)?["']?(.*)/i;

/** What a browser does not show, or shows only where scripts are off, says nothing of the page. */
const NOT_OF_THE_PAGE: ReadonlySet<string> = new Set(["noscript", "svg", "template"]);

/** Reads a page from its bytes, in its own charset. Any bytes are a page: never throws. */
export function readPage(bytes: Uint8Array, options: PageOptions = {}): Page {
  const { rule = DEFAULT_RULE, xhtml = false } = options;
  const document = parseDocument(decode(bytes), {
    recognizeSelfClosing: xhtml,
    recognizeCDATA: xhtml,
  });
  const { title, hidden } = readHead(document);
  return {
    ...(title === undefined ? {} : { title }),
    ...(hidden === undefined ? {} : { hidden }),
    content: contentOf(document, title, rule),
  };
}

function readHead(document: Document): Pick<Page, "title" | "hidden"> {
  const head: { title?: string; hidden?: "noindex" | "redirect" } = {};
  let titleElement: Element | undefined;
  visit(document, {
    open(element) {
      if (NOT_OF_THE_PAGE.has(element.name)) return false;
      if (element.name === "title") titleElement ??= element;
      if (element.name !== "meta" || head.hidden !== undefined) return true;
      const hidden = hiddenBy(element.attribs);
      if (hidden !== undefined) head.hidden = hidden;
      return true;
    },
  });
  const title = titleElement === undefined ? "" : textOf(titleElement);
  if (title !== "") head.title = title;
  return head;
}

function hiddenBy(attribs: Readonly<Record<string, string>>): Page["hidden"] {
  const content = collapsed(attribs.content ?? "").toLowerCase();
  if (attribs.name?.trim().toLowerCase() === "robots") {
    return content.split(/[, ]+/).some((word) => word === "noindex" || word === "none")
      ? "noindex"
      : undefined;
  }
  const isRefresh = attribs["http-equiv"]?.trim().toLowerCase() === "refresh";
  return isRefresh && leadsElsewhere(content) ? "redirect" : undefined;
}

/** HTML standard, "Refresh state": seconds, and the URL to go to; without one, the page itself. */
function leadsElsewhere(content: string): boolean {
  const [, seconds, url] = REFRESH.exec(content) ?? [];
  const target = url?.replace(/["'].*/, "").trim() ?? "";
  return Number(seconds) <= REDIRECT_SECONDS && target !== "" && !target.startsWith("#");
}

function textOf(element: Element): string {
  let text = "";
  visit(element, {
    open: () => true,
    text: (data) => {
      text += data;
    },
  });
  // The copy lets go of the page: V8 keeps the whole text alive for any slice of it.
  return Buffer.from(collapsed(text)).toString();
}

function collapsed(text: string): string {
  return text.replace(/[ \t\n\f\r]+/g, " ").trim();
}
