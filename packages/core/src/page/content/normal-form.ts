import type { ParentNode } from "domhandler";
import { type Attributes, type ElementKind, elementKind, names } from "../elements.ts";
import { escaped, shownText, TextFlow } from "../text-flow.ts";
import { visit } from "./dom.ts";
import { ID, type LinkAddresses } from "./link-addresses.ts";
import { Outline } from "./outline.ts";

/** Attributes that a reader perceives; others serve styles, scripts or builders. */
const PERCEIVED = names(`alt checked cite colspan cx cy d data datetime dir disabled hidden href
  label lang open placeholder points poster r reversed rowspan rx ry selected src srcdoc srcset start
  title transform type value x x1 x2 xlink:href y y1 y2`);

const FLAGS = names("checked disabled hidden open reversed selected");

const ID_LINK = new RegExp(`#${ID}([^"]*)`, "g");

const LINKS = names("href xlink:href");
const FILES = names("poster src");

/** Readers see the `value` of these elements, except of fields of the types below. */
const WITH_VALUE = names("input li meter progress");
const WITHOUT_VALUE = names("checkbox file hidden image password radio");

/**
 * Equal for all markup that readers perceive as equal: collapsed text, element names, perceived attributes
 * with normalized addresses. A wrapper without such attributes only adds its line breaks.
 */
export class NormalForm {
  readonly outline = new Outline();
  readonly #flow = new TextFlow();
  readonly #addresses: LinkAddresses | undefined;
  /** For each open wrapper: whether its tags are written. */
  readonly #wrappers: boolean[] = [];
  #atStartOfPreformatted = false;
  #isUnseen = false;

  /** @param addresses absent where addresses count as written */
  constructor(addresses?: LinkAddresses) {
    this.#addresses = addresses;
  }

  /** Without the title; see {@link LinkAddresses.link} for links within the page. */
  get text(): string {
    return this.#flow.text;
  }

  /** @param title empty for a page without one */
  withTitle(title: string): string {
    const text = `<title>${escaped(title)}\n${this.#flow.text}`.normalize("NFC");
    if (!text.includes(ID)) return text;
    const wanted = new Set([...text.matchAll(ID_LINK)].map(([, id = ""]) => id));
    const ids = [...this.outline.ids.values()].map((id) => attributeText(id));
    const places = new Map(
      [...new Set(ids.filter((id) => wanted.has(id)))].map((id, at) => [id, at]),
    );
    return text.replace(ID_LINK, (_, id) => `#${places.get(id) ?? ""}`);
  }

  open(element: ElementKind, attribs: Attributes): void {
    this.#isUnseen = isUnseen(element, attribs);
    if (this.#isUnseen) return;
    const written = attributes(element, attribs, this.#addresses);
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
    if (this.#isUnseen) {
      this.#isUnseen = false;
      return;
    }
    const isWritten = !element.isWrapper || this.#wrappers.pop() === true;
    if (isWritten) {
      this.#flow.close(element, element.isPreformatted);
      this.#flow.put(`</${element.name}>`);
    } else this.#breakLineAt(element);
    this.outline.close(element, this.#flow.text.length);
  }

  #writesTagsOf({ isWrapper }: ElementKind, attributes: string): boolean {
    if (!isWrapper) return true;
    const isWritten = attributes !== "";
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

/** A field for programs, or a picture that counts visitors. Both are void elements. */
function isUnseen({ name }: ElementKind, attribs: Attributes): boolean {
  if (name === "input") return attribs.type?.trim().toLowerCase() === "hidden";
  const isDot = (size: string | undefined) => size !== undefined && /^ *[01](?:px)? *$/.test(size);
  return name === "img" && isDot(attribs.width) && isDot(attribs.height);
}

function attributes(
  { name: element }: ElementKind,
  attribs: Attributes,
  addresses: LinkAddresses | undefined,
): string {
  const written = Object.keys(attribs);
  if (written.length === 0) return "";
  let text = "";
  for (const name of written.filter((one) => PERCEIVED.has(one)).sort()) {
    const value = attribs[name] ?? "";
    if (name === "value" && !showsValue(element, attribs)) continue;
    text += ` ${name}="${FLAGS.has(name) ? "" : attributeText(comparedValue(name, value, addresses))}"`;
  }
  return text;
}

function showsValue(element: string, { type = "" }: Attributes): boolean {
  return WITH_VALUE.has(element) && !WITHOUT_VALUE.has(type.trim().toLowerCase());
}

function comparedValue(name: string, value: string, addresses: LinkAddresses | undefined): string {
  if (addresses === undefined) return value;
  if (LINKS.has(name)) return addresses.link(value);
  return FILES.has(name) ? addresses.file(value) : value;
}

function attributeText(value: string): string {
  return shownText(value.trim()).replaceAll('"', "&quot;");
}
