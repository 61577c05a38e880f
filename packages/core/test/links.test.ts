import { type Entry, readDocumentSync } from "@rs-emit/documents";
import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import { CrashingDisk } from "../../../test/kill/crash.ts";
import { rounds } from "../../../test/thorough.ts";
import type { LinkTemplate } from "../src/options/settings.ts";
import { expectNoFindings, TestSite } from "./support/site.ts";

const MIRROR = { match: "**", rel: "duplicate", href: "https://mirror.example/{path}", pri: 1 };
const TIMEGATE = {
  match: "*.html",
  rel: "timegate",
  href: "https://archive.example/https://example.org/{path}",
};
const links = [MIRROR, TIMEGATE];
const mirrored = (path: string) => ({
  rel: "duplicate",
  href: `https://mirror.example/${path}`,
  pri: "1",
});
const archived = (path: string) => ({
  rel: "timegate",
  href: `https://archive.example/https://example.org/${path}`,
});

function site(): TestSite {
  return new TestSite().page("index.html", "Home").page("ivy & co.html", "Ivy");
}

function linksIn(of: TestSite, document: string): readonly (readonly [string, Entry["links"]])[] {
  const { entries } = readDocumentSync(of.read(document));
  return entries.map((entry) => [entry.loc.slice(of.url.length), entry.links]);
}

test("resources link what the option says, by their path", async () => {
  const linked = site();
  await linked.publish("2026-10-05T18:30:00Z", { links });
  expect(linksIn(linked, "resourcelist.xml")).toEqual([
    ["", [mirrored(""), archived("")]],
    ["ivy%20&%20co.html", [mirrored("ivy%20&%20co.html"), archived("ivy%20&%20co.html")]],
  ]);
  linked.page("ivy & co.html", "Ivy, newer").page("shrine/new.html", "New");
  await linked.publish("2026-10-06T18:30:00Z", { links });
  expect(linksIn(linked, "changelist/2026-10.xml").slice(-2)).toEqual([
    ["shrine/new.html", [mirrored("shrine/new.html")]],
    ["ivy%20&%20co.html", [mirrored("ivy%20&%20co.html"), archived("ivy%20&%20co.html")]],
  ]);
  expectNoFindings(linked.folder, linked.url);
});

test("other links alone rewrite the Resource List, and make no entry", async () => {
  const linked = site();
  await linked.publish("2026-10-05T18:30:00Z");
  const list = linked.read("changelist/2026-09.xml");
  const result = await linked.publish("2026-10-06T18:30:00Z", { links });
  expect(result.collections[0]).toMatchObject({ changes: [], unlogged: { links: 2 } });
  expect(linked.read("changelist/2026-09.xml")).toBe(list);
  expect(linksIn(linked, "resourcelist.xml")[0]?.[1]).toHaveLength(2);
  expect((await linked.run("2026-10-07T18:30:00Z", { links })).status).toBe("unchanged");
  await linked.publish("2026-10-08T18:30:00Z");
  expect(linksIn(linked, "resourcelist.xml")[0]?.[1]).toBeUndefined();
});

test("a page that is gone links where an archive has it", async () => {
  const linked = site();
  await linked.publish("2026-10-05T18:30:00Z", { links });
  linked.remove("ivy & co.html");
  await linked.publish("2026-10-06T18:30:00Z", { links });
  expect(linksIn(linked, "changelist/2026-10.xml").at(-1)?.[1]).toEqual([
    archived("ivy%20&%20co.html"),
  ]);
});

