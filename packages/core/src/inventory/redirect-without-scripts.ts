import type { ElementKind } from "./elements.ts";
import { refreshTarget } from "./meta-refresh.ts";

/** A script that only redirects: `location = "…"`, `location.href = "…"`, `location.replace("…")`. */
const LEADS_ELSEWHERE =
  /^\s*(?:window\s*\.\s*)?location\s*(?:(?:\.\s*href\s*)?=|\.\s*(?:replace|assign)\s*\()\s*(?:"([^"\n]*)"|'([^'\n]*)')\s*\)?\s*;?\s*$/;

/** The refresh in `noscript` alone does not count: it may lead to a page that needs no scripts. */
export class RedirectWithoutScripts {
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
