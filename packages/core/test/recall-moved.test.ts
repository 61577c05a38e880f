import { describe, expect, test } from "vitest";
import { STRIDE } from "../../../test/thorough.ts";
import { digestBytes } from "../src/model/digest.ts";
import { entryToChange } from "../src/model/log-attributes.ts";
import { FailingDisk } from "./support/disk.ts";
import { entriesOf, logOf, TestSite } from "./support/site.ts";

const OLD = "http://old.example/";
const NEW = "https://new.example/~me/";
const ADDRESSES = [
  [OLD, NEW],
  ["http://old.example/", "https://old.example/"],
  ["https://old.example/~me/", "https://old.example/"],
  ["https://old.example/", "https://old.example/~me/"],
] as const;
const MOVED = { url: NEW, movedFrom: OLD };

/** Ids in feeds are made from the address at the first publication. */
function moved(text: string): string {
  return text.replaceAll(OLD, NEW).replaceAll(`emit:id="${NEW}`, `emit:id="${OLD}`);
}

describe("a site that has moved", () => {
  test("keeps its log: the base is rewritten everywhere but in ids, and nothing else", async () => {
    const site = await published();
    const texts = documents(site).map((path): [string, string] => [path, site.read(path)]);
    await site.publish("2026-11-20T12:00:00Z", MOVED);
    expect(documents(site)).toEqual(texts.map(([path]) => path));
    for (const [path, text] of texts) {
      expect(withoutDigests(site.read(path))).toBe(withoutDigests(moved(text)));
    }
  });

  test("is rewritten once", async () => {
    const site = await published();
    await site.publish("2026-11-20T12:00:00Z", MOVED);
    const times = site.times();
    await site.publish("2026-11-21T12:00:00Z", MOVED);
    await site.publish("2026-11-22T12:00:00Z", { url: NEW });
    expect(site.times()).toEqual(times);
  });

  test.each([
    ["without an edit", MOVED],
    ["with one", MOVED],
    ["from http to https", { url: OLD.replace("http:", "https:"), movedFrom: OLD }],
  ])("ends as if nothing had stopped it, at any call of the disk: %s", async (how, addresses) => {
    const edited = async () => {
      const site = await published();
      return how === "with one" ? site.page("shrine/index.html", "Shrine at last") : site;
    };
    const whole = await edited();
    await whole.publish("2026-11-20T12:00:00Z", addresses);
    for (let call = 0; ; call += STRIDE) {
      const fileSystem = new FailingDisk(call, Number.POSITIVE_INFINITY, "EIO");
      const site = await edited();
      await site.run("2026-11-20T12:00:00Z", addresses, { fileSystem }).catch(() => {});
      await site.publish("2026-11-20T12:00:00Z", addresses);
      // What was logged before the kill keeps its time.
      const log = ({ folder }: TestSite) =>
        logOf(folder, addresses.url).map((line) => line.slice(20));
      expect(log(site), `at ${call}`).toEqual(log(whole));
      if (how !== "with one") expect(site.files(), `at ${call}`).toEqual(whole.files());
      if (!fileSystem.failed) break;
    }
  });

  test("keeps every entry of a list, whatever the limits are by now", async () => {
    const site = await published();
    const before = logOf(site.folder, OLD).map((line) => line.slice(0, 28));
    await site.publish("2026-11-20T12:00:00Z", MOVED, { limits: { entries: 1 } });
    expect(logOf(site.folder, NEW).map((line) => line.slice(0, 28))).toEqual(before);
  });

  test("goes on from there", async () => {
    const site = await published();
    site.page("shrine/index.html", "Shrine at last");
    const { collections } = await site.publish("2026-11-20T12:00:00Z", MOVED);
    expect(collections.flatMap(({ changes }) => changes.map(({ url }) => url))).toEqual([
      `${NEW}shrine/`,
    ]);
  });

  test("keeps a title that names the old address", async () => {
    const site = await published();
    const title = `dcterms:title="Once at ${OLD} again"`;
    const snapshot = "resourcelist/20261105T120000Z-part1.xml";
    expect(site.read(snapshot)).toContain(title);
    await site.publish("2026-11-20T12:00:00Z", MOVED);
    expect(site.read(snapshot)).toContain(title);
  });

  test("moves the description of a collection that is no longer configured", async () => {
    const site = await published();
    await site.publish("2026-11-20T12:00:00Z", {
      ...MOVED,
      collections: [""],
      allowMassDelete: true,
    });
    expect(site.read("shrine/about.xml")).toContain(`rdf:about="${NEW}shrine/"`);
  });

  test("is told when nobody said that it moved", async () => {
    const site = await published();
    const before = site.files();
    const run = site.run("2026-11-20T12:00:00Z", { url: NEW });
    await expect(run).rejects.toMatchObject({ code: "OTHER_SITE" });
    await expect(run).rejects.toThrow(`movedFrom: "${OLD}"`);
    expect(site.files()).toEqual(before);
  });

  test("must have moved from there", async () => {
    const site = await published();
    const run = site.run("2026-11-20T12:00:00Z", { url: NEW, movedFrom: "http://other.example/" });
    await expect(run).rejects.toMatchObject({ code: "OTHER_SITE" });
  });
});

