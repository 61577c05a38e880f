import { hash } from "node:crypto";
import { layoutsWith, names, TextFlow } from "./text-flow.ts";

/** Raise it whenever the same page would get another identity. */
const SCHEME = "1";

const DIGEST_LENGTH = 32;

/** Elements whose text is no markup, by some parser at least: comments in them may be text. */
const RAW = names("iframe noembed noframes noscript plaintext script style textarea title xmp");

const LAYOUTS = layoutsWith(
  "iframe listing noembed noframes plaintext pre script style textarea xmp",
);

/** A line end that follows such a tag is dropped by browsers, but not where a comment stands between. */
const DROPS_LINE_END = names("listing pre");

/** Comments that servers or browsers act on: server-side includes, old Internet Explorers, edge caches. */
const ACTED_ON = /^<!--(?:#|\[if|<!\[endif|esi)/i;

/** In such a script a browser may look for another end than the parser did. */
const HIDES_ITS_END = /<!--.*<script/is;

/**
 * The tokens of a page without its comments, as one text: tags as they are written, text with its
 * entities decoded and the white space that is seen. Where in doubt, it differs.
 */
export class Markup {
  readonly #flow = new TextFlow(LAYOUTS);
  /** How many open elements have text that may look like a comment. */
  #raw = 0;
  #isScript = false;
  #isUnsure = false;
  #dropsLineEnd = false;

  open(name: string): void {
    this.#flow.open(name);
    if (RAW.has(name)) this.#raw += 1;
    this.#isScript = name === "script";
    this.#dropsLineEnd = DROPS_LINE_END.has(name);
  }

  /** @param isImplied whether another tag ended it: parsers do not agree on that */
  close(name: string, isImplied: boolean): void {
    const staysOpen = isImplied && (RAW.has(name) || LAYOUTS.get(name)?.isVerbatim);
    if (!staysOpen) {
      this.#flow.close(name);
      if (RAW.has(name)) this.#raw -= 1;
    }
    this.#isScript = false;
    this.#dropsLineEnd = false;
  }

  write(data: string, shown: string): void {
    if (this.#isScript && HIDES_ITS_END.test(data)) this.#isUnsure = true;
    this.#flow.write(data, shown);
    this.#dropsLineEnd = false;
  }

  endText(): void {
    this.#flow.endText();
  }

  /** Adds an end tag, also one that ends nothing. */
  endTag(name: string): void {
    this.#dropsLineEnd = false;
    this.#flow.put(`</${name}>`);
  }

  /** Adds an open tag or a declaration, as it is written. */
  put(token: string): void {
    this.#flow.put(token);
  }

  /** @param token the whole comment, as it is written */
  comment(token: string): void {
    if (this.#raw > 0 || this.#isUnsure || ACTED_ON.test(token)) this.#flow.put(token);
    else if (this.#dropsLineEnd) this.#flow.put("<!---->");
  }

  /** `scheme:digest` */
  identity(): string {
    return `${SCHEME}:${hash("sha256", this.#flow.text, "hex").slice(0, DIGEST_LENGTH)}`;
  }
}
