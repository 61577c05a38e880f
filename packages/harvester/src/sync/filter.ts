import picomatch from "picomatch";

export interface Filter {
  /** Identifies the filter: a copy that was made with another one is compared as a whole. */
  readonly name: string;
  includes(url: string): boolean;
}

/**
 * Globs on the paths of URLs below the site's, decoded, as `gallery/**`, or `gallery/` for short. Of a resource
 * elsewhere, the whole URL is compared.
 *
 * @param include what is copied; everything where there is none
 * @param exclude what of that is not
 */
export function filterOf(
  site: string,
  include: readonly string[],
  exclude: readonly string[],
): Filter {
  const [isIncluded, isExcluded] = [include, exclude].map((globs) =>
    picomatch(
      globs.map((glob) => glob.replace(/\/$/, "/**").replace(/^\//, "")),
      { dot: true },
    ),
  );
  return {
    name: JSON.stringify([[...include].sort(), [...exclude].sort()]),
    includes(url) {
      if (include.length === 0 && exclude.length === 0) return true;
      const path = pathOf(url, site);
      return (include.length === 0 || isIncluded?.(path) === true) && isExcluded?.(path) !== true;
    },
  };
}

/** A folder's own page is `index.html`, as in the copy. */
function pathOf(url: string, site: string): string {
  const path = url.startsWith(site) ? url.slice(site.length) : url;
  const named = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}
