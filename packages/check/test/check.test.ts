import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Site } from "../src/index.ts";
import {
  checked,
  DESCRIPTION,
  type Files,
  memorySite,
  published,
  rulesBroken,
  xmlOf,
} from "./check.site.ts";
import { all, append, at, entry, link, own, SITE, unlink, WELL_FORMED } from "./rules.site.ts";

const CHANNEL = at("channel");

test("a publication that keeps every rule has nothing wrong", async () => {
  const { findings, documents } = await checked(published());
  expect(findings).toEqual([]);
  expect(documents).toBe(8);
});

test("a publication with too many entries is read as far as they are held", async () => {
  const { findings, documents } = await checked(published(), { mostEntries: 3 });
  expect(findings.map(({ rule }) => rule)).toContain("too-much");
  expect(documents).toBe(2);
});

test("where the clock here is behind the host's, nothing is in the future", async () => {
  vi.useFakeTimers({ now: Date.parse("2020-01-01"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const site = memorySite(published());
  const date = "Thu, 01 Oct 2026 20:00:00 GMT";
  const dated = (header: string | undefined): Site => ({
    ...site,
    get: async (url) => ({
      ...(await site.get(url)),
      header: (name) => (name === "date" ? header : undefined),
    }),
  });
  const rulesOf = async (header: string | undefined) => {
    const { findings } = await checked(published(), { site: dated(header), now: undefined });
    return [...new Set(findings.map(({ rule }) => rule))];
  };
  expect(await rulesOf(date)).toEqual([]);
  expect(await rulesOf(undefined)).toEqual(["datetime-past"]);
});

describe("a notification at its topic's URL", () => {
  test("is part of the publication, and is judged", async () => {
    const { findings } = await checked(published({ [CHANNEL]: own({ until: undefined }) }));
    expect(findings).toMatchObject([{ rule: "notification-interval", document: CHANNEL }]);
    const other = published({ [CHANNEL]: own({ capability: "changelist" }) });
    expect(await rulesBroken(other)).toEqual(["target-kind"]);
  });

  test("need not be there before anything was sent", async () => {
    const files = published();
    files.delete(CHANNEL);
    expect(await rulesBroken(files)).toEqual([]);
    files.set(CHANNEL, "");
    expect(await rulesBroken(files)).toEqual([]);
  });
});

describe("a Source Description that is none", () => {
  test.each([
    ["of another capability", own({ capability: "resourcelist" })],
    ["of a capability that is misspelt", own({ capability: "descripton" })],
    ["of no capability", own({ capability: undefined })],
  ])("%s is an error; the rest is judged, and nothing is called a left-over", async (_, edit) => {
    const otherwise = [at("capabilitylist.xml")];
    const files = published({ [DESCRIPTION]: edit, [CHANNEL]: own({ until: undefined }) });
    const { findings, documents } = await checked(files, { otherwise });
    const rules = findings.map(({ rule }) => rule);
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: "description", level: "error", document: DESCRIPTION }),
    );
    expect(rules).toContain("notification-interval");
    expect(rules).not.toContain("orphan");
    expect(documents).toBe(8);
  });

  test("since it cannot be read: the rest is judged too", async () => {
    const files = published().set(DESCRIPTION, "<urlset>");
    const { findings, documents } = await checked(files, { otherwise: [at("capabilitylist.xml")] });
    expect(findings.map(({ rule }) => rule)).toEqual(["unreadable"]);
    expect(documents).toBe(7);
  });

  test("nothing is a left-over either where a list in between is none", async () => {
    const wrong = own({ capability: "wishlist" });
    const rules = await rulesBroken(published({ [at("changelist.xml")]: wrong }));
    expect(rules).toContain("target-kind");
    expect(rules).not.toContain("orphan");
  });
});

test("an ampersand that stands for itself is found at its line, with the cure", async () => {
  const url = at("changelist-1.xml");
  const files = published();
  const text = `${files.get(url)}`.replace("ivy.html", "ivy.html?a=1&b=2");
  const { findings } = await checked(files.set(url, text));
  const line = text.split("\n").findIndex((one) => one.includes("&b")) + 1;
  expect(findings).toMatchObject([{ rule: "unreadable", document: url, line }]);
  expect(findings[0]?.what).toMatch(/"&b=2" .*Expected &amp; in place of the &\./);
});

