import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { judgeDocuments } from "@rs-emit/check";
import { type Entry, type ParsedDocument, readDocumentSync } from "@rs-emit/documents";
import { beforeAll, describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { rsEmit } from "./support/command.ts";
import { commitAll, contentsOf, folderOf, page, write } from "./support/folder.ts";
import { host, serve } from "./support/host.ts";

/** What the command publishes, held against each requirement on a source's documents. */

const SITE = "https://example.org/";
const AT = (path: string) => `${SITE}${path}`;
const OPTIONS = ["--url", SITE, "--collection", "/", "--collection", "shrine/"];
const PUBLICATIONS = [
  "2026-10-05T18:30:00Z",
  "2026-10-19T07:45:00Z",
  "2026-10-20T07:45:00Z",
  "2026-11-02T10:00:00Z",
];
/** When somebody else made a file of the site. */
const OTHERS_TIME = "2019-03-01T00:00:00Z";
/** Every XML document below the folder after each publication, by URL. */
const published: Map<string, string>[] = [];
let folder = "";

beforeAll(async () => {
  folder = folderOf({
    "index.html": page("Home"),
    "moss.html": page("Moss"),
    "fern & ivy.html": page("Fern & <ivy>"),
    "robots.txt": "User-agent: *\n",
    "shrine/index.html": page("Shrine"),
    "shrine/lamp.html": page("Lamp"),
  });
  const edits: readonly (() => void)[] = [
    () => {},
    () => {
      write(folder, { "moss.html": page("Moss", "By foot"), "new.html": page("New") });
      utimesSync(join(folder, "new.html"), new Date(OTHERS_TIME), new Date(OTHERS_TIME));
    },
    () => write(folder, { "moss.html": page("Moss", "By boat") }),
    () => write(folder, { "new.html": "", "shrine/lamp.html": page("Lamp", "Brighter") }),
  ];
  for (const [number, edit] of edits.entries()) {
    edit();
    const now = PUBLICATIONS[number] ?? "";
    const from = number === 0 ? "none" : "output";
    const words = ["--title", "Moss", "--author", "Ada"];
    const excluded = number === 3 ? ["--exclude", "new.html"] : [];
    const args = [folder, ...OPTIONS, ...words, ...excluded, "--previous", from, "--now", now];
    expect(await rsEmit([...args, "--history", "files"])).toMatchObject({ exit: 0 });
    published.push(documents());
  }
});

function documents(): Map<string, string> {
  const files = Object.entries(contentsOf(folder));
  const xml = files.filter(([path]) => /\.xml$|resourcesync$/.test(path));
  return new Map(xml.map(([path, text]) => [AT(path), text]));
}

function text(path: string, after = published.length): string {
  const found = published[after - 1]?.get(AT(path));
  if (found === undefined) throw new Error(`${path} was not published`);
  return found;
}

function read(path: string, after = published.length): ParsedDocument {
  return readDocumentSync(text(path, after));
}

function everyDocument(): readonly (readonly [string, ParsedDocument])[] {
  const resourceSync = [...(published.at(-1) ?? [])].filter(([url]) => !url.endsWith("about.xml"));
  return resourceSync.map(([url, source]) => [url, readDocumentSync(source)]);
}

function href(of: { readonly links?: ParsedDocument["links"] | undefined }, rel: string) {
  return of.links?.find((link) => link.rel === rel)?.href;
}

function entriesOf(path: string): readonly Entry[] {
  return read(path).entries;
}

const DESCRIPTION = ".well-known/resourcesync";
const OCTOBER = "changelist/2026-10.xml";
const NOVEMBER = "changelist/2026-11.xml";
const COLLECTIONS = ["", "shrine/"];

describe("the Source Description", () => {
  test("stands at the well-known address", proves("I3", "I8", "R15", "R24a", "R24b"), () => {
    expect(read(DESCRIPTION)).toMatchObject({ root: "urlset" });
    expect(entriesOf(DESCRIPTION).map(({ loc }) => loc)).toEqual(
      COLLECTIONS.map((path) => AT(`${path}capabilitylist.xml`)),
    );
  });

  test("says what it is, and what it lists", proves("I9", "I10", "R36", "P11"), () => {
    expect(read(DESCRIPTION).metadata.capability).toBe("description");
    for (const { metadata } of entriesOf(DESCRIPTION))
      expect(metadata?.capability).toBe("capabilitylist");
  });

  test(
    "lists every collection once, each with its canonical URL",
    proves("I4", "I11", "I15", "R58", "R64"),
    () => {
      expect(entriesOf(DESCRIPTION).map((entry) => href(entry, "describes"))).toEqual(
        COLLECTIONS.map(AT),
      );
    },
  );

  test(
    "links metadata of the site and of each collection",
    proves("I12", "I13", "R42a", "R59", "R60", "P14"),
    () => {
      expect(href(read(DESCRIPTION), "describedby")).toBe(AT("about.xml"));
      expect(entriesOf(DESCRIPTION).map((entry) => href(entry, "describedby"))).toEqual(
        COLLECTIONS.map((path) => AT(`${path}about.xml`)),
      );
    },
  );

  test("leaves lastmod out, as Capability Lists do", proves("R61", "R68a", "R68b"), () => {
    for (const path of [DESCRIPTION, ...COLLECTIONS.map((each) => `${each}capabilitylist.xml`)]) {
      expect(read(path).root).toBe("urlset");
      for (const entry of entriesOf(path)) expect(entry.lastmod).toBeUndefined();
    }
  });
});

test("the metadata have title and author", proves("I14"), () => {
  expect(text("about.xml")).toContain("<dcterms:title>Moss</dcterms:title>");
  expect(text("about.xml")).toContain("<dcterms:creator>Ada</dcterms:creator>");
});

describe.each(COLLECTIONS)("the Capability List of /%s", (path) => {
  const list = `${path}capabilitylist.xml`;

  test("is what the Source Description leads to", proves("I16", "I20", "R67a"), () => {
    expect(read(list)).toMatchObject({
      root: "urlset",
      metadata: { capability: "capabilitylist" },
    });
  });

  test("leads up, and says what it is of", proves("I17", "I18", "I19", "R67b", "R67c"), () => {
    expect(href(read(list), "up")).toBe(AT(DESCRIPTION));
    expect(href(read(list), "describes")).toBe(AT(path));
    expect(href(read(list), "describedby")).toBe(AT(`${path}about.xml`));
  });

  test(
    "has one Change List, and other capabilities, each once",
    proves("I21", "I22", "R16", "R23", "R65", "R67d", "R67e", "T22"),
    () => {
      const offered = entriesOf(list).map(({ loc, metadata }) => [metadata?.capability, loc]);
      expect(offered).toEqual([
        ["changelist", AT(`${path}changelist.xml`)],
        ["resourcelist", AT(`${path}resourcelist.xml`)],
      ]);
    },
  );
});

describe("the Change List Index", () => {
  test(
    "groups the lists in order of time",
    proves(
      ...["I5", "I23", "I30", "R20", "R92a", "R92b", "R93a", "R93c", "R93d", "R93g"],
      ...["T20", "T36"],
    ),
    () => {
      const index = read("changelist.xml");
      expect(index).toMatchObject({ root: "sitemapindex", metadata: { capability: "changelist" } });
      expect(href(index, "up")).toBe(AT("capabilitylist.xml"));
      expect(index.entries.map(({ loc }) => loc)).toEqual([AT(OCTOBER), AT(NOVEMBER)]);
    },
  );

  test(
    "has the interval of each list, closed ones with until",
    proves("R93b", "R93e", "R93f"),
    () => {
      const index = read("changelist.xml");
      expect(index.metadata.from).toBe(read(OCTOBER).metadata.from);
      for (const { loc, metadata } of index.entries) {
        const { from, until } = read(loc.slice(SITE.length)).metadata;
        expect({ from: metadata?.from, until: metadata?.until }).toEqual({ from, until });
      }
      expect(index.entries.map(({ metadata }) => metadata?.until)).toEqual([
        PUBLICATIONS[3],
        undefined,
      ]);
    },
  );
});

describe("a Change List", () => {
  test(
    "says what it is, and leads up and to its index",
    proves("I24", "I25a", "R21", "R22", "R42b", "R42c", "R85a", "R85d", "R85e"),
    () => {
      expect(read(OCTOBER)).toMatchObject({
        root: "urlset",
        metadata: { capability: "changelist" },
      });
      expect(href(read(OCTOBER), "up")).toBe(AT("capabilitylist.xml"));
      expect(href(read(OCTOBER), "index")).toBe(AT("changelist.xml"));
    },
  );

  test(
    "has from, and until where it is closed; no other times",
    proves("I25b", "I26", "R85b", "R85c", "R117", "R117b"),
    () => {
      const { at, completed, from, until } = read(OCTOBER).metadata;
      expect({ at, completed, from, until }).toEqual({
        from: PUBLICATIONS[0],
        until: PUBLICATIONS[3],
      });
      expect(read(NOVEMBER).metadata).toMatchObject({ from: PUBLICATIONS[3] });
      expect(read(NOVEMBER).metadata.until).toBeUndefined();
    },
  );

  test(
    "tells every change once, the oldest first, a page that changed twice twice",
    proves("I27", "I28", "I31", "R6", "R39", "R46", "R83", "R84", "R85f", "R86a", "R86b", "T7"),
    () => {
      const told = [...entriesOf(OCTOBER), ...entriesOf(NOVEMBER)].map(({ loc, metadata }) => [
        metadata?.datetime,
        metadata?.change,
        loc.slice(SITE.length),
      ]);
      expect(told).toEqual([
        [PUBLICATIONS[0], "created", ""],
        [PUBLICATIONS[0], "created", "fern%20&%20ivy.html"],
        [PUBLICATIONS[0], "created", "moss.html"],
        [PUBLICATIONS[1], "created", "new.html"],
        [PUBLICATIONS[1], "updated", "moss.html"],
        [PUBLICATIONS[2], "updated", "moss.html"],
        [PUBLICATIONS[3], "deleted", "new.html"],
      ]);
    },
  );

  test("has no URI and datetime twice, however soon pages change", proves("R87"), async () => {
    const site = folderOf({ "index.html": page("Home"), "moss.html": page("Moss") });
    const args = [site, "--url", SITE, "--previous", "output", "--history", "files"];
    for (const text of ["By bus", "By foot", "By boat"]) {
      write(site, { "moss.html": page("Moss", text) });
      expect(await rsEmit([...args, "--now", PUBLICATIONS[0] ?? ""])).toMatchObject({ exit: 0 });
    }
    const { entries } = readDocumentSync(contentsOf(site)[OCTOBER] ?? "");
    const moss = entries.filter(({ loc }) => loc === AT("moss.html"));
    expect(moss.map(({ metadata }) => metadata?.change)).toEqual(["created", "updated", "updated"]);
    expect(new Set(moss.map(({ metadata }) => metadata?.datetime)).size).toBe(3);
  });

  test("has each datetime within its interval", proves("R47"), () => {
    for (const path of [OCTOBER, NOVEMBER]) {
      const { from = "", until = "9999" } = read(path).metadata;
      for (const { metadata } of entriesOf(path)) {
        expect(from <= (metadata?.datetime ?? "")).toBe(true);
        expect((metadata?.datetime ?? "~") <= until).toBe(true);
      }
    }
  });

  test("has lastmod, hash, length and type", proves("R44", "R86c", "P6", "T32"), () => {
    const updated = entriesOf(OCTOBER).filter(({ metadata }) => metadata?.change === "updated");
    expect(updated).toHaveLength(2);
    for (const { lastmod, metadata } of updated) {
      expect(lastmod).toBe(metadata?.datetime);
      expect(metadata?.hash).toMatch(/^sha-256:[0-9a-f]{64}$/);
      expect(metadata?.length).toMatch(/^[1-9][0-9]*$/);
      expect(metadata?.type).toBe("text/html");
    }
  });

  test(
    "grows while it is open, and never changes once it is closed",
    proves("R40a", "R40b"),
    async () => {
      expect(read(OCTOBER, 1).entries).toHaveLength(3);
      expect(read(OCTOBER, 3).entries).toHaveLength(6);
      write(folder, { "moss.html": page("Moss", "By train") });
      const later = ["--exclude", "new.html", "--now", "2026-11-03T10:00:00Z"];
      await rsEmit([folder, ...OPTIONS, "--title", "Moss", "--author", "Ada", ...later]);
      expect(documents().get(AT(OCTOBER))).toBe(text(OCTOBER));
      expect(documents().get(AT(NOVEMBER))).not.toBe(text(NOVEMBER));
    },
  );
});

describe("the Resource List", () => {
  test(
    "is the whole site as it stands, with what an audit needs",
    proves(
      "R1",
      "R4",
      "R14",
      "R49",
      "R50",
      "R52",
      "R70d",
      "R71a",
      "R71b",
      "T10",
      "T11",
      "T14",
      "T15",
    ),
    () => {
      const listed = entriesOf("resourcelist.xml");
      expect(listed.map(({ loc }) => loc)).toEqual(
        ["", "fern%20&%20ivy.html", "moss.html"].map(AT),
      );
      for (const { loc, lastmod, metadata } of listed) {
        const path = decodeURI(loc.slice(SITE.length)) || "index.html";
        const bytes = path === "moss.html" ? undefined : readFileSync(join(folder, path));
        expect(lastmod).toMatch(/Z$/);
        expect(metadata?.type).toBe("text/html");
        if (bytes === undefined) continue;
        expect(metadata?.hash).toBe(`sha-256:${createHash("sha256").update(bytes).digest("hex")}`);
        expect(metadata?.length).toBe(String(bytes.length));
      }
    },
  );

  test("says what it is, since when, and leads up", proves("R70a", "R70b", "R70c"), () => {
    const { metadata } = read("resourcelist.xml");
    expect(metadata).toMatchObject({ capability: "resourcelist", at: PUBLICATIONS[3] });
    expect(href(read("resourcelist.xml"), "up")).toBe(AT("capabilitylist.xml"));
  });

  test("agrees with the log", proves("R66", "P1"), () => {
    const log = [...entriesOf(OCTOBER), ...entriesOf(NOVEMBER)];
    const standing = new Map<string, string | undefined>();
    for (const { loc, metadata } of log) standing.set(loc, metadata?.change);
    const left = [...standing].filter(([, change]) => change !== "deleted").map(([loc]) => loc);
    expect(left.sort()).toEqual(entriesOf("resourcelist.xml").map(({ loc }) => loc));
  });

  test("leads, by way of its Capability List, to the changes after it", proves("T25"), () => {
    const list = href(read("resourcelist.xml"), "up")?.slice(SITE.length) ?? "";
    expect(entriesOf(list)[0]?.metadata?.capability).toBe("changelist");
  });
});

describe("every document", () => {
  test("has a capability, and a loc in every entry", proves("R43", "T13b"), () => {
    for (const [url, { metadata, entries }] of everyDocument()) {
      expect(metadata.capability, url).toBeDefined();
      for (const { loc } of entries) expect(new URL(loc).href).toBe(loc);
    }
  });

  test(
    "says when this source published, not when somebody else made a file",
    proves("R116"),
    () => {
      const list = read(OCTOBER);
      const created = list.entries.find(({ loc }) => loc === AT("new.html"));
      expect(created?.lastmod).toBe(OTHERS_TIME);
      expect(created?.metadata?.datetime).toBe(PUBLICATIONS[1]);
      for (const [url, { metadata }] of everyDocument()) {
        const { at, from, until } = metadata;
        for (const time of [at, from, until]) {
          if (time !== undefined) expect(PUBLICATIONS, url).toContain(time);
        }
      }
    },
  );

  test("has complete datetimes in UTC", proves("R41"), () => {
    for (const [url, source] of published.at(-1) ?? []) {
      const times = source.matchAll(/(?: at| from| until| datetime|<lastmod)[=>]"?([^"<]+)/g);
      for (const [, time] of times) expect(time, url).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
  });

  test(
    "has attributes of the framework without prefix, others with one",
    proves("R34", "R35", "P4", "P5", "P7"),
    () => {
      for (const [url, source] of published.at(-1) ?? []) {
        if (url.endsWith("about.xml")) continue;
        expect(source, url).not.toMatch(/<(?:url|urlset|sitemap)\s[^>]*\s(?!xmlns)[\w:]+=/);
        for (const [, attributes = ""] of source.matchAll(/<rs:(?:md|ln)([^>]*)\/>/g)) {
          for (const [, name = ""] of attributes.matchAll(/\s([\w:]+)="/g)) {
            if (name.includes(":")) expect(name).toMatch(/^(?:emit|dcterms|wiki):/);
            else expect(OF_FRAMEWORK).toContain(name);
          }
        }
        for (const [entry] of source.matchAll(/<url>[\s\S]*?<\/url>/g)) {
          expect(entry.match(/<loc>/g)).toHaveLength(1);
          expect(entry.match(/<rs:md/g)?.length ?? 0).toBeLessThanOrEqual(1);
        }
      }
    },
  );

  test("has links with href and rel", proves("R53a", "R53b"), () => {
    for (const [url, { links, entries }] of everyDocument()) {
      for (const link of [...links, ...entries.flatMap((entry) => entry.links ?? [])]) {
        expect(link.rel, url).not.toBe("");
        expect(URL.canParse(link.href), url).toBe(true);
      }
    }
  });

  test("keeps every rule of the judge", () => {
    expect(judgeDocuments(new Map(everyDocument()))).toEqual([]);
  });

  test("leads to what can be fetched", proves("R18"), async () => {
    const base = await host(serve(folder));
    const gone = new Set(entriesOf(NOVEMBER).map(({ loc }) => loc));
    const locs = everyDocument().flatMap(([, { entries }]) => entries.map(({ loc }) => loc));
    const standing = [...new Set(locs)].filter((loc) => !gone.has(loc));
    expect(standing).toContain(AT("fern%20&%20ivy.html"));
    for (const loc of standing) {
      const path = loc.slice(SITE.length).replace(/(^|\/)$/, "$1index.html");
      expect((await fetch(`${base}${path}`)).status, loc).toBe(200);
    }
  });

  const SCHEMAS = join(import.meta.dirname, "../../../../shared/spec/xsd");
  const able = existsSync(SCHEMAS) && spawnSync("xmllint", ["--version"]).status === 0;
  test("is valid by the framework's schema", proves("R57", "P15"), ({ skip }) => {
    if (!able) skip("it needs xmllint and the framework's schemas");
    const documentsAt = [...(published.at(-1) ?? [])].filter(([url]) => !url.endsWith("about.xml"));
    expect(documentsAt.length).toBeGreaterThan(7);
    for (const [url, source] of documentsAt) expect(faultsOf(source), url).toBe("");
    // What the schemas are about is found: of sitemaps, and of the framework.
    const list = text(OCTOBER);
    expect(faultsOf(list.replace(/<loc>.*<\/loc>/, "<loc>moss</loc>"))).toContain("loc");
    expect(faultsOf(list.replace('change="created"', 'change="made"'))).toContain("change");
    expect(faultsOf(list.replace("<rs:ln ", "<rs:link "))).toContain("link");
  });

  test(
    "so is what is left of an emptied collection, but for its list",
    proves("R57", "P15"),
    async ({ skip }) => {
      if (!able) skip("it needs xmllint and the framework's schemas");
      const site = folderOf({ "index.html": page("Home"), "night/bus.html": page("Night bus") });
      const hub = "https://hub.example/";
      const options = { hub, collections: ["/", "/night/", "/day/"], allowMassDelete: true };
      const config = join(folderOf({ "c.json": JSON.stringify(options) }), "c.json");
      const args = [site, "--url", SITE, "--config", config, "--previous", "output"];
      const faults = async (now: string) => {
        expect(await rsEmit([...args, "--now", now])).toMatchObject({ exit: 0 });
        const documents = Object.entries(contentsOf(site)).filter(
          ([name]) => /\.xml$|resourcesync$/.test(name) && !name.endsWith("about.xml"),
        );
        return documents.filter(([, source]) => faultsOf(source) !== "").map(([name]) => name);
      };
      const empty = ["day/changelist/2026-10.xml", "day/resourcelist.xml"];
      expect(await faults("2026-10-05T18:30:00Z")).toEqual(empty);
      rmSync(join(site, "night/bus.html"));
      expect(await faults("2026-10-06T18:30:00Z")).toEqual([...empty, "night/resourcelist.xml"]);
      expect(contentsOf(site)).not.toHaveProperty(["day/notification.xml"]);
      expect(contentsOf(site)).toHaveProperty(["night/notification.xml"]);
    },
  );

  function faultsOf(source: string): string {
    const schema = source.includes("<sitemapindex") ? "index.xsd" : "list.xsd";
    const args = ["--nonet", "--noout", "--schema", join(SCHEMAS, schema), "-"];
    const { status, stderr } = spawnSync("xmllint", args, { input: source, encoding: "utf8" });
    return status === 0 ? "" : stderr;
  }
});

const OF_FRAMEWORK = [
  ...["at", "capability", "change", "completed", "datetime", "encoding", "from", "hash", "length"],
  ...["modified", "path", "pri", "type", "until", "rel", "href"],
];

test("entries for capabilities of other specifications are kept", proves("R17"), async () => {
  const site = folderOf({ "index.html": page("Home") });
  const run = (day: string) =>
    rsEmit([site, "--url", SITE, "--now", `2026-10-${day}T12:00:00Z`, "--previous", "output"]);
  await run("05");
  const entry =
    '<url><loc>https://example.org/past.xml</loc><rs:md capability="resourcelist-archive"/></url>';
  const before = contentsOf(site)["capabilitylist.xml"] ?? "";
  write(site, {
    "capabilitylist.xml": before.replace("</urlset>", `${entry}</urlset>`),
    "index.html": page("Home", "Newer"),
  });
  expect(await run("06")).toMatchObject({ exit: 0 });
  const { entries } = readDocumentSync(contentsOf(site)["capabilitylist.xml"] ?? "");
  expect(entries.map(({ loc }) => loc)).toContain("https://example.org/past.xml");
});

describe("links on resources, by the option links", () => {
  const ARCHIVE = "https://archive.example";
  const links = [
    { match: "**", rel: "duplicate", href: "https://mirror.example/{path}", pri: 1 },
    { match: "**", rel: "duplicate", href: "https://far.example/{path}", pri: 2 },
    { match: "**", rel: "timegate", href: `${ARCHIVE}/web/${SITE}{path}` },
    { match: "**", rel: "timemap", href: `${ARCHIVE}/timemap/${SITE}{path}` },
    { match: "moss.html", rel: "alternate", href: AT("moss.txt"), type: "text/plain" },
    { match: "moss.html", rel: "canonical", href: AT("moss") },
    { match: "moss.html", rel: "describedby", href: AT("moss.rdf") },
    { match: "moss.html", rel: "collection", href: AT("plants/") },
    { match: "moss.html", rel: "duplicate", href: "gsiftp://grid.example/moss.html", pri: 3 },
    {
      ...{ match: "moss.html", rel: "memento", href: `${ARCHIVE}/2025/moss`, type: "text/html" },
      ...{ modified: "2025-03-01T08:00:00Z", length: 812, hash: `md5:${"0f".repeat(16)}` },
    },
    { match: "moss.html", rel: "https://example.org/rel/soundtrack", href: AT("moss.ogg") },
    { match: "moss.html", rel: "via", href: "https://ferns.example/moss" },
  ];
  const ofMetadata = [
    { match: "moss.rdf", rel: "describes", href: AT("moss.html") },
    { match: "moss.rdf", rel: "profile", href: "http://purl.org/dc/elements/1.1/" },
  ];
  const expected = links.map(({ match: _, ...link }) =>
    Object.fromEntries(
      Object.entries(link).map(([name, value]) => [
        name,
        String(value).replace("{path}", "moss.html"),
      ]),
    ),
  );

  test(
    "stand in the Resource List and in the Change List",
    proves(
      "R8",
      "R51",
      "R54",
      "R55",
      "R56",
      "R73",
      "R101",
      "R103a",
      "R103b",
      "R103c",
      "R103d",
      "R105",
      "R106",
      "R109a",
      "R109b",
      "R109c",
      "R110",
      "R110b",
      "R111",
      "R111b",
      "R112",
      "R113",
      "R114",
      "T30",
      "T45",
      "P2",
      "P8",
    ),
    async () => {
      const files = { "index.html": page("Home"), "moss.html": page("Moss"), "moss.rdf": "<rdf/>" };
      const site = folderOf(files);
      const options = { links: [...links, ...ofMetadata], include: ["moss.rdf"] };
      const config = join(folderOf({ "c.json": JSON.stringify(options) }), "c.json");
      const args = [site, "--url", SITE, "--config", config, "--previous", "output"];
      await rsEmit([...args, "--now", "2026-10-05T18:30:00Z"]);
      write(site, { "moss.html": page("Moss", "By foot"), "moss.rdf": "<rdf>By foot</rdf>" });
      await rsEmit([...args, "--now", "2026-10-06T18:30:00Z"]);
      for (const document of ["resourcelist.xml", "changelist/2026-10.xml"]) {
        const { entries } = readDocumentSync(contentsOf(site)[document] ?? "");
        const [moss, rdf] = ["moss.html", "moss.rdf"].map((path) =>
          entries.findLast(({ loc }) => loc === AT(path)),
        );
        expect(moss?.links, document).toEqual(expected);
        expect(moss?.metadata?.path).toBeUndefined();
        const ofRdf = rdf?.links?.filter(({ href }) => !href.includes("moss.rdf"));
        expect(ofRdf, document).toEqual(ofMetadata.map(({ rel, href }) => ({ rel, href })));
      }
    },
  );
});

test("a page links the Capability List that covers it", proves("R25", "R26"), async () => {
  const unlisted = '<!doctype html><html><head><meta name="robots" content="noindex">';
  const site = folderOf({
    "index.html": page("Home"),
    "hidden.html": `${unlisted}<title>Hidden</title></head><body><p>Hidden</p></body></html>`,
    "draft.html": page("Draft"),
    "shrine/lamp.html": page("Lamp"),
    "shrine/deep/wick.html": page("Wick"),
  });
  const args = [site, ...OPTIONS, "--link", "--exclude", "draft.html", "--previous", "output"];
  expect(await rsEmit([...args, "--now", "2026-10-05T18:30:00Z"])).toMatchObject({ exit: 0 });
  const files = contentsOf(site);
  const at = (url: string) => readDocumentSync(files[url.slice(SITE.length)] ?? "").entries;
  const linked: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const link = /<link rel="resourcesync" href="([^"]*)"/.exec(text)?.[1];
    if (!path.endsWith(".html") || link === undefined) continue;
    linked.push(path);
    const list = at(new URL(link, AT(path)).href).find(
      ({ metadata }) => metadata?.capability === "resourcelist",
    );
    const covered = at(list?.loc ?? "").map(({ loc }) => loc);
    expect(covered, path).toContain(AT(path.replace(/index\.html$/, "")));
  }
  expect(linked).toEqual(["index.html", "shrine/deep/wick.html", "shrine/lamp.html"]);
});

