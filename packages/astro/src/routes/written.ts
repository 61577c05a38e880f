import { fileURLToPath } from "node:url";
import type { IntegrationResolvedRoute } from "astro";
import { pathBelow } from "../paths.ts";

/** A route of the site, as Astro tells integrations. */
export type Route = Pick<IntegrationResolvedRoute, "pattern" | "entrypoint" | "type" | "origin">;

/**
 * The route that wrote each file of the output folder. It is not complete: Astro tells neither of
 * files of `public/` nor, from version 7 on, of pages that stand in for missing translations.
 *
 * @param assets the files that each route wrote, by its pattern
 * @param folder the output folder
 */
export function writtenFiles(
  routes: readonly Route[],
  assets: ReadonlyMap<string, readonly URL[]>,
  folder: string,
): ReadonlyMap<string, Route> {
  const byPattern = new Map(routes.toReversed().map((route) => [route.pattern, route]));
  return new Map(
    [...assets].flatMap(([pattern, urls]) => {
      const route = byPattern.get(pattern);
      if (route === undefined) return [];
      return urls.map((url) => [pathBelow(folder, fileURLToPath(url)), route] as const);
    }),
  );
}
