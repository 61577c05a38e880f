import type { ElementKind } from "./elements.ts";
import { exclusionBy } from "./for-readers.ts";

/** A script that leads elsewhere: `location = …`, `location.href = …`, `location.replace(…)`. */
const LEADS_ELSEWHERE =
  /\blocation\s*(?:\.\s*href\s*)?=(?!=)|\blocation\s*\.\s*(?:replace|assign)\s*\(/;

/**
 * A redirect by script, with a refresh in `noscript` of the head for readers without scripts. The refresh
 * alone is none: it also leads from a page that needs scripts to another one that does not.
 */
export class RedirectWithoutScripts {
  #hasRefresh = false;
  #hasScript = false;
  #inBody = false;
  #inNoscript = 0;
  #inScript = false;

  get isRedirect(): boolean {
    return this.#hasRefresh && this.#hasScript;
  }

  open({ name }: ElementKind, attribs: Readonly<Record<string, string>>): void {
    if (name === "body") this.#inBody = true;
    if (this.#inNoscript > 0 || name === "noscript") this.#inNoscript += 1;
    if (name === "script") this.#inScript = true;
    const isRefresh = name === "meta" && this.#inNoscript > 0 && !this.#inBody;
    if (isRefresh) this.#hasRefresh ||= exclusionBy(attribs) === "redirect";
  }

  close({ name }: ElementKind): void {
    if (this.#inNoscript > 0) this.#inNoscript -= 1;
    if (name === "script") this.#inScript = false;
  }

  write(data: string): void {
    if (this.#inScript && !this.#inBody) this.#hasScript ||= LEADS_ELSEWHERE.test(data);
  }
}
