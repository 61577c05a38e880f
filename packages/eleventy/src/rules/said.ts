import type { Facts } from "@rs-emit/core/adapter";
import { computedOf, isComputed, objectOf } from "./data.ts";
import { below } from "./paths.ts";
import { Unread } from "./unread.ts";

/** What layouts, or data for the whole site, say that may decide on pages. */
export class Said {
  /** By what a layout is called; none for data. */
  readonly layouts: readonly string[];
  readonly data: Facts;
  constructor(layouts: readonly string[], data: Facts) {
    this.layouts = layouts;
    this.data = data;
  }
}

const NAMES = ["permalink", "resourcesync", "draft", "pagination", "layout"];

/** What data of a name says that may decide on pages; the name may be a path into it. */
export function dataNamed(name: string, value: unknown): Facts {
  const [first = "", second] = name.split(".");
  if (!isComputed(first)) return NAMES.includes(first) ? { [first]: textOf(value) } : {};
  if (second !== undefined) return deciding({ [first]: { [second]: value } });
  if (!(value instanceof Unread)) return deciding({ [first]: mergedGiven(value) });
  const mentioned = ["permalink", "resourcesync"].filter((one) => value.text.includes(one));
  // What it imports or spreads may say anything.
  const isAny = /\bimport\b|\brequire\b|\.\.\./.test(value.text);
  const names = isAny ? ["permalink", "resourcesync"] : mentioned;
  return deciding({ [first]: Object.fromEntries(names.map((one) => [one, value])) });
}

function mergedGiven(value: unknown): Facts {
  return { ...objectOf(value), ...objectOf(givenBy(value)) };
}

/** Of what a layout or data says, that which may decide on pages. */
export function deciding(facts: Facts): Facts {
  const own = NAMES.flatMap((name) => (name in facts ? [[name, textOf(facts[name])]] : []));
  const { permalink, resourcesync } = computedOf(facts);
  const computed = Object.entries({ permalink, resourcesync }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, textOf(value)]],
  );
  return {
    ...Object.fromEntries(own),
    ...(computed.length > 0 ? { eleventyComputed: Object.fromEntries(computed) } : {}),
  };
}

/** Names of layouts stay as they are. */
function textOf(value: unknown): unknown {
  if (typeof value === "string" || value instanceof Unread) return value;
  if (typeof value !== "function") return new Unread(JSON.stringify(value) ?? "");
  return new Unread(`${value} ${givenBy(value)}`);
}

/** Functions give the data when they are called. */
function givenBy(value: unknown): unknown {
  try {
    return typeof value === "function" ? value() : undefined;
  } catch {
    return undefined;
  }
}

/** What a file says the data of the whole site is called, where that may decide on pages. */
export function decidingData(path: string, folder: string): string | undefined {
  const rest = below(path, folder);
  const [first = "", second] = (rest ?? "").split("/").map((part) => part.split(".")[0] ?? "");
  if (rest === undefined || !(isComputed(first) || NAMES.includes(first))) return undefined;
  return second === undefined ? first : `${first}.${second}`;
}