/** The move of a page, as the list of one publication tells it: in the open list or in a closed one. */
const HALVES = ["created mosses.html ← moss.html", "deleted moss.html ← mosses.html"];

describe("a page that moved before its site did", () => {
  test.each(ADDRESSES)("is told once, from %s to %s", async (old, present) => {
    for (const closed of [false, true]) {
      const site = await movedPage(old, closed);
      const before = told(site, [old, present]);
      const moved = { url: present, movedFrom: old };
      await site.publish("2026-11-20T12:00:00Z", moved);
      expect(movesOf(site, present)).toEqual(HALVES);
      expect(told(site, [old, present])).toBe(before);
      const bytes = site.files();
      await site.publish("2026-11-21T12:00:00Z", moved);
      await site.publish("2026-11-22T12:00:00Z", { url: present });
      expect(site.files()).toEqual(bytes);
    }
  });

  test("is mended in lists that name the address that the site had", async () => {
    for (const closed of [false, true]) {
      const site = await movedPage(OLD, closed);
      await site.publish("2026-11-20T12:00:00Z", MOVED);
      const right = site.files();
      withFormerUrls(site);
      await site.publish("2026-11-21T12:00:00Z", { url: NEW });
      expect(site.files()).toEqual(right);
    }
  });
});

/** A page moved, and the list that says so is open or closed. */
async function movedPage(url: string, closed: boolean): Promise<TestSite> {
  const list = '<ul data-rs-emit="changes"></ul>';
  const site = new TestSite({ url, feed: true, title: "Stones" });
  site.page("index.html", "Home").write("new.html", `<title>New</title><main>${list}</main>`);
  site.page("moss.html", "Moss");
  await site.publish("2026-10-05T12:00:00Z");
  site.page("mosses.html", "Moss").remove("moss.html");
  await site.publish("2026-10-06T12:00:00Z");
  if (!closed) return site;
  site.page("index.html", "Home again");
  await site.publish("2026-11-05T12:00:00Z");
  return site;
}

/** As a version wrote lists that resolved the reference before the site moved. */
function withFormerUrls(site: TestSite): void {
  let index = site.read("changelist.xml");
  for (const name of [...site.files().keys()].filter((one) => /^changelist\/.*xml$/.test(one))) {
    const known = digestBytes(Buffer.from(site.read(name)));
    site.write(name, site.read(name).replaceAll('emit:moved="', `emit:moved="${OLD}`));
    const { hash, length } = digestBytes(Buffer.from(site.read(name)));
    index = index.replace(known.hash, hash).replace(`"${known.length}"`, `"${length}"`);
  }
  site.write("changelist.xml", index);
}

function movesOf(site: TestSite, url: string): string[] {
  return entriesOf(site.folder, url).flatMap((entry) => {
    const change = entryToChange(entry);
    if (change?.moved === undefined) return [];
    const [to, from] = [change.url, change.moved].map((one) => one.slice(url.length));
    return [`${change.kind} ${to} ← ${from}`];
  });
}

/** What followers and readers are told, whatever the address. */
function told(site: TestSite, addresses: readonly string[]): string {
  const text = ["changes.atom", "new.html"].map((path) => site.read(path)).join("");
  const shown = addresses.map((address) => address.replace(/^https?:\/\//, ""));
  const longestFirst = [...addresses, ...shown].sort((one, other) => other.length - one.length);
  // Links of a list lead from the root.
  const inPages = text.replaceAll(/href="\/(?:~me\/)?/g, 'href="@/');
  return longestFirst.reduce((words, address) => words.replaceAll(address, "@/"), inPages);
}

/** Closed lists, a Resource List in parts, two collections. */
async function published(): Promise<TestSite> {
  const options = { url: OLD, collections: ["", "shrine"] };
  const site = new TestSite(options, { limits: { entries: 3 } });
  for (const name of ["index", "links", "news", "more"]) site.page(`${name}.html`, name);
  site.page("shrine/index.html", "Shrine");
  await site.publish("2026-10-05T12:00:00Z");
  site.page("index.html", `Once at ${OLD}`).page("shrine/index.html", "Shrine again");
  await site.publish("2026-10-20T12:00:00Z");
  site.page("index.html", `Once at ${OLD} again`).page("new.html", "New").remove("links.html");
  await site.publish("2026-11-05T12:00:00Z");
  return site;
}

function documents(site: TestSite): string[] {
  return [...site.files().keys()].filter((path) => !/\.(?:html|atom)$/.test(path));
}

/** Digests and lengths of documents follow their bytes; titles are the author's. */
function withoutDigests(text: string): string {
  return text
    .replace(/dcterms:title="[^"]*"/g, "")
    .replace(/ emit:quotes="[^"]*"/g, "")
    .replace(/<dcterms:title>.*/, "")
    .replace(/emit:snapshot="[^"]*"/g, "")
    .replace(/(<rs:md (?:from|at)="[^"]*"[^>]*) hash="[^"]*" length="\d+"/g, "$1");
}
