/** Routes as Astro names them, such as `/blog/[...slug]`, and the pathnames they stand for. */

const PARAMETER = /\[([^\]]+)\]/g;

/** The route of a page by its path below `src/pages`: `blog/index.md` is `/blog`. */
export function patternOf(path: string): string {
  const bare = path.replace(/\.[^./]+$/, "").replace(/(?:^|\/)index$/, "");
  return bare.startsWith("/") ? bare : `/${bare}`;
}

/** Whether a page's file is an index: only that may be told from its route by `build.format`. */
export function isIndex(path: string): boolean {
  return /(?:^|\/)index\.[^./]+$/.test(path);
}

/** The names of a route's parameters, without the dots of those that take several segments. */
export function parametersOf(pattern: string): string[] {
  return [...pattern.matchAll(PARAMETER)].map(([, name = ""]) => name.replace(/^\.\.\./, ""));
}

/** The pathname of a route with one parameter, at one of its values. */
export function pathnameAt(pattern: string, value: string): string {
  const path = pattern.replace(PARAMETER, () => value.replace(/^\/+|\/+$/g, ""));
  return `/${path.split("/").filter(Boolean).join("/")}`.normalize();
}

/**
 * The pathname of the page of an entry whose id a route's parameters take: of several, each one of
 * its segments, and the last one what remains. `undefined` where they do not fit.
 */
export function pathnameOfId(pattern: string, id: string): string | undefined {
  if (parametersOf(pattern).length === 1) return pathnameAt(pattern, id);
  const segments = id.split("/").filter(Boolean);
  const filled = pattern.split("/").map((segment, position, all) => {
    if (!segment.includes("[")) return segment;
    if (/^\[(?!\.\.\.)[^\]]+\]$/.test(segment)) return segments.shift();
    const isRest = /^\[\.\.\.[^\]]+\]$/.test(segment) && position === all.length - 1;
    return isRest ? segments.splice(0).join("/") : undefined;
  });
  const isFitting = segments.length === 0 && !filled.includes(undefined);
  return isFitting ? `/${filled.filter(Boolean).join("/")}`.normalize() : undefined;
}

/**
 * The values of a route's parameters at a pathname, in the order of their names; empty for one that
 * is left out. `undefined` where the route does not lead there.
 */
export function valuesAt(pattern: string, pathname: string): string[] | undefined {
  const expression = pattern
    .normalize()
    .split("/")
    .filter(Boolean)
    .map((segment) =>
      /^\[\.\.\.[^\]]+\]$/.test(segment) ? "(?:/(.*?))?" : `/${expressionOf(segment)}`,
    )
    .join("");
  const match = new RegExp(`^${expression || "/"}$`).exec(pathname.normalize());
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
