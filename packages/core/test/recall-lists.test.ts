import { describe, expect, test } from "vitest";
import { documentsOf, entriesOf, listsOf, logOf, TestSite } from "./support/site.ts";

describe("documents past the limits", () => {
  test("are split, and read back whole", async () => {
    const site = await split();
    const before = site.files();
    const parts = [...before.keys()].filter((path) => /^resourcelist\/.*-part/.test(path));
    expect(parts).toHaveLength(3);
    expect(await site.publish("2026-10-20T12:00:00Z")).toMatchObject({ status: "unchanged" });
    expect(site.files()).toEqual(before);
    site.page("p0.html", "Edited");
    const { collections } = await site.publish("2026-10-20T12:00:00Z");
    expect(collections[0]?.changes.map(({ url }) => url)).toEqual(["https://example.org/p0.html"]);
    for (const part of parts) expect(site.files().has(part)).toBe(false);
  });

  test("divide a period where the list is full, inside one datetime if need be", async () => {
    const site = await split();
    for (let page = 0; page < 8; page++) site.page(`p${page}.html`, "Edited");
    await site.publish("2026-10-20T12:00:00Z");
    const lists = listsOf(site.folder, site.url);
    expect(lists.map(({ metadata }) => [metadata.from, metadata.until])).toEqual([
      ["2026-09-01T08:00:00Z", "2026-09-01T08:00:00Z"],
      ["2026-09-01T08:00:00Z", "2026-09-01T08:00:00Z"],
      ["2026-09-01T08:00:00Z", "2026-10-20T12:00:00Z"],
      ["2026-10-20T12:00:00Z", "2026-10-20T12:00:00Z"],
      ["2026-10-20T12:00:00Z", "2026-10-20T12:00:00Z"],
      ["2026-10-20T12:00:00Z", undefined],
    ]);
    expect(entriesOf(site.folder, site.url)).toHaveLength(16);
  });

  test.each(["resourcelist.xml", /resourcelist\/.*-part2/])(
    "stop the run when %s is damaged",
    async (name) => {
      const site = await split();
      const path = [...site.files().keys()].find((path) => path.match(name)) ?? "";
      site.page("p0.html", "Edited").write(path, site.read(path).replace("sha-256:", "sha-256:0"));
      const run = site.run("2026-10-20T12:00:00Z");
      await expect(run).rejects.toMatchObject({ code: "DAMAGED_DOCUMENT" });
    },
  );

  test.each([
    ["cut off", (xml: string) => xml.slice(0, -20)],
    ["followed by other text", (xml: string) => `${xml}<more/>`],
    ["followed by space", (xml: string) => `${xml} \n`],
    ["empty", () => ""],
  ])("name the hash of a part that is %s, whatever it fails by", async (_, damage) => {
    const site = await split();
    const part = [...site.files().keys()].find((path) => /^resourcelist\/.*2.xml/.test(path)) ?? "";
    site.page("p0.html", "Edited").write(part, damage(site.read(part)));
    const run = site.run("2026-10-20T12:00:00Z");
    await expect(run).rejects.toThrow("its hash is not the one in its index");
  });

  test("stop the run when a part is missing", async () => {
    const site = await split();
    const part = [...site.files().keys()].find((path) => /^resourcelist\/.*2.xml/.test(path)) ?? "";
    site.remove(part);
    const run = site.run("2026-10-20T12:00:00Z");
    await expect(run).rejects.toMatchObject({ code: "MISSING_DOCUMENT", about: part });
  });
});

test("another period begins with the next list; closed lists stay as they are", async () => {
  const site = new TestSite().page("index.html", "0");
  const closed = new Map<string, string>();
  const runs = [
    ["2026-10-05T12:00:00Z", "month"],
    ["2026-10-06T12:00:00Z", "day"],
    ["2026-10-06T13:00:00Z", "day"],
    ["2026-10-07T12:00:00Z", "day"],
    ["2026-10-08T12:00:00Z", "month"],
    ["2026-11-01T12:00:00Z", "month"],
    ["2026-11-02T12:00:00Z", "year"],
    ["2027-01-02T12:00:00Z", "year"],
    ["2027-01-03T12:00:00Z", "month"],
    ["2027-02-03T12:00:00Z", "month"],
  ] as const;
  for (const [at, period] of runs) {
    await site.page("index.html", at).publish(at, { period });
    for (const [name, text] of closed) expect(site.read(name)).toBe(text);
    for (const { loc, metadata } of documentsOf(site.folder, site.url).get(
      `${site.url}changelist.xml`,
    )?.entries ?? []) {
      const name = loc.slice(site.url.length);
      if (metadata?.until !== undefined) closed.set(name, site.read(name));
    }
  }
  expect([...closed.keys()]).toEqual([
    "changelist/2026-09.xml",
    "changelist/2026-10-06.xml",
    "changelist/2026-10-07.xml",
    "changelist/2026-11.xml",
    "changelist/2027.xml",
  ]);
  expect(logOf(site.folder, site.url)).toHaveLength(runs.length);
});

/** Eight pages, three to a document. */
async function split(): Promise<TestSite> {
  const site = new TestSite({}, { limits: { entries: 3 } });
  for (let page = 0; page < 8; page++) site.page(`p${page}.html`, `Page ${page}`);
  await site.publish("2026-10-05T12:00:00Z");
  return site;
}
