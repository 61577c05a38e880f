import type { ParentNode } from "domhandler";
import { visit } from "./dom.ts";
import { type ElementKind, elementKind, names } from "./elements.ts";
import { Outline } from "./outline.ts";
import { escaped, shownText, TextFlow } from "./text-flow.ts";

/** Attributes that a reader perceives; others serve styles, scripts or builders. */
const PERCEIVED =
  names(`action alt checked cite colspan cx cy d data datetime dir disabled hidden href
  label lang open placeholder points poster r reversed rowspan rx ry selected src srcdoc srcset start
  title transform type value x x1 x2 xlink:href y y1 y2`);

const PARTS = names("article main");

/** Which wrappers without attributes are written: the tags of `main` and `article`, or all. */
export type KeptTags = "none" | "parts" | "wrappers";

const FLAGS = names("checked disabled hidden open reversed selected");

/**
 * Equal for all markup that readers perceive as equal: white space collapsed as in CSS, element
 * names, and the perceived attributes in order. A wrapper without such attributes is left out, but
 * for the line breaks that it makes.
 */
export class NormalForm {
  readonly outline = new Outline();
  readonly #flow = new TextFlow();
  readonly #keeps: KeptTags;
  /** Of each open wrapper, whether its tags are written. */
  readonly #wrappers: boolean[] = [];
  #atStartOfPreformatted = false;

  /** @param keeps as an older scheme did */
  constructor(keeps: KeptTags = "none") {
    this.#keeps = keeps;
  }

  /** Without the title. */
  get text(): string {
    return this.#flow.text;
  }

  /** @param title empty for a page without one */
  withTitle(title: string): string {
    return `<title>${escaped(title)}\n${this.#flow.text}`;
  }

  open(element: ElementKind, attribs: Readonly<Record<string, string>>): void {
    const written = attributes(attribs);
    this.#atStartOfPreformatted = element.isPreformatted;
    if (this.#writesTagsOf(element, written)) {
      this.#flow.open(element, element.isPreformatted);
      this.outline.open(element, attribs, this.#flow.text.length);
      this.#flow.put(`<${element.name}${written}>`);
    } else {
      this.outline.open(element, attribs, this.#flow.text.length);
      this.#breakLineAt(element);
    }
  }

  close(element: ElementKind): void {
    const isWritten = !element.isWrapper || this.#wrappers.pop() === true;
    if (isWritten) {
      this.#flow.close(element, element.isPreformatted);
      this.#flow.put(`</${element.name}>`);
    } else this.#breakLineAt(element);
    this.outline.close(element, this.#flow.text.length);
  }

  #writesTagsOf({ isWrapper, name }: ElementKind, attributes: string): boolean {
    if (!isWrapper) return true;
    const isKept = this.#keeps === "wrappers" || (this.#keeps === "parts" && PARTS.has(name));
    const isWritten = attributes !== "" || isKept;
    this.#wrappers.push(isWritten);
    return isWritten;
  }

  #breakLineAt({ breaksLine }: ElementKind): void {
    if (breaksLine) this.#flow.breakUnseen();
  }

  write(data: string, shown: string): void {
    this.#flow.write(data, shown, this.#atStartOfPreformatted);
    if (this.#flow.isVerbatim) this.#atStartOfPreformatted = false;
  }

  endText(): void {
    this.#flow.endText();
  }

  add(root: ParentNode): void {
    visit(root, {
      open: ({ name, attribs }) => {
        const element = elementKind(name);
        if (element.isUnseen) return false;
        this.open(element, attribs);
        return true;
      },
      close: ({ name }) => this.close(elementKind(name)),
      text: (data) => {
        this.write(data, shownText(data));
        this.endText();
      },
    });
  }
}

function attributes(attribs: Readonly<Record<string, string>>): string {
  const written = Object.keys(attribs);
  if (written.length === 0) return "";
  let text = "";
  for (const name of written.filter(isPerceived).sort()) {
    text += ` ${name}="${attributeValue(name, attribs[name] ?? "")}"`;
  }
  return text;
}

function isPerceived(name: string): boolean {
  return PERCEIVED.has(name);
}

function attributeValue(name: string, value: string): string {
  if (FLAGS.has(name)) return "";
  return shownText(value.trim()).replaceAll('"', "&quot;");
}
