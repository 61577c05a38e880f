import fc from "fast-check";
import { expect, test } from "vitest";
import { rounds, STRIDE } from "../../../test/thorough.ts";
import { entryToChange } from "../src/model/log-attributes.ts";
import { urlOf } from "../src/model/url.ts";
import { FailingDisk } from "./support/disk.ts";
import { entriesOf, seconds, TestSite } from "./support/site.ts";

/** Edits of three pages (0 removes one), and the call at which the machine is then switched off. */
const runs = fc.array(
  fc.record({
    pause: fc.oneof(fc.integer({ min: 1, max: 90_000 }), fc.integer({ min: 1, max: 9_000_000 })),
    pages: fc.record({ a: fc.nat(3), b: fc.nat(3), "shrine/c": fc.nat(3) }),
    call: fc.nat(60),
  }),
  { minLength: 2, maxLength: 6 },
);

test("however often the machine is switched off, the log ends as the site stands", async () => {
  await fc.assert(
    fc.asyncProperty(runs, async (history) => {
      const site = new TestSite({ collections: ["", "shrine"] }, { limits: { entries: 3 } });
      for (const name of ["index", "links", "about", "news"]) site.page(`${name}.html`, name);
      await site.publish("2026-10-05T12:00:00Z");
      let time = seconds("2026-10-05T12:00:00Z");
      for (const { pause, pages, call } of history) {
        time += pause;
        for (const [name, version] of Object.entries(pages)) {
          if (version > 0) site.page(`${name}.html`, `Version ${version}`);
          else if (site.files().has(`${name}.html`)) site.remove(`${name}.html`);
        }
        const fileSystem = new FailingDisk(call, Number.POSITIVE_INFINITY, "EIO");
        await site.run(new Date(time * 1000).toISOString(), {}, { fileSystem }).catch(() => {});
      }
      await site.publish(new Date((time + 60) * 1000).toISOString());
      expectLogOfWhatStands(site);
      expect([...site.files().keys()].filter((path) => path.includes("rs-emit"))).toEqual([]);
      const last = await site.publish(new Date((time + 120) * 1000).toISOString());
      expect(last.status).toBe("unchanged");
    }),
    { numRuns: Number(process.env.RUNS ?? rounds(8, 25)) },
  );
});

/** What the logs say of moves, and when the content of pages changed. */
function movesIn(site: TestSite): readonly string[] {
  const changes = ["", "shrine/"].flatMap((one) => entriesOf(site.folder, site.url, one));
  const told = changes.flatMap((entry) => {
    const { url, kind, minor, moved } = entryToChange(entry) ?? {};
    return kind === "updated" ? [] : [`${kind} ${minor} ${url} ${moved}`];
  });
  const dates = [...site.read("shrine/resourcelist.xml").matchAll(/<loc>.*|emit:changed="[^"]*"/g)];
  return [...told.sort(), ...dates.map(([one]) => one)];
}

test("a page that moves to another collection is told once, with its date, wherever a kill stops it", async () => {
  for (const [from, to] of [
    ["a.html", "shrine/b.html"],
    ["shrine/a.html", "b.html"],
  ] as const) {
    const moved = async () => {
      const site = new TestSite({ collections: ["", "shrine"], allowMassDelete: true });
      site.page("index.html", "Home").page("shrine/index.html", "Shrine").page(from, "Words");
      await site.publish("2026-10-05T12:00:00Z");
      await site.page(from, "Other words of a page").publish("2026-10-06T12:00:00Z");
      return site.remove(from).page(to, "Other words of a page");
    };
    const whole = await moved();
    await whole.publish("2026-10-07T12:00:00Z");
    for (let call = 0; ; call += STRIDE) {
      const fileSystem = new FailingDisk(call, Number.POSITIVE_INFINITY, "EIO");
      const site = await moved();
      await site.run("2026-10-07T12:00:00Z", {}, { fileSystem }).catch(() => {});
      await site.publish("2026-10-07T12:00:00Z");
      expect(movesIn(site), `${from}, at ${call}`).toEqual(movesIn(whole));
      if (!fileSystem.failed) break;
    }
  }
});

/** Every page is created, updated, deleted in turn, and its last change is how it stands. */
function expectLogOfWhatStands(site: TestSite): void {
  const standing = new Map<string, string | undefined>();
  for (const collection of ["", "shrine/"]) {
    for (const { loc, metadata = {} } of entriesOf(site.folder, site.url, collection)) {
      expect([loc, metadata.change === "created"]).toEqual([loc, !standing.has(loc)]);
      if (metadata.change === "deleted") standing.delete(loc);
      else standing.set(loc, metadata.hash);
    }
  }
  const pages = [...site.files()].filter(([path]) => path.endsWith(".html"));
  expect([...standing.keys()].sort()).toEqual(
    pages.map(([path]) => urlOf(site.url, path, false)).sort(),
  );
  for (const [path, hash] of pages) {
    const told = standing.get(urlOf(site.url, path, false));
    if (told !== undefined) expect(told).toBe(`sha-256:${hash}`);
  }
}
