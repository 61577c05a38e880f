/** Allowed values of options, besides plain texts and flags. */
import { areDigests, isRelation, isWebAddress, secondsOf } from "@rs-emit/documents";
import { languageTag, OWN_ENTRIES } from "@rs-emit/feeds";
import * as v from "valibot";
import { FEED, INDEX_NOW_KEY, isFeedName, isSitemapName } from "../model/layout.ts";
import { bool, nonEmpty, object, oneOf, optional, text, trimmed } from "./option.ts";

export const language = v.pipe(
  trimmed,
  v.check((tag) => languageTag(tag) !== undefined, "a language such as en or pt-BR"),
);

const toList = v.pipe(
  v.string(),
  v.transform((one) => [one]),
);

export const globs = v.union([toList, v.array(v.string())], "text or a list of texts");

export const webAddress = v.pipe(
  text,
  v.check(isWebAddress, "an http or https URL, without // in its path"),
);

export const webAddresses = v.array(webAddress, "a list of URLs");

export const endpoints = v.union(
  [
    v.pipe(
      webAddress,
      v.transform((url) => [url]),
    ),
    v.array(webAddress),
  ],
  "a URL, or a list of URLs",
);

export const feed = v.union(
  [
    v.boolean(),
    object({
      file: v.optional(
        v.pipe(v.string(), v.check(isFeedName, "a file name that ends with .atom or .xml")),
        FEED,
      ),
      minor: v.optional(bool, false),
      entries: v.optional(oneOf(OWN_ENTRIES), "publication"),
    }),
  ],
  "false, or { file, minor, entries }",
);

export const hub = v.union(
  [
    v.pipe(
      webAddress,
      v.transform((url) => ({ url, payload: false })),
    ),
    object({ url: webAddress, payload: v.optional(bool, false) }),
  ],
  "the URL of a WebSub hub, or { url, payload }",
);

const DUMPED_CHANGES = "how many publications: 1 to 999";

export const dump = v.union(
  [
    v.boolean(),
    object({
      changes: v.pipe(
        v.number(DUMPED_CHANGES),
        v.integer(DUMPED_CHANGES),
        v.minValue(1, DUMPED_CHANGES),
        v.maxValue(999, DUMPED_CHANGES),
      ),
    }),
  ],
  "true, false, or { changes: 5 }",
);

const SITEMAP = "true, false, or a file name that ends with .xml";

export const sitemap = v.union(
  [v.boolean(), v.pipe(v.string(), v.check(isSitemapName, SITEMAP))],
  SITEMAP,
);

export const indexNowKey = v.pipe(
  text,
  v.regex(
    INDEX_NOW_KEY,
    "a key of 8 to 128 letters, digits and hyphens: npx rs-emit init makes one",
  ),
);

export const NOW = "a full datetime such as 2026-10-05T18:30:00Z";

export const now = v.union([v.string(), v.date()], NOW);

const PRIORITY = "1 to 999999";
const BYTES = "a number of bytes";
const FULL_DATETIME = /T\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The same links stand on an entry of each list and package (ResourceSync 1.1, sections 7 and 14.4). */
const OF_CHANGES = ["http://www.openarchives.org/rs/terms/patch", "contents"];

/** A link from resources to another place. */
export const link = object({
  match: nonEmpty,
  rel: v.pipe(
    text,
    v.check(isRelation, "a relation that IANA has registered, such as duplicate, or a URI"),
    v.check(
      (rel) => !OF_CHANGES.includes(rel),
      "a relation of pages: patches are of one change, and contents of packages",
    ),
  ),
  href: v.pipe(text, v.check(isLinkTarget, 'a whole URL, such as "https://mirror.example/{path}"')),
  type: v.optional(v.pipe(text, v.regex(/^[\w.+-]+\/[\w.+-]+$/, "a media type"))),
  pri: optional(
    v.pipe(
      v.number(PRIORITY),
      v.integer(PRIORITY),
      v.minValue(1, PRIORITY),
      v.maxValue(999_999, PRIORITY),
    ),
    { words: "1 to 999,999 (ResourceSync 1.1, section 7)" },
  ),
  modified: optional(
    v.pipe(
      text,
      v.check(
        (time) => FULL_DATETIME.test(time) && secondsOf(time) !== undefined,
        "a full datetime in UTC, such as 2026-10-05T18:30:00Z",
      ),
    ),
    { words: "when the target changed, or a version was kept; a full datetime in UTC" },
  ),
  hash: optional(v.pipe(text, v.check(areDigests, "digests such as sha-256:9f86…, in full")), {
    words: "digests of the target: `sha-256:9f86…`",
  }),
  length: optional(v.pipe(v.number(BYTES), v.integer(BYTES), v.minValue(0, BYTES)), {
    words: "of the target, in bytes",
  }),
});

/** Inserting a path for `{path}` must not change the host. */
function isLinkTarget(href: string): boolean {
  const [one, other] = ["page", "shrine/a%20b"].map((path) => href.replaceAll("{path}", path));
  if (one === undefined || other === undefined) return false;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  return new URL(one).host === new URL(other).host;
}
