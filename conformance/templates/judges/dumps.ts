import { zipOf } from "../../../packages/harvester/test/support/zip.ts";
import {
  type Attributes,
  at,
  change,
  document,
  type Entry,
  type Link,
  page,
  stated,
} from "../documents.ts";
import {
  CAPABILITIES,
  CLOSED,
  capabilityless,
  drop,
  dropLink,
  type Edit,
  judged,
  LINK,
  ownAttribute,
  PAGES,
  SITE,
  swap,
  TAKEN,
  UP,
} from "./site.ts";

const FILES = { "a.html": PAGES["/a.html"] ?? "", "b.html": PAGES["/b.html"] ?? "" };

function manifest(capability: string, md: Attributes, entries: readonly Entry[]): string {
  return document("urlset", UP, { capability, ...md }, entries);
}

const ALL = manifest(
  "resourcedump-manifest",
  TAKEN,
  Object.entries(FILES).map(([name, text]) => ({
    loc: `/${name}`,
    md: { ...stated(text), path: `/pages/${name}` },
  })),
);
const OLD = page("Old", LINK);
const NEWS = manifest("changedump-manifest", CLOSED, [
  packed("created / 2026-09-02T00:00:00Z", PAGES["/"], "/pages/index.html"),
  packed("created /old.html 2026-09-03T00:00:00Z", OLD, "/pages/old.html"),
  packed("created /a.html 2026-09-04T00:00:00Z", PAGES["/a.html"], "/pages/a.html"),
]);

function packed(words: string, text = "", path = ""): Entry {
  return change(words, { ...stated(text), path });
}

function zipped(text: string, pages: Readonly<Record<string, string>>): Buffer {
  const files = Object.entries(pages).map(([name, bytes]) => ({ name: `pages/${name}`, bytes }));
  return zipOf([{ name: "manifest.xml", bytes: text }, ...files]);
}

