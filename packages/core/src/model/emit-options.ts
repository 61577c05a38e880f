import type { Period } from "./layout.ts";

/**
 * What a run is asked to do; see the README for each option. The schema in `options.ts` parses it. It is
 * written out here so that nobody needs zod for the types.
 */
export interface EmitOptions extends SiteWords {
  folder: string;
  url?: string | undefined;
  testAddress?: boolean | undefined;
  collections?: CollectionOption[] | undefined;
  history?: "auto" | "git" | "files" | undefined;
  sourceFolder?: string | undefined;
  previous?: string | undefined;
  first?: boolean | undefined;
  force?: boolean | undefined;
  allowMassDelete?: boolean | undefined;
  anyFolder?: boolean | undefined;
  content?: string | string[] | undefined;
  period?: Period | undefined;
  include?: string | string[] | undefined;
  exclude?: string | string[] | undefined;
  cleanUrls?: boolean | undefined;
  minor?: "log" | "omit" | undefined;
  feed?: boolean | { file?: string | undefined; minor?: boolean | undefined } | undefined;
  link?: boolean | undefined;
  messages?: boolean | undefined;
  note?: string | undefined;
  now?: string | Date | undefined;
  dryRun?: boolean | undefined;
  movedFrom?: string | undefined;
  hub?: string | { url: string; payload?: boolean | undefined } | undefined;
  pings?: string[] | undefined;
  headers?: boolean | undefined;
  links?: LinkOption[] | undefined;
  alsoLists?: string[] | undefined;
}

/** A collection as an author writes it: its path below the site, or the path with its description. */
export type CollectionOption = string | ({ path: string } & SiteWords);

/** Links on the entries of matching resources; `{path}` in `href` stands for a resource's path. */
export interface LinkOption {
  match: string;
  rel: string;
  href: string;
  type?: string | undefined;
  /** 1 to 999,999 (ResourceSync 1.1, section 7). */
  pri?: number | undefined;
}

/** What is said of the site, or of a collection, in its description. */
interface SiteWords {
  title?: string | undefined;
  author?: string | undefined;
  description?: string | undefined;
  language?: string | undefined;
  rights?: string | undefined;
}