test(
  "a page whose URL is as long as a sitemap allows is listed, no longer one",
  proves("T13a"),
  async () => {
    const name = (length: number) => `${"a/".repeat((length - SITE.length - 10) / 2)}page1.html`;
    const [longest, tooLong] = [name(2046), name(2048)];
    const site = folderOf({
      "index.html": page("Home"),
      [longest]: page("Moss"),
      [tooLong]: page("Fern"),
    });
    const args = [site, "--url", SITE, "--previous", "none", "--now", PUBLICATIONS[0] ?? ""];
    const outcome = await rsEmit(args);
    expect(outcome.stderr).toBe("");
    expect(outcome.stdout).toContain("addresses longer than a sitemap may hold");
    for (const list of ["resourcelist.xml", OCTOBER]) {
      const { entries } = readDocumentSync(contentsOf(site)[list] ?? "");
      expect(entries.map(({ loc }) => loc)).toEqual([AT(""), AT(longest)]);
    }
  },
);

test("at is when the run began to read, however long it reads", proves("R37"), async () => {
  const site = folderOf({ "index.html": page("Home") });
  commitAll(site);
  // This git takes its time over the history, and says when it began.
  const script = [
    "#!/bin/sh",
    'case "$*" in *log*) date +%s >>"$0.began"; sleep 1.1;; esac',
    `PATH='${process.env.PATH}'`,
    'exec git "$@"',
  ];
  const tools = folderOf({ git: `${script.join("\n")}\n` });
  chmodSync(join(tools, "git"), 0o755);
  const env = { PATH: `${tools}:${process.env.PATH}` };
  const args = [site, "--url", SITE, "--previous", "none", "--history", "git"];
  expect(await rsEmit(args, { env })).toMatchObject({ stderr: "", exit: 0 });
  const [began = ""] = readFileSync(join(tools, "git.began"), "utf8").split("\n");
  const { at = "" } = readDocumentSync(contentsOf(site)["resourcelist.xml"] ?? "").metadata;
  expect(Date.parse(at) / 1000).toBeLessThanOrEqual(Number(began));
});

