import { expect, test } from "vitest";
import { parseCollections } from "../src/index.ts";
import { capabilityListOf, resourceSyncLink } from "../src/link.ts";

test("a page is linked to the Capability List of its collection", () => {
  const site = "https://example.org/base/";
  const collections = parseCollections(site, ["shrine/", "shrine/hall/"], {});
  const list = (path: string) => capabilityListOf(collections, site + path);
  expect(list("shrine/hall/c.html")).toBe("/base/shrine/hall/capabilitylist.xml");
  expect(list("shrine/")).toBe("/base/shrine/capabilitylist.xml");
  expect(list("about/")).toBe(undefined);
});

test("the link is HTML", () => {
  expect(resourceSyncLink("/a&copy/capabilitylist.xml")).toContain('"/a&amp;copy/');
});
