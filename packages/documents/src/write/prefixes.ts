import { invalidValueError } from "../errors.ts";
import type { ForeignAttribute } from "../model.ts";
import { RESOURCESYNC, XML } from "../namespaces.ts";
import { check, type Format, URI } from "./values.ts";

const START =
  "A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D" +
  "\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}";
const ASCII_NAME = /^[A-Z_a-z][\w.-]*$/;
const NAME = new RegExp(`^[${START}][${START}\\-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040]*$`, "u");

const NC_NAME: Format = {
  allowed: "an XML name without colon",
  accepts: (value) => ASCII_NAME.test(value) || NAME.test(value),
};
const FOREIGN: Format = {
  allowed: "the absolute URI of a namespace other than ResourceSync's and XML's own",
  accepts: (value) =>
    value !== RESOURCESYNC && value !== "http://www.w3.org/2000/xmlns/" && URI.accepts(value),
};

/** Names of foreign attributes. Prefixes that are given are declared on the root, others at their element. */
export class Prefixes {
  readonly declared: ReadonlyMap<string, string>;
  readonly #byNamespace = new Map<string, string>([[XML, "xml"]]);

  /** @throws {DocumentError} `INVALID_VALUE` for a prefix that is no name or has a meaning already */
  constructor(prefixes: Readonly<Record<string, string>> = {}) {
    this.declared = new Map(Object.entries(prefixes));
    for (const [prefix, namespace] of this.declared) {
      check(NC_NAME, "prefix", prefix, namespace);
      if (/^xml/i.test(prefix) || prefix === "rs") {
        throw invalidValueError("prefix", prefix, "any but rs and those with xml", namespace);
      }
      if (namespace === XML) throw invalidValueError("namespace", XML, "any but XML's", prefix);
      check(FOREIGN, "namespace", namespace, prefix);
      if (!this.#byNamespace.has(namespace)) this.#byNamespace.set(namespace, prefix);
    }
  }

  /**
   * Each new prefix is declared first.
   * @throws {DocumentError} `INVALID_VALUE` for an invalid name or namespace, or a repeated attribute
   */
  qualify(foreign: readonly ForeignAttribute[], subject: string): ReadonlyMap<string, string> {
    const written = new Map<string, string>();
    let local: Map<string, string> | undefined;
    for (const { namespace, name, value } of foreign) {
      let prefix = this.#byNamespace.get(namespace) ?? local?.get(namespace);
      if (prefix === undefined) {
        check(FOREIGN, "namespace", namespace, subject);
        local ??= new Map();
        prefix = this.#free(new Set(local.values()));
        local.set(namespace, prefix);
        written.set(`xmlns:${prefix}`, namespace);
      }
      check(NC_NAME, "attribute name", name, subject);
      const qualified = `${prefix}:${name}`;
      if (written.has(qualified)) {
        throw invalidValueError(qualified, value, "each attribute once", subject);
      }
      written.set(qualified, value);
    }
    return written;
  }

  #free(taken: ReadonlySet<string>): string {
    let number = 1;
    while (this.declared.has(`ns${number}`) || taken.has(`ns${number}`)) number += 1;
    return `ns${number}`;
  }
}
