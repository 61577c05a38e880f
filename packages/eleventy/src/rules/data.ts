import type { Facts } from "@rs-emit/core/adapter";
import { mayHoldAnything } from "./unread.ts";

/** What several files say together: the later win, and what is computed adds up. */
export function merged(all: readonly Facts[]): Facts {
  const data: Record<string, unknown> = {};
  for (const facts of all) {
    if (mayHoldAnything(facts)) {
      // It may say all that was said before it anew.
      for (const name of Object.keys(data)) {
        if (!isComputed(name)) data[name] = facts.permalink;
      }
    }
    for (const [name, value] of Object.entries(facts)) {
      data[name] = isComputed(name) ? { ...objectOf(data[name]), ...objectOf(value) } : value;
    }
  }
  return data;
}

/** The data that Eleventy computes when all other is there. */
export function computedOf(data: Facts): Facts {
  return { ...objectOf(data.eleventyComputed), ...objectOf(data.buildawesomeComputed) };
}

/** Whether what stands under a name is computed. */
export function isComputed(name: string): boolean {
  return name === "eleventyComputed" || name === "buildawesomeComputed";
}

export function objectOf(value: unknown): Facts {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
