import * as v from "valibot";
import { FEED, PERIODS } from "../model/layout.ts";
import {
  bool,
  flag,
  flagsOf,
  nonEmpty,
  object,
  oneOf,
  optional,
  requiredText,
  text,
  trimmed,
  withDefault,
} from "./option.ts";
import {
  dump,
  endpoints,
  feed,
  globs,
  hub,
  indexNowKey,
  language,
  link,
  now,
  sitemap,
  webAddresses,
} from "./values.ts";

const description = {
  title: optional(trimmed, {
    words: "the title of the site",
    flags: [{ group: "Site", flag: "--title <text>" }],
  }),
  author: optional(trimmed, {
    words: "who writes the site",
    flags: [{ group: "Site", flag: "--author <name>" }],
  }),
  description: optional(trimmed, { words: "what the site is about" }),
  language: optional(language, {
    words:
      "the language of the site, and of our words in its feed and lists, such as `en`; what its home page says unless given",
  }),
  rights: optional(trimmed, { words: "the terms under which the site may be used" }),
  describedby: optional(nonEmpty, {
    words:
      "the address of the author's own description of the site, linked in place of `about.xml`, which is then not written",
  }),
};

/** A path below the site, or the path with the collection's description. */
export const collection = v.union(
  [v.string(), object({ path: v.string(), ...description })],
  'a path, or { path: "shrine/", title: … } with author, description, language, rights or describedby',
);

