import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entryTag, feedTag } from "../src/identity.ts";

const INSTANT = "2026-11-20T10:00:00Z";
const TAG =
  /^tag:[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?,\d{4}(?:-\d\d){0,2}:(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*$/;

describe("the id of an entry", () => {
  test.each([
    ["https://example.org/moss/", `tag:example.org,2026:changes/moss/${INSTANT}`],
    ["https://example.org/", `tag:example.org,2026:changes/${INSTANT}`],
    ["http://example.org:8080/a/b/", `tag:example.org,2026:changes:8080/a/b/${INSTANT}`],
    ["https://example.org/?a=b", `tag:example.org,2026:changes/?a=b/${INSTANT}`],
  ])("of %s is %s", (url, id) => expect(entryTag(url, INSTANT)).toBe(id));

  test("says that it is a later part of the same", () => {
    const first = entryTag("https://example.org/moss/", INSTANT);
    expect(entryTag("https://example.org/moss/", INSTANT, 1)).toBe(first);
    expect(entryTag("https://example.org/moss/", INSTANT, 2)).toBe(`${first}/2`);
  });
});

test("ids are tags by RFC 4151, whatever the URL", () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.webUrl().map((url) => url.replace(/\/\/[^/]+/, "//[::1]:8080")),
      (one, other) => {
        for (const url of [one, other]) {
          expect(entryTag(url, INSTANT, 3)).toMatch(TAG);
          for (const kind of ["collection", "source", "everything"] as const) {
            expect(feedTag(url, kind)).toMatch(TAG);
          }
        }
      },
    ),
  );
});

test("folders, instants and parts that differ have ids that differ", () => {
  const name = fc.constantFrom("2026-11-20", INSTANT, "2026-11-20T10:00:01Z");
  const entry = fc.tuple(fc.webUrl({ withQueryParameters: true }), name, fc.nat(3));
  fc.assert(
    fc.property(entry, entry, (one, other) => {
      const [here, there] = [one, other].map(([url, name, part]) => {
        const { hostname, port, pathname, search } = new URL(url);
        const folder = (pathname + search).replace(/\/?$/, "/");
        return {
          what: JSON.stringify([hostname, port, folder, name, part]),
          id: entryTag(url, name, part + 1),
        };
      });
      expect(here?.id === there?.id).toBe(here?.what === there?.what);
    }),
  );
});

test("ids of sites on one host are told apart by port and path", () => {
  const urls = ["http://a.test/", "http://a.test:81/", "http://a.test:82/", "http://a.test/x/"];
  expect(new Set(urls.map((url) => entryTag(url, INSTANT))).size).toBe(4);
  expect(feedTag("https://a.test/", "source")).toBe(feedTag("http://a.test/", "source"));
});
