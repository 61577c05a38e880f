import { readDocumentSync } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { expectNoFindings, type RunOptions, TestSite } from "./support/site.ts";

const AT = "2026-10-05T18:30:00Z";
const WORDS = { title: "Ada's pages", author: "Ada", description: "All of them" };

test("a site whose collections lie below its root has a description of its own", async () => {
  const site = new TestSite({ ...WORDS, collections: ["shrine/"] });
  site.page("shrine/index.html", "The Shrine").page("shrine/lamp.html", "Lamp");
  await site.publish(AT);
  const description = readDocumentSync(site.read(".well-known/resourcesync"));
  expect(description.links).toEqual([{ rel: "describedby", href: `${site.url}about.xml` }]);
  expect(site.read("about.xml")).toContain('rdf:about="https://example.org/"');
  expect(site.read("about.xml")).toContain("<dcterms:title>Ada's pages</dcterms:title>");
  expect(site.read("shrine/about.xml")).toContain("<dcterms:title>The Shrine</dcterms:title>");
  expect(site.read("shrine/about.xml")).not.toContain("All of them");
  expect(site.read("shrine/about.xml")).toContain("<dcterms:creator>Ada</dcterms:creator>");
  expectNoFindings(site.folder, site.url);
});

test("without words it is called by its address", async () => {
  const site = new TestSite({ collections: ["shrine/"] }).page("shrine/index.html", "The Shrine");
  await site.publish(AT);
  expect(site.read("about.xml")).toContain("<dcterms:title>example.org</dcterms:title>");
});

test("a collection at the root is the site, and has its words", async () => {
  const site = new TestSite({ ...WORDS, collections: ["/", "shrine/"] });
  site.page("index.html", "Home").page("shrine/index.html", "The Shrine");
  await site.publish(AT);
  expect(site.read("about.xml").match(/rdf:Description /g)).toHaveLength(1);
  expect(site.read("about.xml")).toContain("<dcterms:title>Ada's pages</dcterms:title>");
});

test("another author's file in its place is not written over", async () => {
  const site = new TestSite({ collections: ["shrine/"] }).page("shrine/index.html", "The Shrine");
  site.write("about.xml", "<about>me</about>");
  await expect(site.publish(AT)).rejects.toMatchObject({ code: "FOREIGN_FILE" });
  expect(site.read("about.xml")).toBe("<about>me</about>");
});

describe("the author's own description", () => {
  const linked = (site: TestSite, path: string) =>
    readDocumentSync(site.read(path)).links.find(({ rel }) => rel === "describedby")?.href;
  const listed = (site: TestSite) =>
    readDocumentSync(site.read(".well-known/resourcesync")).entries.map(
      ({ links = [] }) => links.find(({ rel }) => rel === "describedby")?.href,
    );
  const OWN = {
    describedby: "info.xml",
    collections: ["/", { path: "shrine/", describedby: "https://ada.example/shrine.ttl" }],
  };
  const shrine = (options: RunOptions = {}) =>
    new TestSite({ ...WORDS, ...OWN, ...options })
      .page("index.html", "Home")
      .page("shrine/index.html", "The Shrine")
      .write("info.xml", "<about>me</about>");

  test("is linked, and no about.xml is written in its place", async () => {
    const site = shrine();
    await site.publish(AT);
    expect(linked(site, ".well-known/resourcesync")).toBe("https://example.org/info.xml");
    expect(linked(site, "capabilitylist.xml")).toBe("https://example.org/info.xml");
    expect(linked(site, "shrine/capabilitylist.xml")).toBe("https://ada.example/shrine.ttl");
    expect(listed(site)).toEqual([
      "https://example.org/info.xml",
      "https://ada.example/shrine.ttl",
    ]);
    expect([...site.files().keys()].filter((path) => path.endsWith("about.xml"))).toEqual([]);
  });

  test("takes the place of ours, and gives it back", async () => {
    const site = shrine({ describedby: undefined, collections: ["/", "shrine/"] });
    await site.publish(AT);
    const before = site.files();
    await site.publish("2026-10-06T18:30:00Z", OWN);
    expect(site.files().has("about.xml")).toBe(false);
    expect(site.files().has("shrine/about.xml")).toBe(false);
    await site.publish("2026-10-07T18:30:00Z");
    expect(site.files()).toEqual(before);
  });

  test("may be called about.xml, and is no resource", async () => {
    const site = shrine({ describedby: "about.xml", include: ["**/*.xml"] });
    await site.write("about.xml", "<about>me</about>").publish(AT);
    expect(site.read("about.xml")).toBe("<about>me</about>");
    expect(site.read("resourcelist.xml")).not.toContain("about.xml");
  });

  test("stays with a collection that is no longer configured, and moves with its site", async () => {
    const site = shrine({
      collections: ["/", { path: "shrine/", describedby: "shrine/info.xml" }],
    });
    await site.publish(AT);
    const moved = {
      url: "https://ada.example/",
      movedFrom: site.url,
      collections: ["/"],
      allowMassDelete: true,
    };
    await site.publish("2026-10-06T18:30:00Z", moved);
    expect(linked(site, "shrine/capabilitylist.xml")).toBe("https://ada.example/shrine/info.xml");
    expect(listed(site)).toContain("https://ada.example/shrine/info.xml");
    expect(site.files().has("shrine/about.xml")).toBe(false);
  });

  test("of a site whose collections lie below its root", async () => {
    const site = shrine({ collections: ["shrine/"] });
    await site.publish(AT);
    expect(linked(site, ".well-known/resourcesync")).toBe("https://example.org/info.xml");
    expect(site.files().has("about.xml")).toBe(false);
    expect(listed(site)).toEqual(["https://example.org/shrine/about.xml"]);
  });

  test.each(["mailto:ada@example.org", "http://", ""])("is no %s", async (describedby) => {
    await expect(shrine({ describedby }).run(AT)).rejects.toMatchObject({ option: "describedby" });
  });
});
