import { groupBy } from "../../group.ts";
import type { KeyedRules } from "../versions/keyed-rules.ts";
import type { Links } from "./links.ts";

/** Sources that may make another page, or none, at each of their versions. */
export interface VersionedSources {
  readonly rules: KeyedRules;
  /** The pages that stand and that a source made, resources or not; all of its, where they share it. */
  pagesOf(source: string): readonly string[];
  /** The page that a file dates though the rules do not say what it makes: data, say. */
  datedBy(key: string): DatedPage | undefined;
}

/** A page that a file dates as long as it is in history. */
export interface DatedPage {
  readonly file: string;
  /** Whether the page stands and falls with the file. */
  readonly makesPage: boolean;
}

/**
 * @param pages every page that stands, resource or not
 * @param keysOf the keys of the files a page is made from, its own first
 */
export function versionedSources(
  rules: KeyedRules,
  links: Links,
  pages: readonly string[],
  keysOf: (page: string) => readonly string[],
): VersionedSources {
  const made = groupBy(pages, (page) => keysOf(page)[0]);
  const sharing = (source: string) => pages.filter((page) => keysOf(page).includes(source));
  const isFirst = (key: string, page: string) => links.sourcesOf.get(page)?.[0] === key;
  return {
    rules,
    pagesOf: (source) => (links.isShared(source) ? sharing(source) : (made.get(source) ?? [])),
    datedBy: (key) => {
      const file = links.pageOf.get(key);
      if (file === undefined) return undefined;
      const makesPage = isFirst(key, file);
      if (rules.roleOf(key) !== "source") return { file, makesPage };
      return makesPage ? undefined : { file, makesPage };
    },
  };
}
