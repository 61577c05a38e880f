import { fileURLToPath } from "node:url";
import { pathBelow } from "@rs-emit/adapter";
import type { AstroConfig, IntegrationResolvedRoute } from "astro";

export type Route = Pick<
  IntegrationResolvedRoute,
  "pattern" | "entrypoint" | "type" | "origin" | "isPrerendered"
>;

/** Without files of `public/` and, from Astro 7 on, pages that replace missing translations. */
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

/** The author's routes whose pages a server makes. */
export function servedRoutes(routes: readonly Route[]): readonly Route[] {
  return routes.filter(({ type, origin, isPrerendered }) => {
    return type === "page" && origin !== "internal" && !isPrerendered;
  });
}

export function outputFile(
  format: AstroConfig["build"]["format"],
  { entrypoint, origin, pattern }: Route,
): string {
  const path = pattern.slice(1);
  if (path === "") return "index.html";
  // Astro never treats an integration's route as an index.
  const isIndex = origin === "project" && /(?:^|\/)index\.[^./]+$/.test(entrypoint);
  const isFolder =
    format === "directory" ? path !== "404" && path !== "500" : format === "preserve" && isIndex;
  return isFolder ? `${path}/index.html` : `${path}.html`;
}

export function parametersOf({ pattern }: Route): string[] {
  return [...pattern.matchAll(/\[(?:\.\.\.)?([^\]]+)\]/g)].map(([, name = ""]) => name);
}

/** In the order of their names, empty for an omitted one; `undefined` where the path does not match. */
export function parameterValues({ pattern }: Route, file: string): string[] | undefined {
  const pathname = `/${file.replace(/(?:(?:^|\/)index)?\.html$/, "")}`;
  const segments = pattern.normalize().split("/").filter(Boolean);
  const expression = segments.map((segment) =>
    /^\[\.\.\.[^\]]+\]$/.test(segment) ? "(?:/(.*?))?" : `/${expressionOf(segment)}`,
  );
  const match = new RegExp(`^${expression.join("") || "/"}$`).exec(pathname.normalize());
  return match?.slice(1).map((value = "") => value);
}

function expressionOf(segment: string): string {
  return segment
    .split(/(\[[^\]]+\])/)
    .map((part) => {
      if (!part.startsWith("[")) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return part.startsWith("[...") ? "(.*?)" : "([^/]+?)";
    })
    .join("");
}