export function dumps(): void {
  const all = zipped(ALL, FILES);
  const news = zipped(NEWS, {
    "index.html": PAGES["/"] ?? "",
    "old.html": OLD,
    "a.html": PAGES["/a.html"] ?? "",
  });
  const contents = (path: string): readonly Link[] => [
    ["contents", path, { type: "application/xml" }],
  ];
  const site = {
    ...SITE,
    [CAPABILITIES]: (SITE[CAPABILITIES] ?? "").replace(
      "</urlset>",
      `  <url><loc>${at("/resourcedump.xml")}</loc><rs:md capability="resourcedump"/></url>\n` +
        `  <url><loc>${at("/changedump.xml")}</loc><rs:md capability="changedump"/></url>\n</urlset>`,
    ),
    "/resourcedump.xml": document("urlset", UP, { capability: "resourcedump", ...TAKEN }, [
      {
        loc: "/all.zip",
        md: { ...TAKEN, ...stated(all, "application/zip") },
        links: contents("/all.xml"),
      },
    ]),
    "/changedump.xml": document("urlset", UP, { capability: "changedump", from: CLOSED.from }, [
      {
        loc: "/news.zip",
        md: { ...CLOSED, ...stated(news, "application/zip") },
        links: contents("/news.xml"),
      },
    ]),
    "/all.xml": ALL,
    "/news.xml": NEWS,
    "/all.zip": all,
    "/news.zip": news,
  };
  const dump = (name: string, about: string, finds: readonly string[], path: string, edit: Edit) =>
    judged(name, about, finds, path, edit, {
      site,
      also: [CAPABILITIES, "/resourcedump.xml", "/changedump.xml"],
    });
  dump(
    "dump-capability",
    "A Resource Dump does not say that it is one.",
    ["R76a error"],
    "/resourcedump.xml",
    capabilityless,
  );
  dump(
    "dump-at",
    "A Resource Dump has no at.",
    ["R76b error"],
    "/resourcedump.xml",
    drop(/(?<=capability="resourcedump") at="[^"]*"/),
  );
  dump(
    "dump-up",
    "A Resource Dump does not link the Capability List.",
    ["R76c error"],
    "/resourcedump.xml",
    dropLink("up"),
  );
  dump(
    "dump-loc",
    "An entry of a Resource Dump has no loc.",
    ["R76f error"],
    "/resourcedump.xml",
    swap("</urlset>", '  <url><rs:md type="application/zip" length="3"/></url>\n</urlset>'),
  );
  dump(
    "dump-length",
    "An entry of a Resource Dump does not say the package's length.",
    ["R76g warning"],
    "/resourcedump.xml",
    drop(/ length="[^"]*"/),
  );
  dump(
    "dump-type",
    "A package is called something else than a ZIP file.",
    ["R77a warning"],
    "/resourcedump.xml",
    swap("application/zip", "application/x-tar"),
  );
  dump(
    "change-dump-capability",
    "A Change Dump does not say that it is one.",
    ["R95a error"],
    "/changedump.xml",
    capabilityless,
  );
  dump(
    "change-dump-from",
    "A Change Dump has no from.",
    ["R95b error"],
    "/changedump.xml",
    drop(/(?<=capability="changedump") from="[^"]*"/),
  );
  dump(
    "change-dump-up",
    "A Change Dump does not link the Capability List.",
    ["R95c error"],
    "/changedump.xml",
    dropLink("up"),
  );
  dump(
    "change-dump-loc",
    "An entry of a Change Dump has no loc.",
    ["R95e error"],
    "/changedump.xml",
    swap("</urlset>", '  <url><rs:md type="application/zip" length="3"/></url>\n</urlset>'),
  );
  dump(
    "change-dump-length",
    "An entry of a Change Dump does not say the package's length.",
    ["R95f warning"],
    "/changedump.xml",
    drop(/ length="[^"]*"/),
  );
  dump(
    "change-dump-times",
    "An entry of a Change Dump does not say which time its package covers.",
    ["R95g warning"],
    "/changedump.xml",
    drop(/(?<=<loc>[^<]*zip<\/loc>\s*<rs:md) from="[^"]*"/),
  );
  dump(
    "manifest-capability",
    "The copy of a manifest does not say what it is.",
    ["R82a error"],
    "/all.xml",
    capabilityless,
  );
  dump(
    "manifest-at",
    "The copy of a manifest has no at.",
    ["R82b error"],
    "/all.xml",
    ownAttribute("at"),
  );
  dump(
    "manifest-up",
    "The copy of a manifest does not link the Capability List.",
    ["R82c error"],
    "/all.xml",
    dropLink("up"),
  );
  dump(
    "manifest-path",
    "An entry of a manifest has no path.",
    ["R82e error"],
    "/all.xml",
    drop(/ path="[^"]*"/),
  );
  dump(
    "manifest-type",
    "An entry of a manifest does not say its file's type.",
    ["R82f warning"],
    "/all.xml",
    drop(/ type="[^"]*"/),
  );
  dump(
    "change-manifest-capability",
    "The copy of a change dump's manifest does not say what it is.",
    ["R100a error"],
    "/news.xml",
    capabilityless,
  );
  dump(
    "change-manifest-from",
    "The copy of a change dump's manifest has no from.",
    ["R100b error"],
    "/news.xml",
    ownAttribute("from"),
  );
  dump(
    "change-manifest-change",
    "An entry of a change dump's manifest does not say what happened.",
    ["R100e error"],
    "/news.xml",
    drop(/ change="[^"]*"/),
  );
  dump(
    "manifest-loc",
    "An entry of a manifest has no loc.",
    ["R82d error"],
    "/all.xml",
    drop(/ *<loc>[^<]*b\.html<\/loc>\n/),
  );
  dump(
    "change-manifest-loc",
    "An entry of a change dump's manifest has no loc.",
    ["R100g error"],
    "/news.xml",
    drop(/ *<loc>[^<]*old\.html<\/loc>\n/),
  );
  dump(
    "change-manifest-up",
    "The copy of a change dump's manifest does not link the Capability List.",
    ["R100c error"],
    "/news.xml",
    dropLink("up"),
  );
  dump(
    "change-manifest-order",
    "The changes in a change dump's manifest do not stand in order of time.",
    ["R100d error"],
    "/news.xml",
    swap("2026-09-03T00:", "2026-09-05T00:"),
  );
  judged(
    "manifest-copy-disagrees",
    "The copy of a manifest covers another time than its package.",
    ["R78b error"],
    "/news.xml",
    swap(`from="${CLOSED.from}"`, 'from="2026-08-01T00:00:00Z"'),
    { site, where: "/changedump.xml|/news.xml" },
  );
  const second = (md: Attributes): Edit =>
    swap(
      "</urlset>",
      `  <url><loc>${at("/more.zip")}</loc><rs:md ${Object.entries(md)
        .map(([name, value]) => `${name}="${value}"`)
        .join(" ")}/></url>\n</urlset>`,
    );
  const more = { ...site, "/more.zip": news };
  judged(
    "dump-formats",
    "The packages of a dump have two formats.",
    ["R77b warning"],
    "/resourcedump.xml",
    second({ ...TAKEN, ...stated(news, "application/x-tar") }),
    { site: more },
  );
  judged(
    "change-dump-order",
    "The packages of a Change Dump do not stand in order of time.",
    ["R95d warning"],
    "/changedump.xml",
    second({
      from: "2026-08-01T00:00:00Z",
      until: "2026-09-01T00:00:00Z",
      ...stated(news, "application/zip"),
    }),
    { site: more },
  );
  dump(
    "change-manifest-path",
    "An entry of a change dump's manifest has no path.",
    ["R100f error"],
    "/news.xml",
    drop(/ path="[^"]*"/),
  );
}
