/**
 * What each option is for, in the help of the command and in the tables of the plugins' READMEs. Apart
 * from the schema, so that help needs no zod.
 */
export const OPTION_WORDS = {
  title: "the title of the site",
  author: "who writes the site",
  description: "what the site is about",
  language: "the language of the site, such as `en`; what its home page says unless given",
  rights: "the terms under which the site may be used",
  describedby:
    "the address of the author's own description of the site, linked in place of `about.xml`, which is then not written",
  folder: "the folder of the built site; the documents are written into it",
  url: "the site's address, such as `https://example.org/`",
  testAddress: "publish for example.org, localhost and the like, which are refused otherwise",
  collections:
    "parts of the site with a log of their own: paths, or `{ path, title, author, description, language, rights, describedby }`",
  history:
    "where the dates of the first log come from: git, or the files' own times; `auto` is git in a repository",
  sourceFolder: "the folder of the files that the pages are made from",
  sourceMap: "a CSV or JSON file with the source file of each page",
  previous:
    "where the last publication is read from: `auto` (the folder, else the live site), `output` (the same, but with `first` the folder alone), `site` (the log of the live site, not its pages), `none`, or a path",
  first: "nothing was ever published on this site",
  force: "write over files that rs-emit did not write",
  allowMassDelete:
    "most of the published pages of a collection are meant to be gone, or its log is to end; for one run",
  anyFolder: "publish a folder that does not look like a built site",
  content:
    "CSS selectors of a page's own part: a change elsewhere is minor; `main`, else `article`, else the body unless given",
  excerpts:
    "quote what is new on updated pages; `false` leaves it out, and what the Resource List remembers for it",
  period: "how long a change list stays open",
  include: "patterns of files that are logged besides pages",
  exclude: "patterns of pages that are left out",
  cleanUrls:
    "`about.html` is served as `/about`; unless given, as published, and at first `true` for `*.neocities.org` and `*.pages.dev`",
  news: "what followers hear of: `new` texts, pictures and files on a page, or every change of its `content`",
  minor: "followers need not hear of this publication's updates; for one run",
  feed: "an Atom feed beside each log: `false`, or `{ file, minor, entries }`; `entries` is `publication`, `day`, `week` or `month`",
  dump: "ZIP packages of all pages, for copies of the whole site; `{ changes: 5 }` adds packages of the changes of the last five publications",
  link: "put links to the log and its feed into the head of each page: followers find them there",
  messages: "put the first line of commit messages into the log",
  note: "the author's words for the changes of this publication",
  now: "the time of the publication, such as `2026-10-05T18:30:00Z`; the clock unless given",
  dryRun: "say what would be published, and write nothing",
  movedFrom: "the site's address before; its log is kept",
  hub: "a WebSub hub that tells followers of publications: its URL, or `{ url, payload }`",
  pings: "addresses of harvesters that `rs-emit notify` pings",
  headers:
    "write `Link` headers of the log and the hub into `_headers`, for Netlify and Cloudflare Pages",
  sitemap:
    "a plain sitemap for search engines, with the dates when contents changed: `true`, or the file's name",
  robots: "write the sitemap's `Sitemap:` line into `robots.txt`",
  indexNow:
    "the key of IndexNow, by which `rs-emit notify` tells search engines of changed pages: 8 to 128 letters, digits and hyphens",
  indexNowEndpoint:
    "where IndexNow is told: a URL, or a list whose next one is asked where one is busy; `https://api.indexnow.org/indexnow` first unless given",
  links:
    "links on the entries of resources, to mirrors, versions and the like: `{ match, rel, href, type, pri, modified, hash, length }`; `{path}` in `href` is the resource's path",
  alsoLists: "Capability Lists of other sites that the Source Description names too",
} as const;

export type OptionName = keyof typeof OPTION_WORDS;
