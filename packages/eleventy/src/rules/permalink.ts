import type { Facts } from "@rs-emit/core/adapter";
import { computedOf, objectOf } from "./data.ts";
import { PlainFunction, Unread } from "./unread.ts";

/** What decides which file a template is written to. */
export type Permalink =
  /** None: it is not written. */
  | { readonly kind: "none" }
  /** Its path, by Eleventy's own rule. */
  | { readonly kind: "default" }
  /** The author, literally. */
  | { readonly kind: "stated"; readonly text: string }
  /** The author, with data to be filled in. */
  | { readonly kind: "template"; readonly text: string }
  /** Something that only Eleventy can run: known by its text. */
  | { readonly kind: "unread"; readonly text: string };

/** What braces in a permalink mean: nothing, data to be filled in, or what only its language knows. */
export type Notation = "literal" | "plain" | "foreign";

/** The permalink that the data of a template gives it. */
export function permalinkOf(data: Facts, notation: Notation): Permalink {
  const computed = computedOf(data).permalink;
  const own = data.permalink;
  if (isGiven(computed) && isGiven(own)) {
    return { kind: "unread", text: JSON.stringify([own, computed]) };
  }
  return meaning(own ?? computed, notation);
}

function meaning(value: unknown, notation: Notation): Permalink {
  if (value === false) return { kind: "none" };
  if (value === "" || !isGiven(value)) return { kind: "default" };
  if (typeof value === "string") {
    if (notation === "literal" || !/\{[{%#]/.test(value)) return { kind: "stated", text: value };
    return { kind: notation === "plain" ? "template" : "unread", text: value };
  }
  if (value instanceof PlainFunction) return { kind: "template", text: value.template };
  if (value instanceof Unread) return { kind: "unread", text: value.text };
  const choices = objectOf(value);
  if (Object.keys(choices).length === 0) return { kind: "default" };
  return "build" in choices ? meaning(choices.build, notation) : { kind: "none" };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
