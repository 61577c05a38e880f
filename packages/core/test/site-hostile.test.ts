import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EmitError } from "../src/model/errors.ts";
import { serve } from "./support/server.ts";
import { TestSite, temporaryFolder } from "./support/site.ts";

/** Ways to write a path that leaves the site's folder, where an address is read as a path. */
const CLIMBS = [
  "../../climbed",
  "..%2f..%2fclimbed",
  "%2e%2e/%2e%2e/climbed",
  "..%5c..%5cclimbed",
  "%00/../climbed",
] as const;

/** Names in documents of a live site that rs-emit reads, and what else is there. */
const NAMES: readonly (readonly [
  name: string,
  document: string,
  text: RegExp,
  lost: string | undefined,
])[] = [
  ["a Change List", "changelist.xml", /changelist\/2026-\d\d/g, undefined],
  ["a collection", ".well-known/resourcesync", /shrine/g, undefined],
  ["a Capability List", ".well-known/resourcesync", /shrine\/capabilitylist/g, undefined],
  ["a collection beside it", "capabilitylist.xml", /(?<=siblings="[^"]*)shrine/g, ".well-known"],
  ["an index of Change Lists", "capabilitylist.xml", /changelist(?=\.xml)/g, undefined],
  ["a package", "changedump.xml", /changedump\/[\w-]+(?=\.zip)/g, undefined],
  ["a page", "resourcelist.xml", /links(?=\.html)/g, undefined],
  [
    "the place of a page that moved",
    "changelist/2026-11.xml",
    /(?<=emit:moved=")[^"]*/g,
    undefined,
  ],
];

/** A site with two collections and a dump, published twice, and its next build elsewhere. */
async function deployed(place: string) {
  const host = await serve(temporaryFolder());
  const options = { url: host.url, collections: ["", "shrine"], dump: { changes: 2 } };
  const live = new TestSite(options, {}, host.folder);
  live.page("index.html", "Home").page("links.html", "Links").page("shrine/index.html", "Shrine");
  live.page("old.html", "A page that moves to another place");
  await live.publish("2026-10-05T12:00:00Z", { first: true });
  live.remove("old.html").page("new.html", "A page that moves to another place");
  await live.page("index.html", "Home again").publish("2026-11-05T12:00:00Z");
  const built = live.build().page("index.html", "Home at last");
  const folder = join(place, "deep/er/site");
  const environment = { cacheFolder: join(place, "deep/er/cache") };
  const next = new TestSite({ ...options, previous: "site" }, environment, folder);
  return { host, live, built, next };
}

test.each(NAMES)(
  "wherever %s leads, nothing outside is written or asked",
  async (_, document, name, lost) => {
    const place = temporaryFolder();
    const { host, live, built, next } = await deployed(place);
    const text = live.read(document);
    expect(text).toMatch(name);
    if (lost !== undefined) live.remove(lost);
    for (const climb of CLIMBS) {
      writeFileSync(join(live.folder, document), text.replaceAll(name, climb));
      rmSync(place, { recursive: true });
      cpSync(built.folder, next.folder, { recursive: true });
      try {
        await next.run("2026-11-20T12:00:00Z");
      } catch (error) {
        expect(error).toBeInstanceOf(EmitError);
        expect(next.files()).toEqual(built.files());
      }
      const written = readdirSync(place, { recursive: true, encoding: "utf8" });
      const outside = written.filter(
        (path) => !/^deep(?:\/er(?:\/(?:cache|site).*)?)?$/.test(path),
      );
      expect([...outside, ...written.filter((path) => path.includes("climbed"))]).toEqual([]);
    }
    expect(host.requests.filter(({ path }) => path.includes("climbed"))).toEqual([]);
  },
);
