import { type ZippedFile, zipOf } from "../../../packages/harvester/test/support/zip.ts";
import { type Attributes, changeList, document, type Entry, stated } from "../documents.ts";
import type { Files } from "../write.ts";
import {
  A,
  ALL,
  B,
  C,
  copied,
  entryOf,
  HOME,
  NEWER,
  OTHERS,
  PAGES,
  site,
  TAKEN,
  UP,
} from "./site.ts";

function manifest(capability: string, md: Attributes, entries: readonly Entry[]): string {
  return document("urlset", UP, { capability, ...md }, entries);
}

export function packages(): void {
  const path = (loc: string) => `/files${loc.replace(/\/$/, "/index.html")}`;
  const packed = (pages: Files): Buffer => {
    const entries = Object.entries(pages).map((each) => entryOf(each, { path: path(each[0]) }));
    const files: readonly ZippedFile[] = Object.entries(pages).map(([loc, bytes]) => ({
      name: path(loc).slice(1),
      bytes,
    }));
    const text = manifest("resourcedump-manifest", TAKEN, entries);
    return zipOf([{ name: "manifest.xml", bytes: text }, ...files]);
  };
  const dump = (...zips: readonly (readonly [string, Uint8Array])[]): string =>
    document(
      "urlset",
      UP,
      { capability: "resourcedump", ...TAKEN },
      zips.map(([loc, bytes]) => ({ loc, md: stated(bytes, "application/zip") })),
    );
  const away = { "/a.html": { status: 503 }, "/b.html": { status: 503 } };
  const whole = packed(PAGES);
  copied(
    "resource-dump",
    "A Resource Dump hands the pages over in one package; some cannot be had otherwise.",
    "R10 R80 R2",
    [
      {
        site: site(PAGES, { "/resourcedump.xml": dump(["/all.zip", whole]), "/all.zip": whole }),
        answers: away,
        holds: ALL,
        never: ["manifest.xml", "files/a.html"],
      },
    ],
  );
  const [one, two] = [packed({ "/": HOME, "/a.html": A }), packed({ "/b.html": B, "/c.html": C })];
  copied("resource-dump-of-two-packages", "A Resource Dump has two packages.", "R10 R80", [
    {
      site: site(PAGES, {
        "/resourcedump.xml": dump(["/one.zip", one], ["/two.zip", two]),
        "/one.zip": one,
        "/two.zip": two,
      }),
      answers: away,
      holds: ALL,
      never: ["manifest.xml", "files/b.html"],
    },
  ]);
  copied(
    "resource-dump-damaged",
    "A package has not the hash that its dump states. The pages are fetched by themselves.",
    "R10 R9",
    [
      {
        site: site(PAGES, {
          "/resourcedump.xml": dump(["/all.zip", whole]),
          "/all.zip": packed({ ...PAGES, "/b.html": NEWER }),
        }),
        holds: ALL,
        never: ["manifest.xml", "files/b.html"],
      },
    ],
  );
  copied(
    "resource-dump-with-another-page",
    "A package has a page that is not what the Resource List states. The page is fetched.",
    "R10 R9",
    [
      {
        site: site(PAGES, {
          "/resourcedump.xml": dump(["/all.zip", packed({ ...PAGES, "/b.html": NEWER })]),
          "/all.zip": packed({ ...PAGES, "/b.html": NEWER }),
        }),
        holds: ALL,
        never: ["manifest.xml", "files/b.html"],
      },
    ],
  );
  const change = entryOf(["/b.html", NEWER], {
    change: "updated",
    datetime: "2026-10-20T08:00:00Z",
  });
  const news = zipOf([
    {
      name: "manifest.xml",
      bytes: manifest("changedump-manifest", { from: "2026-10-01T00:00:00Z" }, [
        { ...change, md: { ...change.md, path: "/files/b.html" } },
      ]),
    },
    { name: "files/b.html", bytes: NEWER },
  ]);
  const changeDump = (bytes: Uint8Array) =>
    document("urlset", UP, { capability: "changedump", from: "2026-10-01T00:00:00Z" }, [
      {
        loc: "/news.zip",
        md: { from: "2026-10-01T00:00:00Z", ...stated(bytes, "application/zip") },
      },
    ]);
  const none = document(
    "urlset",
    UP,
    { capability: "changedump", from: "2026-10-01T00:00:00Z" },
    [],
  );
  copied(
    "change-dump",
    "A Change Dump hands a changed page over, which cannot be had otherwise.",
    "R12 R98",
    [
      {
        site: site(PAGES, { "/changelist.xml": changeList([]), "/changedump.xml": none }),
        holds: ALL,
        never: ["manifest.xml"],
      },
      {
        site: {
          "/changelist.xml": changeList([change]),
          "/changedump.xml": changeDump(news),
          "/news.zip": news,
          "/expected/b.html": NEWER,
        },
        answers: { "/b.html": { status: 503 } },
        holds: { ...OTHERS, "b.html": "site/2/expected/b.html" },
        never: ["manifest.xml", "files/b.html"],
      },
    ],
  );
}
