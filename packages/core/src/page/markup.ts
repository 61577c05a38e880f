import { hash } from "node:crypto";
import type { ElementKind } from "./elements.ts";
import { TextFlow } from "./text-flow.ts";

/** Increase it whenever the same page would get another identity. */
const SCHEME = "1";

const DIGEST_LENGTH = 32;

/** Server-side includes, old Internet Explorers and edge caches act on these comments. */
const ACTED_ON = /^<!--(?:#|\[if|<!\[endif|esi)/i;

const SCRIPT = /<script/i;

/** Tags as written; text with decoded entities and visible white space. In doubt, texts differ. */
export class Markup {
  readonly #flow = new TextFlow();
  #raw = 0;
  #isScript = false;
  #isUnsure = false;
  #dropsLineEnd = false;

  open(element: ElementKind): void {
    this.#flow.open(element, element.isVerbatim);
    if (element.hasRawText) this.#raw += 1;
    this.#isScript = element.name === "script";
    this.#dropsLineEnd = element.dropsLineEnd;
  }

  /** @param isImplied whether another tag closed the element: parsers disagree on that */
  close(element: ElementKind, isImplied: boolean): void {
    const staysOpen = isImplied && (element.hasRawText || element.isVerbatim);
    if (!staysOpen) {
      this.#flow.close(element, element.isVerbatim);
      if (element.hasRawText) this.#raw -= 1;
    }
    this.#isScript = false;
    this.#dropsLineEnd = false;
  }

  write(data: string, shown: string): void {
    if (this.#isScript && hidesItsEnd(data)) this.#isUnsure = true;
    this.#flow.write(data, shown);
    this.#dropsLineEnd = false;
  }

  endText(): void {
    this.#flow.endText();
  }

  endTag(token: string): void {
    this.#dropsLineEnd = false;
    this.#flow.put(token);
  }

  put(token: string): void {
    this.#flow.put(token);
  }

  comment(token: string): void {
    if (this.#raw > 0 || this.#isUnsure || ACTED_ON.test(token)) this.#flow.put(token);
    else if (this.#dropsLineEnd) this.#flow.put("<!---->");
  }

  /** Visible text, escaped and in lower case, and the text of scripts and styles. */
  get text(): string {
    return this.#flow.text.replace(/<[^>]*>/g, "").toLowerCase();
  }

  identity(): string {
    return `${SCHEME}:${hash("sha256", this.#flow.text, "hex").slice(0, DIGEST_LENGTH)}`;
  }
}

/** Browsers and the parser may find different ends of such a script. */
function hidesItsEnd(script: string): boolean {
  const comment = script.indexOf("<!--");
  return comment >= 0 && SCRIPT.test(script.slice(comment));
}
