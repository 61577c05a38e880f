import { mayMakePage, withoutExtension } from "./extension.ts";

/**
 * Finds the source of each page by its path: the file with the same path below the folder of sources,
 * else the only one that gives the same page when extensions and `index` are dropped.
 *
 * @param sources paths below the folder of sources
 */
export function sourceMatcher(sources: Iterable<string>): (file: string) => string | undefined {
  const exact = new Set<string>();
  const byStem = new Map<string, string[]>();
  for (const source of sources) {
    exact.add(source);
    if (!mayMakePage(source)) continue;
    const stem = stemOf(source);
    const others = byStem.get(stem);
    if (others === undefined) byStem.set(stem, [source]);
    else others.push(source);
  }
  return (file) => {
    if (exact.has(file)) return file;
    if (!/\.x?html?$/i.test(file)) return undefined;
    const candidates = byStem.get(stemOf(file));
    return candidates?.length === 1 ? candidates[0] : undefined;
  };
}

/** What a path is called whatever its extension, `a/index.html` being `a`. */
function stemOf(path: string): string {
  const bare = withoutExtension(path);
  return bare === "index" ? "" : bare.replace(/\/index$/, "");
}