test(
  "a Resource List of more than 50,000 pages is in parts behind an index",
  proves(...["R33a", "R72", "R74a", "R74b", "R74c", "R74d", "R74e", "R75a", "R75c", "T18", "T20"]),
  async () => {
    const pages = Array.from({ length: 50_001 }, (_, each) => [`p${each}.html`, `<body>${each}`]);
    const site = folderOf(Object.fromEntries(pages));
    const now = PUBLICATIONS[0] ?? "";
    const args = [site, "--url", SITE, "--history", "files", "--previous", "output", "--now", now];
    expect(await rsEmit([...args, "--no-feed"])).toMatchObject({ exit: 0 });
    const documentAt = (path: string) => readDocumentSync(readFileSync(join(site, path)));
    const { root, metadata, links, entries } = documentAt("resourcelist.xml");
    expect({ root, ...metadata }).toMatchObject({
      root: "sitemapindex",
      capability: "resourcelist",
      at: now,
    });
    expect(links).toEqual([{ rel: "up", href: AT("capabilitylist.xml") }]);
    const listed = entries.flatMap((entry) => {
      const path = entry.loc.slice(SITE.length);
      const part = documentAt(path);
      expect(part.entries.length).toBeLessThanOrEqual(50_000);
      expect(entry.metadata?.at).toBe(part.metadata.at);
      expect(part.links).toContainEqual({ rel: "index", href: AT("resourcelist.xml") });
      return part.entries.map(({ loc }) => loc);
    });
    expect(new Set(listed)).toEqual(new Set(pages.map(([path = ""]) => AT(path))));
    expect(listed).toHaveLength(pages.length);
    const parts = readdirSync(join(site, "resourcelist")).map((name) => `resourcelist/${name}`);
    expect(entries.map(({ loc }) => loc).sort()).toEqual(parts.sort().map(AT));
  },
);

