import type { PassedOver } from "../model.ts";
import { type Attribute, isLinkName, isMetadataName } from "./builder.ts";
import type { ElementName } from "./scope.ts";

/** At most this many are recorded. */
const MOST = 10_000;

const SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

/** The elements of an entry in the order of the Sitemap protocol's schema, then ResourceSync's. */
const DETAILS: Readonly<Record<string, readonly string[]>> = {
  urlset: ["loc", "lastmod", "changefreq", "priority", "rs:md", "rs:ln"],
  sitemapindex: ["loc", "lastmod", "rs:md", "rs:ln"],
};
const REPEATABLE = ["url", "sitemap", "rs:ln"];

/** Records the parts of a document that its reader ignores. */
export class PassedOverNotes {
  readonly list: PassedOver[] = [];
  #root = "";
  #entries = 0;
  #child: string | undefined;
  #inField = false;
  /** The depth of an element whose content is not examined: it is foreign, or recorded as a whole. */
  #skipped: number | undefined;
  #inRoot: string[] = [];
  #inEntry: string[] = [];

  /** Elements of other namespaces are allowed wherever the schema allows any. */
  open(depth: number, element: ElementName, attributes: readonly Attribute[], line: number): void {
    if (this.#skipped !== undefined) return;
    const { known, namespace, local } = element;
    if (known === undefined && namespace !== "") this.#skipped = depth;
    else if (known === undefined || !this.#isAllowed(depth, known)) {
      this.#note("element", local, line, local);
      this.#skipped = depth;
    } else this.#element(depth, known, attributes, line);
  }

  close(depth: number): void {
    if (this.#skipped === depth) this.#skipped = undefined;
    if (depth === 3) this.#inField = false;
    if (depth === 2) this.#child = undefined;
  }

  text(text: string, line: number): void {
    if (this.#skipped !== undefined || this.#inField || !/\S/.test(text)) return;
    this.#note("text", text.trim(), line, this.#child ?? this.#root);
  }

  #element(depth: number, name: string, attributes: readonly Attribute[], line: number): void {
    if (depth === 1) this.#root = name;
    else {
      if (depth === 2) this.#begin(name);
      else this.#inField = !name.startsWith("rs:");
      this.#place(depth === 2 ? this.#inRoot : this.#inEntry, name, line);
    }
    for (const attribute of attributes) this.#attribute(name, attribute, line);
  }

  #begin(name: string): void {
    this.#child = name;
    if (name.startsWith("rs:")) return;
    this.#entries += 1;
    this.#inEntry = [];
  }

  #isAllowed(depth: number, known: string): boolean {
    if (depth === 1) return true;
    if (depth === 2) return /^(?:url|sitemap|rs:md|rs:ln)$/.test(known);
    const inEntry = this.#child === "url" || this.#child === "sitemap";
    return depth === 3 && inEntry && DETAILS[this.#root]?.includes(known) === true;
  }

  #place(siblings: string[], name: string, line: number): void {
    if (siblings.includes(name)) {
      if (!REPEATABLE.includes(name)) this.#note("repeated", name, line, name);
      return;
    }
    const last = Math.max(-1, ...siblings.map((one) => this.#rank(one)));
    if (this.#rank(name) < last) this.#note("order", name, line, name);
    siblings.push(name);
  }

  /** `rs:md` and `rs:ln` may be in any order. */
  #rank(name: string): number {
    if (name === "url" || name === "sitemap") return Number.POSITIVE_INFINITY;
    return name.startsWith("rs:") ? 10 : (DETAILS[this.#root]?.indexOf(name) ?? 0);
  }

  #attribute(element: string, { namespace, name }: Attribute, line: number): void {
    if (namespace === SCHEMA_INSTANCE) return;
    const where = `${element}@${name.slice(0, 100)}`;
    if (!element.startsWith("rs:")) this.#note("bare", name, line, where);
    else if (namespace === undefined) {
      const isKnown = element === "rs:md" ? isMetadataName(name) : isLinkName(name);
      if (!isKnown) this.#note("attribute", name, line, where);
    }
  }

  #note(form: PassedOver["form"], name: string, line: number, place: string): void {
    if (this.list.length >= MOST) return;
    const isInEntry = this.#child === "url" || this.#child === "sitemap";
    const entry = isInEntry ? `entry ${this.#entries}, ` : "";
    const where = `line ${line}, ${entry}${place.slice(0, 200)}`;
    this.list.push({ form, name: name.slice(0, 200), where });
  }
}
