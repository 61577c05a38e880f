import { readDocumentSync } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { documentsOf, isDocument, logOf, TestSite } from "./support/site.ts";

describe("what was published", () => {
  test.each(["output", "a path"])("is read back from %s", async (memory) => {
    const site = await published();
    const next = memory === "output" ? site : site.build({ previous: site.folder });
    next.page("links.html", "Links again").page("new.html", "New").remove("news.html");
    const result = await next.publish("2026-11-05T12:00:00Z");
    expect(result).toMatchObject({ status: "published", first: false });
    expect(logOf(next.folder, next.url)).toEqual([
      "2026-09-01T08:00:00Z created /",
      "2026-09-01T08:00:00Z created /links.html",
      "2026-09-01T08:00:00Z created /news.html",
      "2026-10-20T12:00:00Z updated /",
      "2026-11-05T12:00:00Z created /new.html",
      "2026-11-05T12:00:00Z updated /links.html",
      "2026-11-05T12:00:00Z deleted /news.html",
    ]);
    expect(next.read("changelist/2026-09.xml")).toBe(site.read("changelist/2026-09.xml"));
  });

  test("is not looked at with previous: none", async () => {
    const site = new TestSite({ previous: "none" }).page("index.html", "Home");
    await site.publish("2026-10-05T12:00:00Z");
    site.page("index.html", "Home again", "2026-09-30T08:00:00Z");
    expect(await site.publish("2026-10-20T12:00:00Z")).toMatchObject({ first: true });
    expect(logOf(site.folder, site.url)).toEqual(["2026-09-30T08:00:00Z created /"]);
  });

  test("cannot be read from a folder that is not there", async () => {
    const site = new TestSite({ previous: "/nowhere/at/all" }).page("index.html", "Home");
    const run = site.run("2026-10-05T12:00:00Z");
    await expect(run).rejects.toMatchObject({ code: "NO_PREVIOUS" });
    await expect(run).rejects.toThrow(/no folder \/nowhere\/at\/all .*the option previous/);
  });

  test("is nothing in an empty folder", async () => {
    const empty = new TestSite().folder;
    const site = new TestSite({ previous: empty }).page("index.html", "Home");
    expect(await site.publish("2026-10-05T12:00:00Z")).toMatchObject({ first: true });
  });
});

