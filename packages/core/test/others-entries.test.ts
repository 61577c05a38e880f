import { join } from "node:path";
import { readDocumentSync } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { type RunOptions, TestSite } from "./support/site.ts";

const DESCRIPTION = ".well-known/resourcesync";
const ARCHIVE =
  '  <url>\n    <loc>https://example.org/archive.xml</loc>\n    <rs:md capability="resourcelist-archive"/>\n  </url>\n';
const PROJECT = "https://example.org/project/capabilitylist.xml";

function site(options: RunOptions = {}): TestSite {
  return new TestSite(options).page("index.html", "Home").page("moss.html", "Moss");
}

function capabilities(of: TestSite): readonly (string | undefined)[] {
  const { entries } = readDocumentSync(of.read("capabilitylist.xml"));
  return entries.map(({ metadata }) => metadata?.capability);
}

describe("entries that others wrote into the Capability List", () => {
  test("are kept, and make no change", async () => {
    const published = site();
    await published.publish("2026-10-05T18:30:00Z");
    const list = published.read("capabilitylist.xml").replace("</urlset>", `${ARCHIVE}</urlset>`);
    published.write("capabilitylist.xml", list);
    expect((await published.run("2026-10-06T18:30:00Z")).status).toBe("unchanged");
    expect(published.read("capabilitylist.xml")).toBe(list);
    published.page("moss.html", "Moss, by foot");
    await published.run("2026-10-07T18:30:00Z");
    expect(capabilities(published)).toEqual(["changelist", "resourcelist", "resourcelist-archive"]);
  });

  test.each([
    ["times", 'capability="archive" from="2026-10-01T00:00:00Z" until="2026-10-02T00:00:00Z"'],
    ["a time of a snapshot", 'capability="archive" at="2026-10-01T00:00:00Z"'],
    ["a day for a datetime", 'capability="archive" modified="2026-10-01"'],
    ["a type that the schema refuses", 'capability="archive" type="application/vnd.ms-excel"'],
  ])("are kept with %s, there and in the Source Description", async (_, attributes) => {
    const entry = `  <url>\n    <loc>https://example.org/archive.xml</loc>\n    <lastmod>2026-10-01</lastmod>\n    <rs:md ${attributes}/>\n    <rs:ln rel="up" href="/page"/>\n  </url>\n`;
    const published = site({ title: "Moss" });
    await published.publish("2026-10-05T18:30:00Z");
    for (const name of ["capabilitylist.xml", DESCRIPTION]) {
      published.write(name, published.read(name).replace("</urlset>", `${entry}</urlset>`));
    }
    published.page("moss.html", "Moss, by foot");
    await published.run("2026-10-07T18:30:00Z", { title: "Mosses" });
    expect(published.read("capabilitylist.xml")).toContain(entry);
    expect(published.read(DESCRIPTION)).toContain(entry);
  });

  test("are ours again where the capability is", async () => {
    const published = site();
    await published.publish("2026-10-05T18:30:00Z");
    const twice = published.read("capabilitylist.xml").replace("resourcelist.xml", "other.xml");
    published.write("capabilitylist.xml", twice);
    await published.run("2026-10-06T18:30:00Z");
    expect(published.read("capabilitylist.xml")).not.toContain("other.xml");
    expect(capabilities(published)).toEqual(["changelist", "resourcelist"]);
  });
});

describe("alsoLists", () => {
  const listed = (of: TestSite) =>
    readDocumentSync(of.read(DESCRIPTION)).entries.map(({ loc, links }) => [
      loc,
      links?.find(({ rel }) => rel === "describes")?.href,
    ]);
  const OWN = ["https://example.org/capabilitylist.xml", "https://example.org/"];

  test("names other sites of the host, as long as the option does", async () => {
    const root = site();
    await root.run("2026-10-05T18:30:00Z", { alsoLists: [PROJECT] });
    expect(listed(root)).toEqual([OWN, [PROJECT, "https://example.org/project/"]]);
    const before = root.read(DESCRIPTION);
    await root.run("2026-10-06T18:30:00Z", { alsoLists: [PROJECT] });
    expect(root.read(DESCRIPTION)).toBe(before);
    await root.run("2026-10-07T18:30:00Z");
    expect(listed(root)).toEqual([OWN]);
  });

  test("a site in a folder of the other keeps its log, though links are put into its pages", async () => {
    const root = site({ link: true });
    const project = new TestSite(
      { url: "https://example.org/project/" },
      {},
      join(root.folder, "project"),
    );
    await project.page("index.html", "Project").publish("2026-10-04T18:30:00Z");
    const log = [...project.files().keys()];
    await root.run("2026-10-05T18:30:00Z");
    expect(root.read("project/index.html")).toContain("capabilitylist.xml");
    expect([...project.files().keys()]).toEqual(log);
  });

  test("names nothing twice", async () => {
    const root = site();
    const alsoLists = ["https://example.org/capabilitylist.xml"];
    await root.publish("2026-10-05T18:30:00Z", { alsoLists });
    expect(listed(root)).toEqual([OWN]);
  });

  test.each(["https://elsewhere.example/capabilitylist.xml", "https://example.org/project/", "x"])(
    "%s is refused",
    async (list) => {
      const run = site().publish("2026-10-05T18:30:00Z", { alsoLists: [list] });
      await expect(run).rejects.toMatchObject({ option: "alsoLists" });
    },
  );
});