describe("what is legal", () => {
  test("an index of Source Descriptions at the well-known address, whose parts do not name it", async () => {
    const part = at("sources-1.xml");
    const up = all(unlink("up"), link({ rel: "up", href: part }));
    const files = published({ [at("capabilitylist.xml")]: up });
    files.set(part, files.get(DESCRIPTION) ?? "");
    const { document } = WELL_FORMED["source-description-index"];
    files.set(DESCRIPTION, xmlOf(document));
    expect(await rulesBroken(files)).toEqual(["index-link"]);
  });

  test("documents that are packed with gzip", async () => {
    const files = published();
    for (const [url, content] of files) {
      if (!url.endsWith("about.xml")) files.set(url, gzipSync(content));
    }
    const { findings, documents } = await checked(files);
    expect([findings, documents]).toEqual([[], 8]);
  });

  test("but not gzip that is cut off, or that unpacks without end", async () => {
    const endless = gzipSync(Buffer.alloc(100_000_001), { level: 1 });
    for (const bytes of [gzipSync("<urlset/>").subarray(0, 20), endless]) {
      const files = published().set(at("changelist-1.xml"), bytes);
      expect(await rulesBroken(files)).toEqual(["unreadable"]);
    }
  });
});

describe("the links of pages", () => {
  const OTHER = `${SITE}/gallery/capabilitylist.xml`;
  const page = (href: string) => `<link rel="resourcesync" href="${href}"><title>Fern</title>`;

  /** Two collections; the page fern.html is of the garden, ivy.html of the gallery, moss.html of both. */
  function collections(fern: string, ivy: string, moss: string): Files {
    const description = WELL_FORMED["source-description"].document.entries;
    const files = published({ [DESCRIPTION]: append({ ...description[0], loc: OTHER }) });
    const up = { rel: "up", href: OTHER };
    const resources = [{ loc: at("ivy.html") }, { loc: at("moss.html") }];
    const lists = {
      [OTHER]: all(
        (list) => ({ ...list, entries: list.entries.slice(0, 1) }),
        entry(1, (one) => ({ ...one, loc: `${SITE}/gallery/resourcelist.xml` })),
      )(WELL_FORMED["capability-list"].document),
      [`${SITE}/gallery/resourcelist.xml`]: {
        ...WELL_FORMED["resource-list"].document,
        links: [up],
        entries: resources,
      },
    };
    for (const [url, list] of Object.entries(lists)) files.set(url, xmlOf(list));
    const links = { "fern.html": fern, "ivy.html": ivy, "moss.html": moss };
    for (const [name, href] of Object.entries(links)) files.set(at(name), page(href));
    return files;
  }

  async function wrongLinks(files: Files) {
    const { findings } = await checked(files, { sample: "all" });
    return findings.flatMap(({ rule, what, cure }) => (/^page/.test(rule) ? [[what, cure]] : []));
  }

  test("may lead to each collection that a page is in, and to the Source Description", async () => {
    const own = at("capabilitylist.xml");
    expect(await wrongLinks(collections(own, OTHER, own))).toEqual([]);
    expect(await wrongLinks(collections(own, DESCRIPTION, OTHER))).toEqual([]);
  });

  test("may not lead to another collection; the advice names the page's own", async () => {
    const own = at("capabilitylist.xml");
    expect(await wrongLinks(collections(OTHER, own, own))).toEqual([
      [
        expect.stringMatching(/garden.* of another collection: .*ivy/),
        `Let them link to ${OTHER}.`,
      ],
      [
        expect.stringMatching(/gallery.* of another collection: .*fern/),
        `Let them link to ${own}.`,
      ],
    ]);
  });

  test("that are missing are named for each collection", async () => {
    const files = collections(OTHER, OTHER, OTHER);
    for (const name of ["fern.html", "ivy.html"]) files.set(at(name), "<title>None</title>");
    const cures = (await wrongLinks(files)).map(([, cure]) => cure);
    expect(cures).toEqual([
      expect.stringContaining('"/gallery/capabilitylist.xml"'),
      expect.stringContaining('"/garden/capabilitylist.xml"'),
    ]);
  });
});
