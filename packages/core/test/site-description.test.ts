import { readDocumentSync } from "@rs-emit/documents";
import { expect, test } from "vitest";
import { expectNoFindings, TestSite } from "./support/site.ts";

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
