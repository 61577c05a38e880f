import type { Documents } from "../src/index.ts";

type Head<K extends keyof Documents> = Omit<Documents[K], "entries">;

const links = [{ rel: "up", href: "https://example.org/capabilitylist.xml" }];

export const changeList: Head<"change-list"> = {
  root: "urlset",
  metadata: { capability: "changelist", from: "2026-10-01T00:00:00Z" },
  links,
  comments: [],
};

export const resourceList: Head<"resource-list"> = {
  root: "urlset",
  metadata: { capability: "resourcelist", at: "2026-10-01T00:00:00Z" },
  links,
  comments: [],
};

export const changeListIndex: Head<"change-list-index"> = { ...changeList, root: "sitemapindex" };

export const capabilityList: Head<"capability-list"> = {
  root: "urlset",
  metadata: { capability: "capabilitylist" },
  links,
  comments: [],
};

export const sourceDescription: Head<"source-description"> = {
  root: "urlset",
  metadata: { capability: "description" },
  links: [],
  comments: [],
};

export const changeDumpManifest: Head<"change-dump-manifest"> = {
  root: "urlset",
  metadata: { capability: "changedump-manifest", from: "2026-10-01T00:00:00Z" },
  links,
  comments: [],
};