test("documents of more than 50 MB are in parts", proves("R33b"), async () => {
  const pages = Array.from({ length: 52 }, (_, each) => [`p${each}.html`, page(`Page ${each}`)]);
  const site = folderOf(Object.fromEntries(pages));
  const links = Array.from({ length: 500 }, (_, each) => ({
    match: "**",
    rel: "alternate",
    href: `${AT(`{path}?${each}-`)}${"x".repeat(2000)}`,
    type: "text/plain",
  }));
  const config = join(folderOf({ "c.json": JSON.stringify({ links }) }), "c.json");
  const args = [site, "--url", SITE, "--config", config, "--history", "files", "--no-feed"];
  const now = PUBLICATIONS[0] ?? "";
  expect(await rsEmit([...args, "--previous", "none", "--now", now])).toMatchObject({ exit: 0 });
  const sizes = readdirSync(site)
    .filter((name) => name.endsWith(".xml"))
    .map((name) => statSync(join(site, name)).size);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(50_000_000);
  const lists = readdirSync(join(site, "resourcelist")).map((name) => `resourcelist/${name}`);
  expect(lists).toHaveLength(2);
  const total = lists.reduce((sum, name) => sum + statSync(join(site, name)).size, 0);
  expect(total).toBeGreaterThan(50_000_000);
});

