import { posix, win32 } from "node:path";
import fc, { type Arbitrary } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ALL_FEED_PATH,
  archivePath,
  collectionFeedPath,
  OPML_PATH,
  sourceFeedPath,
} from "../src/cli/feed-files.ts";

/** Parts of URLs that could trip over file systems, or over the names of other feeds. */
const part = fc.oneof(
  fc.constantFrom(
    "moss",
    "Moss",
    "moss.atom",
    "moss-archive-1",
    "moss-0123456789ab",
    "index",
    "all",
    "feeds",
    "feeds.opml",
    "con",
    "aux.html",
    "COM1",
    "..",
    "%2e%2e",
    "%2F",
    "a\\b",
    "~ida",
    "moss.",
    "-",
    "苔",
    "d%C3%A9tail",
    "détail",
    "%00",
    "a:b",
    "moss ",
    "a".repeat(300),
  ),
  fc.string({ maxLength: 6 }),
);
const host = fc.constantFrom(
  "example.org",
  "EXAMPLE.org",
  "example.org:8080",
  "example.org-8080",
  "all",
  "feeds",
  "feeds.opml",
  "example.org.atom",
  "all-archive-1",
  "con",
  "aux.example",
  "localhost",
  "苔.example",
  "[::1]",
  "a_b.example",
  `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.example`,
);
const url: Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("https", "https", "http"),
      host,
      fc.array(part, { maxLength: 3 }),
      fc.constantFrom("/", "/", "", "?a=1", "#moss"),
    )
    .map(([scheme, at, parts, end]) => `${scheme}://${[at, ...parts].join("/")}${end}`),
  fc.webUrl({ withQueryParameters: true }),
  fc.string(),
);

describe("the path of a collection's feed", () => {
  test.each([
    ["https://example.org/moss/", "example.org/moss.atom"],
    ["https://example.org/gardens/moss_2.0/", "example.org/gardens/moss_2.0.atom"],
    ["https://example.org/", "example.org/index.atom"],
    ["https://example.org", "example.org/index.atom"],
    ["HTTPS://Example.Org:443/moss/", "example.org/moss.atom"],
    ["https://example.org/index/", "example.org/index-8479b2dcd156.atom"],
    ["https://example.org/moss", "example.org/moss-f381160dd892.atom"],
    ["http://example.org/moss/", "example.org/moss-296865f415af.atom"],
    ["https://example.org/Moss/", "example.org/moss-165423cfacfa.atom"],
    ["https://example.org/d%C3%A9tail/", "example.org/detail-732efab91ec3.atom"],
    ["https://example.org/苔/", "example.org/feed-293945dc402e.atom"],
    ["https://example.org/con/", "example.org/con-29b1db01cea7.atom"],
    ["https://localhost:8080/moss/", "localhost-8080-8b1fdc44bdaf/moss.atom"],
  ])("of %s is %s", (url, path) => {
    expect(collectionFeedPath(url)).toBe(path);
  });
});

describe("the path of a source's feed", () => {
  test.each([
    ["https://example.org/.well-known/resourcesync", "example.org.atom"],
    ["http://example.org/.well-known/resourcesync", "example-org-997d30b7a658.atom"],
    ["https://example.org/~ida/.well-known/resourcesync", "example-org-ida-386834e4a719.atom"],
    ["https://all/.well-known/resourcesync", "all-09072eedbd68.atom"],
  ])("of %s is %s", (url, path) => {
    expect(sourceFeedPath(url)).toBe(path);
  });
});

describe("a URL that looks like the path of another feed has a path of its own", () => {
  const archive = archivePath(collectionFeedPath("https://example.org/moss/"), 1);
  test.each([
    ["an archive", "https://example.org/moss-archive-1/", archive],
    [
      "a digest",
      "https://example.org/moss-165423cfacfa/",
      collectionFeedPath("https://example.org/Moss/"),
    ],
    ["the site", "https://example.org/index/", collectionFeedPath("https://example.org/")],
  ])("of %s", (_, url, taken) => {
    expect(`https://${taken.replace(/\.atom$/, "/")}`).toBe(url);
    expect(collectionFeedPath(url)).not.toBe(taken);
  });
});

test("an archive stands beside its feed", () => {
  expect(archivePath("example.org/moss.atom", 12)).toBe("example.org/moss-archive-12.atom");
});

describe("whatever the URLs are, paths", () => {
  function pathsOf(urls: readonly string[], archive: number): Map<string, string> {
    const paths = new Map([
      [ALL_FEED_PATH, "all"],
      [OPML_PATH, "feeds"],
      [archivePath(ALL_FEED_PATH, archive), "archive of all"],
    ]);
    for (const url of urls) {
      const feed = URL.parse(url)?.href ?? url;
      for (const [kind, path] of [
        ["collection", collectionFeedPath(url)],
        ["source", sourceFeedPath(url)],
      ] as const) {
        for (const [document, name] of [
          ["feed", path],
          [`archive ${archive}`, archivePath(path, archive)],
        ] as const) {
          const owner = `${document} of ${kind} ${feed}`;
          expect(paths.get(name.toLowerCase()) ?? owner).toBe(owner);
          paths.set(name.toLowerCase(), owner);
        }
      }
    }
    return paths;
  }

  test("are unique where capitals do not count, and no file has the name of a folder", () => {
    fc.assert(
      fc.property(
        fc.array(url, { maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (urls, archive) => {
          const paths = pathsOf(urls, archive);
          for (const path of paths.keys()) {
            for (let at = posix.dirname(path); at !== "."; at = posix.dirname(at)) {
              expect(paths.has(at)).toBe(false);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test("are safe: short, within their folder, of plain letters, of no device", () => {
    fc.assert(
      fc.property(url, (one) => {
        for (const path of [collectionFeedPath(one), sourceFeedPath(one)]) {
          expect(path.length).toBeLessThanOrEqual(200);
          expect(posix.normalize(path)).toBe(path);
          expect(win32.isAbsolute(path)).toBe(false);
          for (const name of path.split("/")) {
            expect(name).toMatch(/^[a-z0-9_][a-z0-9_.-]*[a-z0-9_]$|^[a-z0-9_]$/);
            expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("are the same for the same URL, however it is spelled", () => {
    fc.assert(
      fc.property(fc.webUrl(), (one) => {
        expect(collectionFeedPath(new URL(one).href)).toBe(collectionFeedPath(one));
      }),
    );
  });
});
