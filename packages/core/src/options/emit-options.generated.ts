// Written by scripts/option-types.ts from the schema.

/** The options of a run. */
export interface EmitOptions {
  /** The folder of the built site; the documents are written into it. */
  folder: string;
  /** The site's address, such as `https://example.org/`. */
  url?: string | undefined;
  /** Parts of the site with a log of their own: paths, or `{ path, title, author, description, language, rights, describedby }`. */
  collections?: CollectionOption[] | undefined;
  /** The title of the site. */
  title?: string | undefined;
  /** Who writes the site. */
  author?: string | undefined;
  /** What the site is about. */
  description?: string | undefined;
  /** The language of the site, and of our words in its feed and lists, such as `en`; what its home page says unless given. */
  language?: string | undefined;
  /** The terms under which the site may be used. */
  rights?: string | undefined;
  /** The address of the author's own description of the site, linked in place of `about.xml`, which is then not written. */
  describedby?: string | undefined;
  /** `about.html` is served as `/about`; unless given, as published, and at first `true` for `*.neocities.org` and `*.pages.dev`. */
  cleanUrls?: boolean | undefined;
  /** The site's address before; its log is kept. */
  movedFrom?: string | undefined;
  /** Patterns of files that are logged too, whatever they are. */
  include?: string | string[] | undefined;
  /** Patterns of pages that are left out. */
  exclude?: string | string[] | undefined;
  /** CSS selectors of a page's own part: a change elsewhere is minor; `main`, else `article`, else the body unless given. */
  content?: string | string[] | undefined;
  /** Put links to the log and its feed into the head of each page: followers find them there; `false` takes them out. */
  link?: boolean | undefined;
  /** An Atom feed beside each log: `false`, or `{ file, minor, entries }`; `entries` is `publication`, `day`, `week` or `month`. */
  feed?:
    | boolean
    | {
        file?: string | undefined;
        minor?: boolean | undefined;
        entries?: "publication" | "day" | "week" | "month" | undefined;
      }
    | undefined;
  /** ZIP packages of all pages, for copies of the whole site; `{ changes: 5 }` adds packages of the changes of the last five publications. */
  dump?:
    | boolean
    | {
        changes: number;
      }
    | undefined;
  /** A plain sitemap for search engines, with the dates when contents changed: `true`, or the file's name. */
  sitemap?: boolean | string | undefined;
  /** Write the sitemap's `Sitemap:` line into `robots.txt`. */
  robots?: boolean | undefined;
  /** The key of IndexNow, by which `rs-emit notify` tells search engines of changed pages: 8 to 128 letters, digits and hyphens. */
  indexNow?: string | undefined;
  /** Where IndexNow is told: a URL, or a list whose next one is asked where one is busy; `https://api.indexnow.org/indexnow` first unless given. */
  indexNowEndpoint?: string | string[] | undefined;
  /** Where the dates of the first log come from: git, or the files' own times; `auto` is git in a repository. */
  history?: "auto" | "git" | "files" | undefined;
  /** The folder of the files that the pages are made from. */
  sourceFolder?: string | undefined;
  /** A CSV or JSON file with the source file of each page. */
  sourceMap?: string | undefined;
  /** What followers hear of: `new` texts, pictures and files on a page, or every change of its `content`. */
  news?: "new" | "content" | undefined;
  /** Quote what is new on updated pages; `false` leaves it out, and what the Resource List remembers for it. */
  excerpts?: boolean | undefined;
  /** Put the first line of commit messages into the log. */
  messages?: boolean | undefined;
  /** How long a change list stays open. */
  period?: "year" | "month" | "day" | undefined;
  /** The author's words for the changes of this publication. */
  note?: string | undefined;
  /** Followers need not hear of this publication's updates; for one run. */
  minor?: boolean | undefined;
  /** Where the last publication is read from: `auto` (the folder, else the live site), `output` (the same, but with `first` the folder alone), `site` (the log of the live site, not its pages), `none`, or a path. */
  previous?: string | undefined;
  /** Publish a folder that does not look like a built site. */
  anyFolder?: boolean | undefined;
  /** Most of the published pages of a collection are meant to be gone, or its log is to end; for one run. */
  allowMassDelete?: boolean | undefined;
  /** Nothing was ever published on this site. */
  first?: boolean | undefined;
  /** Say what would be published, and write nothing. */
  dryRun?: boolean | undefined;
  /** Publish for example.org, localhost and the like, which are refused otherwise. */
  testAddress?: boolean | undefined;
  /** Write over files that rs-emit did not write. */
  force?: boolean | undefined;
  /** The time of the publication, such as `2026-10-05T18:30:00Z`; the clock unless given. */
  now?: string | Date | undefined;
  /** A WebSub hub that tells followers of publications: its URL, or `{ url, payload }`. */
  hub?:
    | string
    | {
        url: string;
        payload?: boolean | undefined;
      }
    | undefined;
  /** Addresses of harvesters that `rs-emit notify` pings. */
  pings?: string[] | undefined;
  /** Write `Link` headers of the log and the hub into `_headers`, for Netlify and Cloudflare Pages. */
  headers?: boolean | undefined;
  /** Links on the entries of resources, to mirrors, versions and the like: `{ match, rel, href, type, pri, modified, hash, length }`; `{path}` in `href` is the resource's path. */
  links?: LinkOption[] | undefined;
  /** Capability Lists of other sites that the Source Description names too. */
  alsoLists?: string[] | undefined;
}

/** A path below the site, or the path with the collection's description. */
export type CollectionOption =
  | string
  | {
      path: string;
      /** The title of the site. */
      title?: string | undefined;
      /** Who writes the site. */
      author?: string | undefined;
      /** What the site is about. */
      description?: string | undefined;
      /** The language of the site, and of our words in its feed and lists, such as `en`; what its home page says unless given. */
      language?: string | undefined;
      /** The terms under which the site may be used. */
      rights?: string | undefined;
      /** The address of the author's own description of the site, linked in place of `about.xml`, which is then not written. */
      describedby?: string | undefined;
    };

/** A link of resources to elsewhere; `{path}` in `href` is the resource's path. */
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
