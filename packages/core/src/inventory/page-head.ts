import type { ElementKind } from "./elements.ts";
import { EngineWords } from "./engine-words.ts";
import { exclusionBy, type ReaderExclusion } from "./excluded-page.ts";
import { declaresWhole, makesWhole } from "./fragments.ts";
import { refreshTarget } from "./meta-refresh.ts";
import { RedirectWithoutScripts } from "./redirect-without-scripts.ts";
import { forbidsSnippets } from "./robots-meta.ts";
import { collapsed } from "./text-flow.ts";

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
  readonly #withoutScripts = new RedirectWithoutScripts();
  readonly #engines: EngineWords;

  /** @param url the page's URL; absent where nobody needs what it says to search engines */
  constructor(url: string | undefined) {
    this.#engines = new EngineWords(url);
  }

  open(element: ElementKind, attribs: Readonly<Record<string, string>>): void {
    const { name, isNotThePage } = element;
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
