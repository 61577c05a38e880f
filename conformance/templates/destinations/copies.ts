import { gzipSync } from "node:zlib";
import { OTHER_ORIGIN } from "../../server.ts";
import { capabilityList, DESCRIPTION, description, document, page, stated } from "../documents.ts";
import type { Files } from "../write.ts";
import {
  A,
  ALL,
  B,
  C,
  copied,
  entryOf,
  filesOf,
  held,
  listed,
  listOf,
  PAGES,
  site,
  TAKEN,
  UP,
} from "./site.ts";

export function firstCopies(): void {
  const hidden = { "/hidden.html": page("Hidden") };
  copied(
    "first-copy",
    "The first copy has what the Resource List names, and nothing besides.",
    "R9 T3 T44",
    [{ site: site(PAGES, hidden), holds: ALL, never: ["hidden.html"] }],
  );
  const part = (...paths: readonly string[]) =>
    listOf(
      Object.entries(PAGES)
        .filter(([path]) => paths.includes(path))
        .map((each) => entryOf(each)),
    );
  copied("resource-list-index", "The Resource List is in two parts behind an index.", "R9 T3", [
    {
      site: site(PAGES, {
        ...hidden,
        "/resourcelist.xml": document(
          "sitemapindex",
          UP,
          { capability: "resourcelist", ...TAKEN },
          [{ loc: "/resourcelist-1.xml" }, { loc: "/resourcelist-2.xml" }],
        ),
        "/resourcelist-1.xml": part("/", "/a.html"),
        "/resourcelist-2.xml": part("/b.html", "/c.html"),
      }),
      holds: ALL,
      never: ["hidden.html", "resourcelist-3.xml"],
    },
  ]);
  copied("two-collections", "Two collections of a site are copied side by side.", "R9 T3", [
    {
      site: {
        [DESCRIPTION]: description("/one/", "/two/"),
        "/one/capabilitylist.xml": capabilityList("/one/", { resourcelist: "/one/list.xml" }),
        "/two/capabilitylist.xml": capabilityList("/two/", { resourcelist: "/two/list.xml" }),
        "/one/list.xml": listed({ "/one/a.html": A }),
        "/two/list.xml": listed({ "/two/b.html": B }),
        ...filesOf({ "/one/a.html": A, "/two/b.html": B, "/one/hidden.html": C }),
      },
      holds: held(1, "one/a.html", "two/b.html"),
      never: ["one/hidden.html", "one/b.html"],
    },
  ]);
  copied(
    "links-are-left-alone",
    "Links of entries that a program does not know are left alone.",
    "R102 R9",
    [
      {
        site: site(PAGES, {
          "/mirror.html": page("A mirror"),
          "/old.html": page("A memento"),
          "/resourcelist.xml": listOf(
            Object.entries(PAGES).map((each) => ({
              ...entryOf(each),
              links: [
                ["https://example.org/rel/unknown", "/mirror.html"],
                ["memento", "/old.html"],
              ],
            })),
          ),
        }),
        holds: ALL,
        never: ["mirror.html", "old.html"],
      },
    ],
  );
  copied(
    "without-hashes",
    "Entries without hash, length or type are copied by their loc.",
    "R9 T44",
    [
      {
        site: site(PAGES, {
          ...hidden,
          "/resourcelist.xml": listOf(Object.keys(PAGES).map((loc) => ({ loc }))),
        }),
        holds: ALL,
        never: ["hidden.html"],
      },
    ],
  );
  copied(
    "compressed-on-the-way",
    "A page comes with Content-Encoding: gzip. Its hash is of the page.",
    "T44 R9",
    [
      {
        site: site(PAGES, { ...hidden, "/packed": gzipSync(A, { level: 9 }) }),
        answers: { "/a.html": { file: "/packed", headers: { "content-encoding": "gzip" } } },
        holds: ALL,
        never: ["hidden.html", "packed"],
      },
    ],
  );
}

export function names(): void {
  const odd: Files = {
    "/caf%C3%A9.html": page("Café"),
    "/two%20words.html": page("Two words"),
    "/garden/": page("A garden"),
    "/garden/moss/deep/": page("Deep"),
    "/empty.txt": "",
    "/bytes.bin": Buffer.from(Array.from({ length: 512 }, (_, each) => each % 256)),
  };
  copied(
    "odd-names",
    "Names in another script, with a space, of folders; an empty file, and bytes.",
    "R9 T44",
    [
      {
        site: site(odd, { "/hidden.html": page("Hidden") }),
        holds: held(
          1,
          "café.html",
          "two words.html",
          "garden/index.html",
          "garden/moss/deep/index.html",
          "empty.txt",
          "bytes.bin",
        ),
        never: ["hidden.html", "garden/hidden.html"],
      },
    ],
  );
  copied("names-that-climb", "A name that climbs out of the folder writes nothing there.", "R9", [
    {
      site: site(PAGES, {
        "/resourcelist.xml": listOf([
          ...Object.entries(PAGES).map((each) => entryOf(each)),
          entryOf(["/..%2f..%2fevil.html", A]),
          entryOf(["/%2e%2e%5cevil.html", A]),
        ]),
      }),
      answers: { "/..%2f..%2fevil.html": { status: 200, body: A } },
      holds: ALL,
      never: ["../evil.html", "../../evil.html", "evil.html"],
    },
  ]);
  copied(
    "another-host",
    "A list names a page of another host, which a copy of this site need not have.",
    "R9",
    [
      {
        site: site(PAGES, {
          "/resourcelist.xml": listOf([
            ...Object.entries(PAGES).map((each) => entryOf(each)),
            { loc: `${OTHER_ORIGIN}/b.html`, md: stated(C) },
          ]),
        }),
        other: { "/b.html": C },
        holds: ALL,
        never: ["../b.html"],
      },
    ],
  );
}
