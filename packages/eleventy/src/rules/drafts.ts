import type { Facts } from "@rs-emit/core/adapter";
import type { EleventySettings } from "../eleventy.ts";
import { Unread } from "./script.ts";

/**
 * Whether a version of a template is left out by one of the site's preprocessors, which is how Eleventy's
 * own documentation treats drafts. They see the data of its files, and no contents.
 *
 * @returns `undefined` where that is not enough for them
 */
export function isLeftOut(
  path: string,
  data: Facts,
  { preprocessors }: EleventySettings,
): boolean | undefined {
  for (const { filter, callback } of Object.values(preprocessors)) {
    if (!isMeant(path, filter)) continue;
    if (data.draft instanceof Unread) return undefined;
    try {
      const result: unknown = callback.call({ inputPath: `./${path}` }, { ...data }, "");
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
