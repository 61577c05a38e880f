import type { Period } from "./layout.ts";

/**
 * The README describes each option. Written beside the schema in `options.ts`, which parses it, so
 * that the types need no zod.
 */
export interface EmitOptions extends SiteWords {
  folder: string;
  url?: string | undefined;
  testAddress?: boolean | undefined;
  collections?: CollectionOption[] | undefined;
  history?: "auto" | "git" | "files" | undefined;
  sourceFolder?: string | undefined;
  sourceMap?: string | undefined;
  previous?: string | undefined;
  first?: boolean | undefined;
  force?: boolean | undefined;
  allowMassDelete?: boolean | undefined;
  anyFolder?: boolean | undefined;
  content?: string | string[] | undefined;
  excerpts?: boolean | undefined;
  period?: Period | undefined;
  include?: string | string[] | undefined;
  exclude?: string | string[] | undefined;
  cleanUrls?: boolean | undefined;
  news?: "new" | "content" | undefined;
  minor?: boolean | undefined;
  feed?:
    | boolean
    | {
        file?: string | undefined;
        minor?: boolean | undefined;
        entries?: "publication" | "day" | "week" | "month" | undefined;
      }
    | undefined;
  dump?: boolean | { changes: number } | undefined;
  link?: boolean | undefined;
  messages?: boolean | undefined;
  note?: string | undefined;
  now?: string | Date | undefined;
  dryRun?: boolean | undefined;
  movedFrom?: string | undefined;
  hub?: string | { url: string; payload?: boolean | undefined } | undefined;
  pings?: string[] | undefined;
  headers?: boolean | undefined;
  sitemap?: boolean | string | undefined;
  robots?: boolean | undefined;
  indexNow?: string | undefined;
  indexNowEndpoint?: string | string[] | undefined;
  links?: LinkOption[] | undefined;
  alsoLists?: string[] | undefined;
}

/** A path below the site, or the path with the collection's description. */
export type CollectionOption = string | ({ path: string } & SiteWords);

/** `{path}` in `href` is the resource's path. */
export interface LinkOption {
  match: string;
  rel: string;
  href: string;
  type?: string | undefined;
  /** 1 to 999,999 (ResourceSync 1.1, section 7). */
  pri?: number | undefined;
  /** When the target changed, or a version was kept; a full datetime in UTC. */
  modified?: string | undefined;
  /** Digests of the target: `sha-256:9f86…`. */
  hash?: string | undefined;
  /** Of the target, in bytes. */
  length?: number | undefined;
}

interface SiteWords {
  title?: string | undefined;
  author?: string | undefined;
  description?: string | undefined;
  language?: string | undefined;
  rights?: string | undefined;
  /** A URL, or a path below the site. */
  describedby?: string | undefined;
}
