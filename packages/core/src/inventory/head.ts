import type { ElementKind } from "./elements.ts";

/** Why a page is not meant for readers. */
export type Hidden = "noindex" | "redirect";

/** A page that leads on within this many seconds is a redirect, not a page to read. */
const REDIRECT_SECONDS = 10;

const REFRESH = /^ ?(\d+)(?:\.[\d.]*)? ?[;, ] ?(?:url ?= ?)?["']?(.*)/i;

/** What a page says of itself: its title, and whether it is for readers. */
export class Head {
  hidden: Hidden | undefined;
  #title: string | undefined;
  /** Open elements from the title on; none outside it. */
  #inTitle = 0;
  /** Open elements from one on that says nothing of the page. */
  #skipped = 0;

  open({ name, isNotThePage }: ElementKind, attribs: Readonly<Record<string, string>>): void {
    if (this.#inTitle > 0) this.#inTitle += 1;
    if (this.#skipped > 0 || isNotThePage) {
      this.#skipped += 1;
    } else if (name === "title" && this.#title === undefined) {
      this.#title = "";
      this.#inTitle = 1;
    } else if (name === "meta") {
      this.hidden ??= hiddenBy(attribs);
    }
  }

  close(): void {
    if (this.#inTitle > 0) this.#inTitle -= 1;
    if (this.#skipped > 0) this.#skipped -= 1;
  }

  write(data: string): void {
    if (this.#inTitle > 0) this.#title += data;
  }

  /** White space collapsed; `undefined` when there is none, or an empty one. */
  get title(): string | undefined {
    // The copy lets go of the page: V8 keeps the whole text alive for any slice of it.
    return Buffer.from(collapsed(this.#title ?? "")).toString() || undefined;
  }
}

function hiddenBy(attribs: Readonly<Record<string, string>>): Hidden | undefined {
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

function collapsed(text: string): string {
  return text.replace(/[ \t\n\f\r]+/g, " ").trim();
}
