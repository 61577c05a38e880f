import type { Attributes, ElementKind } from "../elements.ts";
import type { LinkAddresses } from "./link-addresses.ts";
import { NormalForm } from "./normal-form.ts";
import { isHidden } from "./outline.ts";

/** Browsers ignore the end tags of these elements (HTML standard, "after body"). */
const ENDS_NOTHING: ReadonlySet<string> = new Set(["body", "html"]);

class ContentParts {
  readonly form: NormalForm;
  readonly #begins: (element: ElementKind, attribs: Attributes) => boolean;
  readonly #isLeftOut: (element: ElementKind) => boolean;
  #passedOver: ElementKind | undefined;
  /** Browsers show what follows the end of the body in the body. */
  readonly #isOpenEnded: boolean;
  #depth = 0;
  #skipped = 0;

  constructor(
    begins: (element: ElementKind, attribs: Attributes) => boolean,
    isLeftOut: (element: ElementKind) => boolean,
    addresses: LinkAddresses | undefined,
    { isInside = false, isOpenEnded = false } = {},
  ) {
    this.form = new NormalForm(addresses);
    this.#begins = begins;
    this.#isLeftOut = isLeftOut;
    this.#isOpenEnded = isOpenEnded;
    if (isInside) this.#depth = 1;
  }

  open(element: ElementKind, attribs: Attributes, mayBegin: boolean): boolean {
    const isInside = this.#depth > 0;
    if (this.#skipped > 0 || element.isUnseen || (isInside && this.#isLeftOut(element))) {
      this.#skipped += 1;
      return false;
    }
    if (!isInside && !(mayBegin && this.#begins(element, attribs))) return false;
    this.#depth += 1;
    this.form.open(element, attribs);
    return !isInside;
  }

  close(element: ElementKind): void {
    if (this.#skipped > 0) this.#skipped -= 1;
    else if (this.#isOpenEnded && ENDS_NOTHING.has(element.name)) {
      if (this.#depth > 0) this.#passedOver ??= element;
    } else if (this.#depth > 0) {
      this.#depth -= 1;
      this.form.close(element);
    }
  }

  finish(): NormalForm {
    if (this.#passedOver !== undefined) this.form.close(this.#passedOver);
    this.#passedOver = undefined;
    return this.form;
  }

  write(data: string, shown: string): void {
    if (this.#depth > 0 && this.#skipped === 0) this.form.write(data, shown);
  }
}

/**
 * Design, "What is a page". The preferred element may come last, so all are collected. Elements in hidden
 * ones do not count: dialogs at a page's end have their own `main`.
 */
export class OwnContent {
  /** The preferred part is last. */
  #gathered: readonly ContentParts[];
  /** The number of open elements from the outermost hidden element on. */
  #hidden = 0;
  /** The number of open elements whose asides are not the page's own. */
  #around = 0;

  constructor(addresses: LinkAddresses | undefined) {
    this.#gathered = [
      new ContentParts(never, isChrome, addresses, { isInside: true }),
      new ContentParts(isBody, isChrome, addresses, { isOpenEnded: true }),
      new ContentParts(isArticle, isNavigation, addresses),
      new ContentParts(isMain, isNavigation, addresses),
    ];
  }

  open(element: ElementKind, attribs: Attributes): void {
    const mayBegin = this.#hidden === 0 && !(isAside(element) && this.#around > 0);
    if (isAround(element)) this.#around += 1;
    if (this.#hidden > 0 || isHidden(attribs)) this.#hidden += 1;
    for (let at = this.#gathered.length - 1; at >= 0; at--) {
      if (!this.#gathered[at]?.open(element, attribs, mayBegin)) continue;
      // What stands beside the preferred element does not make it preferred.
      if (isAside(element)) continue;
      if (at > 0) this.#gathered = this.#gathered.slice(at);
      return;
    }
  }

  close(element: ElementKind): void {
    if (this.#hidden > 0) this.#hidden -= 1;
    if (isAround(element)) this.#around -= 1;
    for (const parts of this.#gathered) parts.close(element);
  }

  write(data: string, shown: string): void {
    for (const parts of this.#gathered) parts.write(data, shown);
  }

  endText(): void {
    for (const parts of this.#gathered) parts.form.endText();
  }

  form(): NormalForm {
    return this.#gathered[0]?.finish() ?? new NormalForm();
  }
}

function never(): boolean {
  return false;
}

function isChrome(element: ElementKind): boolean {
  return element.isChrome && !isAside(element);
}

function isAround(element: ElementKind): boolean {
  return element.name === "dialog" || isChrome(element);
}

/** Authors write there what is new, and what they read or play. */
function isAside({ name }: ElementKind): boolean {
  return name === "aside";
}

/** On many sites `main` contains the site's menu, and links to the next and previous page. */
function isNavigation({ name }: ElementKind): boolean {
  return name === "nav";
}

function isBody({ name }: ElementKind): boolean {
  return name === "body";
}

function isArticle(element: ElementKind): boolean {
  return element.name === "article" || isAside(element);
}

function isMain(element: ElementKind, attribs: Attributes): boolean {
  const isMarked = element.name === "main" || attribs.role?.trim().toLowerCase() === "main";
  return isMarked || isAside(element);
}