test("robots.txt is left as it was", proves("P10"), () => {
  expect(readFileSync(join(folder, "robots.txt"), "utf8")).toBe("User-agent: *\n");
});

test(
  "a run that finds nothing changes nothing; one may publish as often as one likes",
  proves("P3", "T33", "T1", "T4"),
  async () => {
    const site = folderOf({ "index.html": page("Home"), "moss.html": page("Moss") });
    const run = (now: string) =>
      rsEmit([site, "--url", SITE, "--previous", "output", "--now", `2026-10-05T${now}Z`]);
    await run("18:30:00");
    const before = contentsOf(site);
    await run("18:30:01");
    expect(contentsOf(site)).toEqual(before);
    write(site, { "moss.html": page("Moss", "By foot") });
    await run("18:30:02");
    expect(contentsOf(site)["changelist/2026-10.xml"]).toContain("2026-10-05T18:30:02Z");
  },
);

test(
  "an author who writes pages by hand needs no option but the address",
  proves("I2", "I7"),
  async () => {
    const files = { "index.html": page("Home"), "moss.html": page("Moss") };
    const site = folderOf(files);
    const run = () => rsEmit([site, "--url", SITE, "--previous", "output"]);
    expect(await run()).toMatchObject({ exit: 0 });
    write(site, { "moss.html": page("Moss", "By foot") });
    expect(await run()).toMatchObject({ exit: 0 });
    const faults = await rsEmit(["check", site, "--url", SITE, "--json"]);
    const { findings } = JSON.parse(faults.stdout);
    expect(findings.filter(({ rule }: { rule: string }) => rule !== "page-link")).toEqual([]);
    const [list = ""] = readdirSync(join(site, "changelist")).map((name) => `changelist/${name}`);
    const { entries } = readDocumentSync(readFileSync(join(site, list)));
    expect(entries.at(-1)).toMatchObject({ loc: AT("moss.html"), metadata: { change: "updated" } });
  },
);

test("the Source Description leads to Capability Lists; no sitemap does", proves("P9"), () => {
  for (const { loc } of entriesOf(DESCRIPTION))
    expect(read(loc.slice(SITE.length)).metadata.capability).toBe("capabilitylist");
  expect(contentsOf(folder)["robots.txt"]).not.toContain("Sitemap");
  expect(contentsOf(folder)).not.toHaveProperty(["sitemap.xml"]);
});

test("the log of a site with no dates begins today", proves("I29"), async () => {
  const site = folderOf({ "index.html": page("Home") });
  const now = ["--now", "2026-10-05T18:30:00Z"];
  await rsEmit([site, "--url", SITE, "--previous", "output", "--history", "files", ...now]);
  const { from } = readDocumentSync(contentsOf(site)["changelist.xml"] ?? "").metadata;
  expect(from).toBe("2026-10-05T18:30:00Z");
});