describe("entries of the log keep the links they have", () => {
  async function changed(options: object = {}): Promise<TestSite> {
    const linked = site();
    await linked.publish("2026-10-05T18:30:00Z", { links, ...options });
    linked.page("ivy & co.html", "Ivy, newer");
    await linked.publish("2026-10-06T18:30:00Z", { links, ...options });
    return linked;
  }
  const kept = [mirrored("ivy%20&%20co.html"), archived("ivy%20&%20co.html")];

  test("when others are added after them, with other options", async () => {
    const linked = await changed();
    linked.page("new.html", "New");
    await linked.publish("2026-10-07T18:30:00Z");
    const entries = linksIn(linked, "changelist/2026-10.xml").slice(-2);
    expect(entries.map(([, of]) => of)).toEqual([kept, undefined]);
  });

  test("when their list is closed", async () => {
    const linked = await changed();
    linked.page("new.html", "New");
    await linked.publish("2026-11-07T18:30:00Z");
    expect(linksIn(linked, "changelist/2026-10.xml").at(-1)?.[1]).toEqual(kept);
  });

  test("when the limits split their list and the Resource List", async () => {
    const linked = site();
    for (let page = 0; page < 30; page++) linked.page(`${page}.html`, `Page ${page}`);
    const limits = { limits: { entries: 7, bytes: 8_000 } };
    await linked.publish("2026-10-05T18:30:00Z", { links }, limits);
    for (let page = 0; page < 30; page += 2) linked.page(`${page}.html`, `Page ${page}, newer`);
    await linked.publish("2026-10-06T18:30:00Z", { links }, limits);
    const parts = (name: RegExp) => [...linked.files().keys()].filter((path) => name.test(path));
    const changes = parts(/^changelist\//);
    const resources = parts(/^resourcelist\//);
    expect(changes.length).toBeGreaterThan(5);
    expect(resources.length).toBeGreaterThan(4);
    const linksOf = (documents: readonly string[]) =>
      documents.flatMap((document) => linksIn(linked, document));
    for (const [path, of] of linksOf([...changes, ...resources])) {
      expect(of).toEqual(of === undefined ? undefined : [mirrored(path), archived(path)]);
    }
    expect(linksOf(resources).filter(([, of]) => of === undefined)).toEqual([]);
    expect(
      linksOf(changes)
        .filter(([, of]) => of !== undefined)
        .map(([path]) => path),
    ).toEqual(expect.arrayContaining(["0.html", "28.html"]));
  });

  test("when the site moves", async () => {
    const linked = await changed();
    const url = "https://new.example/";
    await linked.run("2026-10-07T18:30:00Z", { url, movedFrom: linked.url, links });
    const { entries } = readDocumentSync(linked.read("changelist/2026-10.xml"));
    expect(entries.at(-1)).toMatchObject({ loc: `${url}ivy%20&%20co.html`, links: kept });
  });

  test.each([1, 2, 3])(
    "after a kill at rename %i, which the next run completes",
    async (renames) => {
      const linked = await changed();
      linked.page("new.html", "New");
      const disk = new CrashingDisk(renames);
      const killed = linked.run("2026-10-07T18:30:00Z", { links }, { fileSystem: disk });
      await expect(killed).rejects.toThrow();
      await linked.publish("2026-10-08T18:30:00Z", { links });
      expect(linksIn(linked, "resourcelist.xml").map(([, of]) => of?.length)).toEqual([2, 2, 2]);
      expect(linksIn(linked, "changelist/2026-10.xml").at(-1)?.[1]).toHaveLength(2);
    },
  );
});

const relation = fc.constantFrom(
  "duplicate",
  "alternate",
  "canonical",
  "timegate",
  "https://a.example/rel",
);
const template = fc.record(
  {
    match: fc.constantFrom("**", "*.html", "a*.html", "shrine/**"),
    rel: relation,
    href: fc
      .webUrl({ withQueryParameters: true })
      .map((url) => `${new URL(url).href.replaceAll(/[{}]/g, "")}{path}`)
      .filter((href) => URL.canParse(href.replace("{path}", "page"))),
    type: fc.constantFrom("text/html", "application/pdf"),
    pri: fc.integer({ min: 1, max: 999_999 }),
    modified: fc.constantFrom("2025-03-01T08:00:00Z", "2025-03-01T08:00:00.5Z"),
    hash: fc.constantFrom(`md5:${"0f".repeat(16)}`, `md5:${"a1".repeat(16)}`),
    length: fc.nat(),
  },
  { requiredKeys: ["match", "rel", "href"] },
);

test("any links stand in the lists as they were given, and are read back", async () => {
  const runs = fc.array(fc.array(template, { maxLength: 4 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(runs, async (sets) => {
      const linked = site().page("shrine/a b.html", "Shrine");
      for (const [run, set] of sets.entries()) {
        const at = (hour: number) => `2026-10-0${run + 1}T0${hour}:00:00Z`;
        // The judge advises against some, such as a TimeGate with a priority.
        await linked.run(at(1), { links: set });
        for (const [path, of = []] of linksIn(linked, "resourcelist.xml")) {
          const expected = set.filter(({ match }) => picomatch(match)(fileOf(path)));
          expect(of).toEqual(expected.map((one) => linkFor(one, path)));
        }
        const before = linked.files();
        expect((await linked.run(at(2), { links: set })).status).toBe("unchanged");
        expect(linked.files()).toEqual(before);
      }
    }),
    { numRuns: rounds(8, 25) },
  );
});

const fileOf = (path: string) => (path === "" ? "index.html" : decodeURIComponent(path));
const linkFor = ({ match: _, pri, length, ...link }: LinkTemplate, path: string) => ({
  ...link,
  href: link.href.replaceAll("{path}", () => path),
  ...(pri === undefined ? {} : { pri: String(pri) }),
  ...(length === undefined ? {} : { length: String(length) }),
});

test("a version says its time, size and digest, and the judge finds nothing", async () => {
  const linked = site();
  const memento = {
    ...{ match: "index.html", rel: "memento", href: "https://archive.example/2025/" },
    ...{ modified: "2025-03-01T08:00:00Z", length: 0, type: "text/html" },
    hash: `md5:${"0f".repeat(16)} sha-256:${"a1".repeat(32)}`,
  };
  await linked.publish("2026-10-05T18:30:00Z", { links: [memento] });
  const { match: _, ...kept } = memento;
  expect(linksIn(linked, "resourcelist.xml")[0]?.[1]).toEqual([{ ...kept, length: "0" }]);
  const again = await linked.publish("2026-10-06T18:30:00Z", { links: [memento] });
  expect(again.status).toBe("unchanged");
});

test.each([
  [
    { match: "**", rel: "See Also", href: "https://a.example/" },
    "a relation that IANA has registered",
  ],
  [
    { match: "**", rel: "zebra", href: "https://a.example/" },
    "a relation that IANA has registered",
  ],
  [
    { match: "**", rel: "http://www.openarchives.org/rs/terms/patch", href: "https://a.example/" },
    "a relation of pages",
  ],
  [{ match: "**", rel: "contents", href: "https://a.example/" }, "a relation of pages"],
  [{ match: "**", rel: "duplicate", href: "/{path}" }, "a whole URL"],
  [{ match: "**", rel: "duplicate", href: "https://a.example{path}" }, "a whole URL"],
  [{ match: "**", rel: "duplicate", href: "https://a.example/", pri: 0 }, "1 to 999999"],
])("%j is refused", async (link, allowed) => {
  const run = site().run("2026-10-05T18:30:00Z", { links: [link] });
  await expect(run).rejects.toMatchObject({ message: expect.stringContaining(allowed) });
});

test.each([
  [{ modified: "2025-03-01" }, "a full datetime in UTC"],
  [{ modified: "2025-02-30T08:00:00Z" }, "a full datetime in UTC"],
  [{ hash: "sha-256:0f" }, "digests such as sha-256:"],
  [{ hash: `crc:${"0f".repeat(4)}` }, "digests such as sha-256:"],
  [{ hash: "" }, "digests such as sha-256:"],
  [{ length: -1 }, "a number of bytes"],
  [{ length: 1.5 }, "a number of bytes"],
])("a version with %j is refused", async (more, allowed) => {
  const memento = { match: "**", rel: "memento", href: "https://a.example/", ...more };
  const run = site().run("2026-10-05T18:30:00Z", { links: [memento] });
  await expect(run).rejects.toMatchObject({ message: expect.stringContaining(allowed) });
});
