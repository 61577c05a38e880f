import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Software } from "../model/software.ts";
import type { FrozenSite } from "./frozen.ts";
import { type Garden, grow, LAST, plant } from "./garden.ts";

type Told = (time: number) => Promise<void>;

/** A site to freeze, and how its author and a version of rs-emit make it. */
export interface SiteToFreeze extends FrozenSite {
  readonly name: string;
  readonly make: (garden: Garden, software: Software, onPublished?: Told) => Promise<void>;
}

const URL = "https://garden.example/";

/** Together they have every attribute that documents may have, and every state they may be left in. */
export const SITES: readonly SiteToFreeze[] = [
  {
    name: "whole",
    url: URL,
    options: {
      title: "The garden",
      collections: ["", "shrine"],
      sitemap: true,
      link: true,
    },
    onDemand: ["https://garden.example/search"],
    async make(garden, software, onPublished) {
      plant(garden);
      await grow(garden, software, onPublished);
    },
  },
  {
    name: "parts",
    url: URL,
    options: { period: "day" },
    entries: 3,
    async make(garden, software) {
      plant(garden);
      await grow(garden, software);
    },
  },
  {
    name: "cut",
    url: URL,
    options: {},
    async make(garden, software) {
      plant(garden);
      const list = join(garden.folder, "resourcelist.xml");
      let before = "";
      await grow(garden, software, async (time) => {
        if (time < LAST) before = readFileSync(list, "utf8");
      });
      // Killed before the last of its files.
      writeFileSync(list, before);
    },
  },
  {
    name: "adopted",
    url: URL,
    options: { force: true, alsoLists: ["https://garden.example/other/capabilitylist.xml"] },
    async make(garden, software) {
      plant(garden.put("changelist.xml", BY_HAND));
      await grow(garden, software);
    },
  },
];

/** A log that the author wrote before. */
const BY_HAND = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="changelist"/>
<url><loc>${URL}</loc><rs:md change="created" datetime="2025-02-01T08:00:00Z"/></url>
<url><loc>${URL}stone.html</loc><rs:md change="created" datetime="2025-03-01T08:00:00Z"/></url>
<url><loc>${URL}gone.html</loc><rs:md change="updated" datetime="2025-04-01T08:00:00Z"/></url>
</urlset>
`;
