import { createHash } from "node:crypto";

/** A page as its author thinks of it. Few values each, so that pages come to be alike and return. */
export interface Page {
  /** Empty: the page has no title. */
  readonly title: string;
  /** What stands in `main`: the page's own content, unless selectors say otherwise. */
  readonly own: number;
  /** What stands in `.extra`: part of the shell, unless selectors say otherwise. */
  readonly extra: number;
  /** A comment beside the page's own content, such as a builder's time: nobody reads it. */
  readonly comment: number;
  /** The author's note, in a `meta`; empty: there is none. */
  readonly note: string;
  /** Whether a list of the newest changes stands beside the page's own content. */
  readonly list: boolean;
  /** What every page of the site has around it. */
  readonly shell: number;
  readonly visibility: "public" | "noindex" | "redirect";
}

/** How many changes a list holds. */
export const LIST_LIMIT = 3;

export const NEW_PAGE: Page = {
  title: "New",
  own: 0,
  extra: 0,
  comment: 0,
  note: "",
  list: false,
  shell: 0,
  visibility: "public",
};

const HEADS: Record<Page["visibility"], string> = {
  public: "",
  noindex: '<meta name="robots" content="noindex">',
  redirect: '<meta http-equiv="refresh" content="0; url=/">',
};

/** What rs-emit writes into a page: the end of its head, and the contents of its list of changes. */
export interface Inserted {
  readonly links: string;
  readonly changes: string;
}

/** A builder leaves the links out, and the list as its template has it. */
export const AS_BUILT: Inserted = { links: "", changes: "<li>Nothing yet</li>" };

/** The bytes of a page; a text file has no head and no shell. */
export function bytesOf(file: string, page: Page, inserted = AS_BUILT): Buffer {
  if (!isPage(file)) return Buffer.from(`Note ${page.own}\n`);
  const title = page.title === "" ? "" : `<title>${page.title}</title>`;
  const head = title + HEADS[page.visibility] + noteOf(page) + inserted.links;
  return Buffer.from(
    `<!doctype html><html><head>${head}</head><body>` +
      `<nav>Menu ${page.shell}</nav><main><p>Text ${page.own}</p></main>` +
      `<div class="extra">Extra ${page.extra}</div>${listOf(page, inserted)}${commentOf(page)}</body></html>\n`,
  );
}

function noteOf({ note }: Page): string {
  return note === "" ? "" : `<meta name="rs-emit:note" content="${note}">`;
}

function listOf({ list }: Page, { changes }: Inserted): string {
  return list
    ? `<ul data-rs-emit="changes" data-quotes="off" data-limit="${LIST_LIMIT}">${changes}</ul>`
    : "";
}

function commentOf({ comment }: Page): string {
  return comment === 0 ? "" : `<!-- built the ${comment}. time -->`;
}

/** What stands for all that is not a comment; nothing for a file that is no page. */
export function markupOf(file: string, page: Page): string | undefined {
  return isPage(file) ? bytesOf(file, { ...page, comment: 0 }).toString() : undefined;
}

export function isPage(file: string): boolean {
  return /\.(?:html?|xhtml)$/i.test(file);
}

/** Identity of a page's own content: comparable only where the same selectors told it. */
export interface OwnContent {
  readonly selector: string;
  readonly text: string;
}

export function ownContent({ title, own, extra }: Page, selector: string): OwnContent {
  return { selector, text: `${title}|${selector === ".extra" ? extra : own}` };
}

export function sameContent(one: OwnContent | undefined, other: OwnContent | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.selector === other.selector && one.text === other.text;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const TYPES: Record<string, string> = { xhtml: "application/xhtml+xml", txt: "text/plain" };

export function typeOf(file: string): string {
  return TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "text/html";
}