/** Every option of a run, each in one row: its values, what it is for, and how the command spells it. */
export const siteOptions = object({
  folder: requiredText({
    words: "the folder of the built site; the documents are written into it",
  }),
  url: optional(text, {
    words: "the site's address, such as `https://example.org/`",
    flags: [{ group: "Site", flag: "--url <site>" }],
  }),
  collections: withDefault(v.array(collection, "a list of paths"), [], {
    words:
      "parts of the site with a log of their own: paths, or `{ path, title, author, description, language, rights, describedby }`",
    flags: [
      {
        group: "Site",
        flag: "--collection <path>",
        words: "a part with a log of its own",
        isRepeatable: true,
      },
    ],
  }),
  ...description,
  cleanUrls: optional(bool, {
    words:
      "`about.html` is served as `/about`; unless given, as published, and at first `true` for `*.neocities.org` and `*.pages.dev`",
    flags: [
      { group: "Site", flag: "--clean-urls" },
      { group: "Site", flag: "--no-clean-urls", words: "it is served as /about.html" },
    ],
  }),
  movedFrom: optional(text, {
    words: "the site's address before; its log is kept",
    flags: [{ group: "Site", flag: "--moved-from <url>" }],
  }),
  include: withDefault(globs, [], {
    words: "patterns of files that are logged too, whatever they are",
    flags: [{ group: "Pages", flag: "--include <glob>", isRepeatable: true }],
  }),
  exclude: withDefault(globs, [], {
    words: "patterns of pages that are left out",
    flags: [{ group: "Pages", flag: "--exclude <glob>", isRepeatable: true }],
  }),
  content: withDefault(globs, [], {
    words:
      "CSS selectors of a page's own part: a change elsewhere is minor; `main`, else `article`, else the body unless given",
    flags: [{ group: "Pages", flag: "--content <selector>", isRepeatable: true }],
  }),
  link: optional(bool, {
    words:
      "put links to the log and its feed into the head of each page: followers find them there; `false` takes them out",
    flags: [
      {
        group: "Readers",
        flag: "--link",
        words:
          "put links to the log and its feed into the head of each page: followers find them there",
      },
      { group: "Readers", flag: "--no-link", words: "take these links out of the pages" },
    ],
  }),
  feed: withDefault(feed, true, {
    words:
      "an Atom feed beside each log: `false`, or `{ file, minor, entries }`; `entries` is `publication`, `day`, `week` or `month`",
    flags: [
      {
        group: "Readers",
        flag: "--feed <name>",
        words: `what the feed is called: ${FEED} unless given`,
        part: "file",
      },
      {
        group: "Readers",
        flag: "--feed-entries <of>",
        words: "what an entry reports: publication, day, week or month",
        part: "entries",
      },
      { group: "Readers", flag: "--no-feed", words: "no feed beside the log" },
    ],
  }),
  dump: withDefault(dump, false, {
    words:
      "ZIP packages of all pages, for copies of the whole site; `{ changes: 5 }` adds packages of the changes of the last five publications",
    flags: [
      { group: "Copies of the site", flag: "--dump", words: "ZIP packages of all pages" },
      {
        group: "Copies of the site",
        flag: "--dump-changes <n>",
        words: "and of what changed in the last n publications",
        part: "changes",
      },
    ],
  }),
  sitemap: withDefault(sitemap, false, {
    words:
      "a plain sitemap for search engines, with the dates when contents changed: `true`, or the file's name",
    flags: [
      {
        group: "Search engines",
        flag: "--sitemap [name]",
        words: "a plain sitemap for search engines: sitemap.xml unless named",
      },
    ],
  }),
  robots: flag({
    words: "write the sitemap's `Sitemap:` line into `robots.txt`",
    flags: [{ group: "Search engines", flag: "--robots" }],
  }),
  indexNow: optional(indexNowKey, {
    words:
      "the key of IndexNow, by which `rs-emit notify` tells search engines of changed pages: 8 to 128 letters, digits and hyphens",
    flags: [{ group: "Search engines", flag: "--index-now <key>" }],
  }),
  indexNowEndpoint: optional(endpoints, {
    words:
      "where IndexNow is told: a URL, or a list whose next one is asked where one is busy; `https://api.indexnow.org/indexnow` first unless given",
  }),
  history: withDefault(oneOf(["auto", "git", "files"]), "auto", {
    words:
      "where the dates of the first log come from: git, or the files' own times; `auto` is git in a repository",
    flags: [{ group: "Dates of the first log", flag: "--history <auto|git|files>" }],
  }),
  sourceFolder: optional(nonEmpty, {
    words: "the folder of the files that the pages are made from",
    flags: [{ group: "Dates of the first log", flag: "--source-folder <path>" }],
  }),
  sourceMap: optional(nonEmpty, {
    words: "a CSV or JSON file with the source file of each page",
    flags: [{ group: "Dates of the first log", flag: "--source-map <file>" }],
  }),
  news: withDefault(oneOf(["new", "content"]), "new", {
    words:
      "what followers hear of: `new` texts, pictures and files on a page, or every change of its `content`",
    flags: [{ group: "Change log", flag: "--news <new|content>" }],
  }),
  excerpts: withDefault(bool, true, {
    words:
      "quote what is new on updated pages; `false` leaves it out, and what the Resource List remembers for it",
    flags: [
      {
        group: "Change log",
        flag: "--no-excerpts",
        words: "quote nothing of what is new on updated pages",
      },
    ],
  }),
  messages: flag({
    words: "put the first line of commit messages into the log",
    flags: [{ group: "Change log", flag: "--messages" }],
  }),
  period: withDefault(oneOf(PERIODS), "month", {
    words: "how long a change list stays open",
    flags: [{ group: "Change log", flag: `--period <${PERIODS.join("|")}>` }],
  }),
  note: optional(trimmed, {
    words: "the author's words for the changes of this publication",
    flags: [{ group: "Change log", flag: "--note <text>" }],
  }),
  minor: flag({
    words: "followers need not hear of this publication's updates; for one run",
    flags: [{ group: "Change log", flag: "--minor" }],
  }),
  previous: withDefault(nonEmpty, "auto", {
    words:
      "where the last publication is read from: `auto` (the folder, else the live site), `output` (the same, but with `first` the folder alone), `site` (the log of the live site, not its pages), `none`, or a path",
    flags: [{ group: "Safety", flag: "--previous <where>" }],
  }),
  anyFolder: flag({
    words: "publish a folder that does not look like a built site",
    flags: [{ group: "Safety", flag: "--any-folder" }],
  }),
  allowMassDelete: flag({
    words:
      "most of the published pages of a collection are meant to be gone, or its log is to end; for one run",
    flags: [{ group: "Safety", flag: "--allow-mass-delete" }],
  }),
  first: flag({
    words: "nothing was ever published on this site",
    flags: [{ group: "Run", flag: "--first" }],
  }),
  dryRun: flag({
    words: "say what would be published, and write nothing",
    flags: [{ group: "Run", flag: "--dry-run" }],
  }),
  testAddress: flag({
    words: "publish for example.org, localhost and the like, which are refused otherwise",
    flags: [{ group: "Run", flag: "--test-address" }],
  }),
  force: flag({
    words: "write over files that rs-emit did not write",
    flags: [{ group: "Run", flag: "--force" }],
  }),
  now: optional(now, {
    words: "the time of the publication, such as `2026-10-05T18:30:00Z`; the clock unless given",
    flags: [{ group: "Run", flag: "--now <datetime>" }],
  }),
  hub: optional(hub, {
    words: "a WebSub hub that tells followers of publications: its URL, or `{ url, payload }`",
  }),
  pings: withDefault(webAddresses, [], {
    words: "addresses of harvesters that `rs-emit notify` pings",
  }),
  headers: flag({
    words:
      "write `Link` headers of the log and the hub into `_headers`, for Netlify and Cloudflare Pages",
  }),
  links: withDefault(v.array(link, "a list of { match, rel, href }"), [], {
    words:
      "links on the entries of resources, to mirrors, versions and the like: `{ match, rel, href, type, pri, modified, hash, length }`; `{path}` in `href` is the resource's path",
  }),
  alsoLists: withDefault(v.array(text, "a list of URLs"), [], {
    words: "Capability Lists of other sites that the Source Description names too",
  }),
});

export const SITE_FLAGS = flagsOf(siteOptions.entries);

export const SITE_OPTION_NAMES = Object.keys(siteOptions.entries);
