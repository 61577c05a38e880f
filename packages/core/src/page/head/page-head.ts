import { canonicalDigest, UNLISTED } from "../../model/search-engines.ts";
import type { Attributes, ElementKind } from "../elements.ts";
import { collapsed } from "../text-flow.ts";
import {
  exclusionBy,
  forbidsListing,
  forbidsSnippets,
  type ReaderExclusion,
  refreshTarget,
} from "./reader-exclusion.ts";

/** `<meta name="rs-emit:note" content="…">` */
function noteIn({ name, content = "" }: Readonly<Record<string, string>>): string | undefined {
  if (name?.trim().toLowerCase() !== "rs-emit:note") return undefined;
  return collapsed(content) || undefined;
}

/** `<meta name="rs-emit:minor" content="true">`, or `false` */
function minorIn({ name, content = "" }: Readonly<Record<string, string>>): boolean | undefined {
  if (name?.trim().toLowerCase() !== "rs-emit:minor") return undefined;
  const word = content.trim().toLowerCase();
  return word === "true" || (word === "false" ? false : undefined);
}

function descriptionIn({ name, content = "" }: Readonly<Record<string, string>>) {
  if (name?.trim().toLowerCase() !== "description") return undefined;
  return collapsed(content) || undefined;
}

export class PageHead {
  note: string | undefined;
  minor: boolean | undefined;
  description: string | undefined;
  #title: string | undefined;
  #inTitle = 0;
  #skipped = 0;
  forbidsSnippets = false;
  #excluded: ReaderExclusion | undefined;
  #refresh: string | undefined;
  #isWhole = false;
  #root: string | undefined;
  readonly #withoutScripts = new RedirectWithoutScripts();
  readonly #engines: EngineWords;

  /** @param url the page's URL; absent where nobody needs what it says to search engines */
  constructor(url: string | undefined) {
    this.#engines = new EngineWords(url);
  }

  open(element: ElementKind, attribs: Readonly<Record<string, string>>): void {
    const { name, isNotThePage } = element;
    this.#root ??= name;
    this.#withoutScripts.open(element, attribs);
    if (this.#inTitle > 0) this.#inTitle += 1;
    if (this.#skipped > 0 || isNotThePage) {
      this.#skipped += 1;
      return;
    }
    this.#isWhole ||= makesWhole(name);
    if (name === "title" && this.#title === undefined) {
      this.#title = "";
      this.#inTitle = 1;
    } else if (name === "meta") {
      this.#excluded ??= exclusionBy(attribs);
      this.#refresh ??= refreshTarget(attribs);
      this.forbidsSnippets ||= forbidsSnippets(attribs);
      this.note ??= noteIn(attribs);
      this.minor ??= minorIn(attribs);
      this.description ??= descriptionIn(attribs);
      this.#engines.addMeta(attribs);
    } else if (name === "link") this.#engines.addLink(attribs);
  }

  declare(text: string): void {
    this.#isWhole ||= declaresWhole(text);
  }

  close(element: ElementKind): void {
    this.#withoutScripts.close(element);
    if (this.#inTitle > 0) this.#inTitle -= 1;
    if (this.#skipped > 0) this.#skipped -= 1;
  }

  write(data: string): void {
    if (this.#inTitle > 0) this.#title += data;
    this.#withoutScripts.write(data);
  }

  get excluded(): ReaderExclusion | undefined {
    if (FEEDS.has(this.#root)) return "feed";
    const redirect = this.leadsTo === undefined ? undefined : "redirect";
    return this.#excluded ?? redirect ?? (this.#isWhole ? undefined : "fragment");
  }

  /** A redirect's target as written. The page may be excluded for another reason, too. */
  get leadsTo(): string | undefined {
    return this.#refresh ?? this.#withoutScripts.leadsTo;
  }

  get engines(): string | undefined {
    return this.#engines.attribute;
  }

  get title(): string | undefined {
    // A copy, since V8 keeps the whole page alive for any slice of it.
    return collapsed(this.#title ?? "") || undefined;
  }
}

class EngineWords {
  readonly #url: string | undefined;
  #isUnlisted = false;
  #canonical: string | undefined;

  /** @param url the page's URL, the base of relative links; absent where nobody reads the result */
  constructor(url: string | undefined) {
    this.#url = url;
  }

  addMeta({ name = "", content = "" }: Attributes): void {
    if (/^\s*(?:robots|googlebot)\s*$/i.test(name) && forbidsListing(content)) {
      this.#isUnlisted = true;
    }
  }

  /** The first canonical link counts. */
  addLink({ rel = "", href = "" }: Attributes): void {
    if (this.#url === undefined) return;
    if (!rel.toLowerCase().split(/\s+/).includes("canonical")) return;
    const target = href.trim();
    if (target === "" || !URL.canParse(target, this.#url)) return;
    this.#canonical ??= canonicalDigest(new URL(target, this.#url).href);
  }

  get attribute(): string | undefined {
    return this.#isUnlisted ? UNLISTED : this.#canonical;
  }
}

const FEEDS: ReadonlySet<string | undefined> = new Set(["feed", "rss", "rdf:rdf"]);
const WHOLE = new Set(["html", "head", "body", "frameset", "title"]);
const DECLARATION = /^(?:doctype\b|--#)/i;

/** A file with such an element is a page, not a part of pages. */
function makesWhole(element: string): boolean {
  return WHOLE.has(element);
}

/** @param declaration the text after `<!`, such as a doctype or a comment */
function declaresWhole(declaration: string): boolean {
  return DECLARATION.test(declaration);
}

/** A script that only redirects: `location = "…"`, `location.href = "…"`, `location.replace("…")`. */
const LEADS_ELSEWHERE =
  /^\s*(?:window\s*\.\s*)?location\s*(?:(?:\.\s*href\s*)?=|\.\s*(?:replace|assign)\s*\()\s*(?:"([^"\n]*)"|'([^'\n]*)')\s*\)?\s*;?\s*$/;

/** The refresh in `noscript` alone does not count: it may lead to a page that needs no scripts. */
class RedirectWithoutScripts {
  #target: string | undefined;
  readonly #ofScripts = new Set<string>();
  #inBody = false;
  #inNoscript = 0;
  #inScript = false;

  get leadsTo(): string | undefined {
    const target = this.#target;
    return target !== undefined && this.#ofScripts.has(target) ? target : undefined;
  }

  open({ name }: ElementKind, attribs: Readonly<Record<string, string>>): void {
    if (name === "body") this.#inBody = true;
    if (this.#inNoscript > 0 || name === "noscript") this.#inNoscript += 1;
    if (name === "script") this.#inScript = true;
    const isRefresh = name === "meta" && this.#inNoscript > 0 && !this.#inBody;
    if (isRefresh) this.#target ??= refreshTarget(attribs);
  }

  close({ name }: ElementKind): void {
    if (this.#inNoscript > 0) this.#inNoscript -= 1;
    if (name === "script") this.#inScript = false;
  }

  write(data: string): void {
    if (!this.#inScript) return;
    const found = LEADS_ELSEWHERE.exec(data);
    if (found !== null) this.#ofScripts.add((found[1] ?? found[2] ?? "").trim());
  }
}