describe("the Source Description", () => {
  const FOREIGN = `  <url>
    <loc>https://example.org/art/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describes" href="https://example.org/art/"/>
    <rs:ln rel="describedby" href="https://example.org/art/about.html"/>
  </url>
</urlset>`;

  test("keeps the entries that others wrote there", async () => {
    const site = await published();
    const path = ".well-known/resourcesync";
    site.write(path, site.read(path).replace("</urlset>", FOREIGN));
    site.page("index.html", "Home at last");
    await site.run("2026-11-05T12:00:00Z");
    expect(site.read(path).split(FOREIGN)).toHaveLength(2);
    const before = site.files();
    await site.run("2026-11-06T12:00:00Z");
    expect(site.files()).toEqual(before);
  });

  test.each([
    "<url><loc>somewhere</loc></url>",
    "<url><loc>https://example.org/x</loc><lastmod>yesterday</lastmod></url>",
    '<url><loc>https://example.org/x</loc><rs:ln rel="describes"/></url>',
    '<url><loc>https://example.org/x</loc><rs:md capability="capabilitylist" length="many"/></url>',
  ])("keeps what another program wrote wrongly: %s", async (entry) => {
    const site = await published();
    const path = ".well-known/resourcesync";
    const entries = () => readDocumentSync(site.read(path)).entries;
    site.write(path, site.read(path).replace("</urlset>", `${entry}</urlset>`));
    const before = entries();
    site.page("index.html", "Home at last");
    await site.run("2026-11-05T12:00:00Z", { alsoLists: ["https://example.org/p/list.xml"] });
    expect(entries()).toEqual([before[0], expect.anything(), before[1]]);
  });

  test("of someone else is taken over with the option force, its entries kept", async () => {
    const path = ".well-known/resourcesync";
    const site = new TestSite().page("index.html", "Home");
    site.write(
      path,
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:md capability="description"/>
${FOREIGN}`,
    );
    const refused = site.run("2026-10-05T12:00:00Z");
    await expect(refused).rejects.toMatchObject({ code: "FOREIGN_FILE", about: path });
    await site.run("2026-10-05T12:00:00Z", { force: true });
    const entries = documentsOf(site.folder, site.url).get(site.url + path)?.entries ?? [];
    expect(entries.map(({ loc }) => loc)).toEqual([
      "https://example.org/capabilitylist.xml",
      "https://example.org/art/capabilitylist.xml",
    ]);
  });
});

describe("a collection", () => {
  test("that is no longer configured records its deletions and stays listed", async () => {
    const site = new TestSite({ collections: ["shrine", "gallery"], allowMassDelete: true });
    site.page("shrine/index.html", "Shrine").page("gallery/index.html", "Gallery");
    await site.publish("2026-10-05T12:00:00Z");
    await site.publish("2026-11-05T12:00:00Z", { collections: ["gallery"] });
    expect(logOf(site.folder, site.url, "shrine/")).toEqual([
      "2026-09-01T08:00:00Z created /shrine/",
      "2026-11-05T12:00:00Z deleted (minor) /shrine/",
    ]);
    const before = site.files();
    await site.publish("2026-12-05T12:00:00Z", { collections: ["gallery"] });
    expect(site.files()).toEqual(before);
    expect(site.read(".well-known/resourcesync")).toContain("/shrine/capabilitylist.xml");
  });

  test("that is configured again goes on with its log", async () => {
    const site = new TestSite({ collections: ["shrine", "gallery"], allowMassDelete: true });
    site.page("shrine/index.html", "Shrine").page("gallery/index.html", "Gallery");
    await site.publish("2026-10-05T12:00:00Z");
    await site.publish("2026-11-05T12:00:00Z", { collections: ["gallery"] });
    await site.publish("2026-12-05T12:00:00Z");
    expect(logOf(site.folder, site.url, "shrine/").slice(2)).toEqual([
      "2026-12-05T12:00:00Z created (minor) /shrine/",
    ]);
  });

  test.each([
    ["shrine/resourcelist.xml", ["shrine"], "MISSING_DOCUMENT"],
    ["resourcelist.xml", ["", "shrine"], "LOST_LOG"],
  ])("whose documents are all gone stops the run: %s", async (document, folders, code) => {
    const site = new TestSite({ collections: ["", "shrine"] });
    site.page("index.html", "Home").page("shrine/index.html", "Shrine");
    await site.publish("2026-10-05T12:00:00Z");
    site.page("index.html", "Home again");
    await site.publish("2026-10-20T12:00:00Z");
    for (const path of site.files().keys()) {
      const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
      if (isDocument(path) && folders.includes(folder)) site.remove(path);
    }
    const run = site.run("2026-11-05T12:00:00Z");
    await expect(run).rejects.toMatchObject({ code, about: document });
  });

  test("may have any name", async () => {
    const site = new TestSite({ collections: ["", "über uns/50%"] });
    site.page("index.html", "Home").page("über uns/50%/index.html", "About");
    await site.publish("2026-10-05T12:00:00Z");
    site.page("über uns/50%/index.html", "About again");
    await site.publish("2026-10-20T12:00:00Z");
    expect(logOf(site.folder, site.url, "%C3%BCber%20uns/50%25/")).toEqual([
      "2026-09-01T08:00:00Z created /%C3%BCber%20uns/50%25/",
      "2026-10-20T12:00:00Z updated /%C3%BCber%20uns/50%25/",
    ]);
  });
});

/** Two publications. */
async function published(): Promise<TestSite> {
  const site = new TestSite();
  site.page("index.html", "Home").page("links.html", "Links").page("news.html", "News");
  await site.publish("2026-10-05T12:00:00Z");
  await site.page("index.html", "Home again").publish("2026-10-20T12:00:00Z");
  return site;
}
