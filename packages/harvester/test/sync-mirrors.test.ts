import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import type { Script } from "../../reader/test/support/scripted.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { rsHarvest } from "./support/command.ts";
import { CopiedSite, type Stated } from "./support/copied-site.ts";

const PAGES = { "/": "home", "/moss.html": "moss", "/fern.html": "ferns", "/ivy.html": "ivy" };
const COPY = { "index.html": "home", "moss.html": "moss", "fern.html": "ferns", "ivy.html": "ivy" };

/** A site whose lists name mirrors of each page, the last one first by its `pri`. */
async function mirrored(...names: readonly string[]) {
  const garden = await CopiedSite.start();
  const mirrors = names.map((name) => {
    const mirror = garden.otherSite(`${name}.test`);
    for (const [path, body] of Object.entries(PAGES)) mirror.answer(path, body);
    return mirror;
  });
  garden.linked = (path) =>
    mirrors.map(({ url }, at) => [
      "duplicate",
      new URL(path, url).href,
      { pri: String(names.length - at) },
    ]);
  garden.edit(PAGES).publish();
  return Object.assign(garden, { mirrors });
}

const ALL = Object.keys(PAGES).sort();
/** What was asked of a site, besides documents; its first page may be asked for to find them. */
const asked = ({ requests }: Site) =>
  [...new Set(requests.map(({ path }) => path))]
    .filter((path) => path in PAGES && path !== "/")
    .sort();
const OTHERS = ALL.filter((path) => path !== "/");

