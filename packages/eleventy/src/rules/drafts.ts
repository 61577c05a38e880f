import type { Facts } from "@rs-emit/core/adapter";
import type { EleventySettings } from "../eleventy.ts";
import { objectOf } from "./data.ts";
import { mayHoldAnything, Unread } from "./unread.ts";

/**
 * Whether a version of a template is left out by one of the site's preprocessors, which is how Eleventy's
 * own documentation treats drafts. They see the data of its files, and no contents.
 *
 * @param data with Eleventy's `page`
 * @returns `undefined` where a preprocessor asks for more than is known
 */
export function isLeftOut(
  path: string,
  data: Facts,
  { preprocessors }: EleventySettings,
): boolean | undefined {
  for (const { filter, callback } of Object.values(preprocessors)) {
    if (!isMeant(path, filter)) continue;
    const page = knownOnly({ ...objectOf(data.page) }, () => false);
    const given = knownOnly({ ...data, page }, (name) => isNeverSet(name, data));
    try {
      const result: unknown = callback.call({ inputPath: `./${path}` }, given, CONTENT);
      if (result === false) return true;
      if (result instanceof Promise) {
        result.catch(() => {});
        return undefined;
      }
    } catch {
      return undefined;
    }
  }
  return false;
}

function isMeant(path: string, filter: string | readonly string[]): boolean {
  const extensions = typeof filter === "string" ? filter.split(",") : filter;
  return extensions.some(
    (one) => one === "*" || path.endsWith(one.startsWith(".") ? one : `.${one}`),
  );
}

/** What Eleventy adds to the data of every template. */
const OWN = ["build", "buildawesome", "collections", "eleventy", "pkg"];

function isNeverSet(name: string, data: Facts): boolean {
  return !mayHoldAnything(data) && !OWN.includes(name);
}

/** Facts that throw where they would have to guess. */
function knownOnly(facts: Record<string, unknown>, isAbsent: (name: string) => boolean) {
  return new Proxy(facts, {
    get: (_, name) => known(facts, name, isAbsent),
    has: (_, name) => known(facts, name, isAbsent) !== undefined,
    ownKeys: unknown,
  });
}

function known(
  facts: Record<string, unknown>,
  name: string | symbol,
  isAbsent: (name: string) => boolean,
): unknown {
  if (typeof name === "symbol") return undefined;
  if (!(name in facts)) return isAbsent(name) ? undefined : unknown();
  const value = facts[name];
  if (value instanceof Unread || name === "pagination") return unknown();
  if (typeof value !== "string" || !TIMESTAMP.test(value)) return value;
  // In YAML this is a date, unless it is quoted; in JSON it is text.
  return name === "date" ? new Date(value) : unknown();
}

const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt\s])/;

function unknown(): never {
  throw new Error("A preprocessor asks for what is not known of an old version.");
}

/** What a preprocessor may add to, and cannot look into. */
const CONTENT = new Proxy(
  {},
  {
    get: (_, name) => (name === Symbol.toPrimitive ? () => "" : unknown()),
    has: unknown,
    ownKeys: unknown,
  },
);