describe("mirrors of resources", () => {
  test("are left alone unless they are asked for", async () => {
    await using garden = await mirrored("mirror");
    await garden.sync();
    expect(garden.copy()).toEqual(COPY);
    expect(garden.mirrors.map((one) => one.requests)).toEqual([[]]);
  });

  test("give the bytes, the preferred one first", proves("R104"), async () => {
    await using garden = await mirrored("far", "near");
    const { counts, notes, isInSync } = await garden.sync({ mirrors: true });
    expect({ notes, isInSync }).toEqual({ notes: [], isInSync: true });
    expect(counts).toMatchObject({ created: 4, bytes: 16 });
    expect(garden.copy()).toEqual(COPY);
    expect([garden.site, ...garden.mirrors].map(asked)).toEqual([[], [], OTHERS]);
    expect((await garden.sync({ mirrors: true, audit: true })).isInSync).toBe(true);
  });

  test("are those of the newest statement, from a Change List too", async () => {
    await using garden = await mirrored("mirror");
    await garden.sync({ mirrors: true });
    garden.mirrors[0]?.answer("/moss.html", "moss 2");
    garden.edit({ "/moss.html": "moss 2" }).publish("change-list");
    expect((await garden.sync({ mirrors: true })).counts).toMatchObject({ updated: 1, failed: 0 });
    expect(garden.read("moss.html")).toBe("moss 2");
    expect(asked(garden.site)).toEqual([]);
  });

  const sha512 = (bytes: Uint8Array) => createHash("sha512").update(bytes).digest("hex");
  test.each<[string, Stated]>([
    ["no hash", (bytes) => ({ length: String(bytes.length) })],
    [
      "a weaker hash",
      (bytes) => ({ hash: `md5:${createHash("md5").update(bytes).digest("hex")}` }),
    ],
    ["another hash", (bytes) => ({ hash: `sha-512:${sha512(bytes)}` })],
  ])("are never asked where the list states %s", async (_, listed) => {
    await using garden = await mirrored("mirror");
    garden.listed = listed;
    garden.publish("resource-list").forgetChanges();
    await garden.sync({ mirrors: true });
    expect(garden.copy()).toEqual(COPY);
    expect(garden.mirrors.map(asked)).toEqual([[]]);
  });

  const endless = async function* () {
    for (;;) yield "x".repeat(65_536);
  };
  test.each<[string, Script]>([
    ["is missing", { status: 404 }],
    ["fails", { status: 500 }],
    ["asks to be left alone", { status: 503 }],
    ["has other bytes", "MOSS"],
    ["has more bytes", "moss and more"],
    ["has fewer bytes", ""],
    ["never ends", () => ({ body: endless() })],
    ["breaks off", { body: "moss", cut: 2 }],
    ["leads elsewhere", { status: 302, headers: { location: "http://elsewhere.test/moss.html" } }],
    ["leads into a network", { status: 302, headers: { location: "file:///etc/passwd" } }],
    ["says it is known", { status: 304 }],
  ])("fall back to the next and to the site where one %s", async (_, answer) => {
    await using garden = await mirrored("far", "near");
    for (const mirror of garden.mirrors) mirror.answer("/moss.html", answer);
    const elsewhere = garden.otherSite("elsewhere.test").answer("*", "moss");
    const { counts, isInSync, notes } = await garden.sync({ mirrors: true });
    expect({ counts, isInSync }).toMatchObject({
      counts: { created: 4, failed: 0 },
      isInSync: true,
    });
    expect(garden.copy()).toEqual(COPY);
    expect(asked(garden.site)).toEqual(["/moss.html"]);
    expect(elsewhere.requests).toEqual([]);
    expect(notes).toEqual([
      "Mirrors did not have 1 resource as the site states it: near.test, far.test.",
    ]);
  });

  test("are given up after a few failures, and the site serves the rest", async () => {
    await using garden = await mirrored("mirror");
    const pages = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`/${n}.html`, `${n}`]));
    garden.edit(pages).publish();
    garden.mirrors[0]?.answer("*", "something else");
    const { isInSync } = await garden.sync({ mirrors: true });
    expect(isInSync).toBe(true);
    const wrong = garden.mirrors[0]?.requests.filter(({ path }) => path in pages) ?? [];
    // Those that were under way when the third failed are among them.
    expect(wrong.length).toBeLessThan(10);
  });

  test("serve a copy of a site that answers no more", async () => {
    await using garden = await mirrored("mirror");
    for (const path of OTHERS) garden.site.answer(path, { status: 503 });
    const { isInSync } = await garden.sync({ mirrors: true });
    expect(isInSync).toBe(true);
    expect(garden.copy()).toEqual(COPY);
  });

  test("leave their dates and validators to the site", async () => {
    await using garden = await mirrored("mirror");
    const lastModified = "Mon, 01 Jan 2001 00:00:00 GMT";
    garden.mirrors[0]?.answer("/moss.html", {
      body: "moss",
      headers: { etag: '"theirs"', "last-modified": lastModified },
    });
    await garden.sync({ mirrors: true });
    garden.listed = () => ({});
    garden.edit({}).publish("resource-list");
    garden.forgetChanges();
    await garden.sync({ mirrors: true });
    const conditions = garden.site.requests
      .filter(({ path }) => path === "/moss.html")
      .map(({ headers }) => [headers["if-none-match"], headers["if-modified-since"]]);
    expect(conditions).toEqual([[undefined, undefined]]);
  });

  test("of other schemes, or of the page itself, are none", async () => {
    await using garden = await mirrored("mirror");
    garden.linked = (path) => [
      ["duplicate", "ftp://mirror.test/"],
      ["duplicate", new URL(path, garden.site.url).href],
      ["alternate", new URL(path, garden.mirrors[0]?.url).href],
    ];
    garden.publish("resource-list").forgetChanges();
    const { notes } = await garden.sync({ mirrors: true });
    expect(notes).toEqual([]);
    expect(asked(garden.site)).toEqual(OTHERS);
    expect(garden.mirrors.map(asked)).toEqual([[]]);
  });

  test("are an option of the command", proves("R104"), async () => {
    await using garden = await mirrored();
    garden.linked = (path) => [["duplicate", `${garden.addressAt("127.0.0.1")}copies${path}`]];
    garden.publish("resource-list").forgetChanges();
    garden.serveAt("127.0.0.1");
    const host = garden.otherSite("127.0.0.1");
    for (const [path, body] of Object.entries(PAGES)) host.answer(`/copies${path}`, body);
    const address = garden.addressAt("127.0.0.1");
    const args = ["sync", address, garden.folder, "--allow-private", "--mirrors"];
    expect(await rsHarvest(...args)).toMatchObject({ exit: 0 });
    expect(garden.copy()).toEqual(COPY);
    expect(asked(host)).toEqual([]);
  });
});
