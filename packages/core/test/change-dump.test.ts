import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readDocumentSync } from "@rs-emit/documents";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { FailingDisk } from "./support/disk.ts";
import { page, serve, status, truncated } from "./support/server.ts";
import { entriesOf, filesOf, type RunOptions, seconds, TestSite } from "./support/site.ts";
import { unzip } from "./support/zip.ts";

const DUMP = { dump: { changes: 3 } };

/** Days of October 2026, at noon. */
const day = (number: number) => `2026-10-${String(number).padStart(2, "0")}T12:00:00Z`;

function garden(options: RunOptions = DUMP, environment = {}): TestSite {
  const site = new TestSite(options, environment);
  for (const name of ["index", "moss", "fern", "shrine/index"]) site.page(`${name}.html`, name);
  return site;
}

/** A site with publications of these days, each after an edit of one page. */
async function grown(days: readonly number[], options: RunOptions = DUMP): Promise<TestSite> {
  const site = garden(options);
  for (const number of days) {
    site.page("moss.html", `Moss ${number}`);
    await site.publish(day(number));
  }
  return site;
}

interface DumpedPackage {
  readonly name: string;
  readonly from: string | undefined;
  readonly until: string | undefined;
  readonly changes: string[];
}

/** The packages that a Change Dump lists, with their changes: `updated /moss.html`. */
async function packagesOf(site: TestSite, collection = ""): Promise<DumpedPackage[]> {
  const dump = readDocumentSync(site.read(`${collection}changedump.xml`));
  expect(dump.metadata).toMatchObject({ from: dump.entries[0]?.metadata?.from });
  const packages: DumpedPackage[] = [];
  for (const { loc, metadata = {}, links } of dump.entries) {
    const name = loc.slice(site.url.length);
    const { from, until } = metadata;
    expect(metadata).toMatchObject({
      hash: `sha-256:${site.files().get(name)}`,
      length: String(readFileSync(join(site.folder, name)).length),
      type: "application/zip",
    });
    const [manifest, ...files] = await unzip(join(site.folder, name));
    const href = loc.replace(/\.zip$/, "-manifest.xml");
    expect(links).toEqual([{ rel: "contents", href, type: "application/xml" }]);
    expect(site.read(href.slice(site.url.length))).toBe(manifest?.bytes.toString());
    const { entries, metadata: about } = readDocumentSync(manifest?.bytes ?? "");
    expect(about).toMatchObject({ capability: "changedump-manifest", from, until });
    const left = entries.filter((entry) => entry.metadata?.change !== "deleted");
    expect(left.map((entry) => entry.metadata?.path)).toEqual(files.map((file) => `/${file.name}`));
    for (const entry of entries.filter((one) => !left.includes(one))) {
      expect(entry.metadata?.path).toBeUndefined();
    }
    const changes = entries.map(
      (entry) => `${entry.metadata?.change} /${entry.loc.slice(site.url.length)}`,
    );
    packages.push({ name, from, until, changes });
  }
  return packages;
}

const untils = async (site: TestSite) => (await packagesOf(site)).map(({ until }) => until);

function capabilities(site: TestSite): (string | undefined)[] {
  const { entries } = readDocumentSync(site.read("capabilitylist.xml"));
  return entries.map(({ metadata }) => metadata?.capability);
}

/** Packages follow each other without a gap, and hold the log's changes of their time, and no others. */
async function expectOfLog(site: TestSite, collection = ""): Promise<void> {
  if (!site.files().has(`${collection}changedump.xml`)) return;
  const packages = await packagesOf(site, collection);
  const [{ from = "" } = { from: "" }] = packages;
  const byTime = new Map<string, string[]>();
  for (const { loc, metadata = {} } of entriesOf(site.folder, site.url, collection)) {
    const { datetime = "", change } = metadata;
    if (datetime <= from) continue;
    const changes = byTime.get(datetime) ?? [];
    byTime.set(datetime, [...changes, `${change} /${loc.slice(site.url.length)}`]);
  }
  const grouped = Map.groupBy(packages, ({ until = "" }) => until);
  const held = [...grouped].map(([until, parts]) => [
    until,
    parts.flatMap(({ changes }) => changes),
  ]);
  expect(held).toEqual([...byTime]);
  let end: string | undefined = from;
  for (const parts of grouped.values()) {
    // As with lists: the next part begins where the one before it ends.
    for (const part of parts) {
      expect(part.from).toBe(end);
      end = part.until;
    }
  }
}

describe("a Change Dump", () => {
  test("begins with the first continuation", async () => {
    const site = await grown([5]);
    expect(capabilities(site)).toEqual(["changelist", "resourcelist", "resourcedump"]);
    site.page("moss.html", "Moss").page("new.html", "New").remove("fern.html");
    await site.publish(day(6));
    expect(capabilities(site)).toEqual([
      "changelist",
      "resourcelist",
      "resourcedump",
      "changedump",
    ]);
    expect(await packagesOf(site)).toEqual([
      {
        name: "changedump/20261006T120000Z-part1.zip",
        from: day(5),
        until: day(6),
        changes: ["created /new.html", "deleted /fern.html", "updated /moss.html"],
      },
    ]);
  });

  test("has packages of the last publications, and older ones keep every byte", async () => {
    const site = await grown([5, 6, 7, 8]);
    const before = site.times();
    await site.page("fern.html", "Fern").publish(day(9));
    expect(await untils(site)).toEqual([day(7), day(8), day(9)]);
    await expectOfLog(site);
    for (const number of ["07", "08"]) {
      const name = `changedump/202610${number}T120000Z-part1.zip`;
      expect(site.times().get(name)).toBe(before.get(name));
    }
    expect([...site.files().keys()].filter((path) => path.includes("changedump/20261006"))).toEqual(
      [],
    );
  });

  test("stays as it is while nothing changes", async () => {
    const site = await grown([5, 6, 7]);
    const before = site.times();
    await site.publish(day(8));
    expect(site.times()).toEqual(before);
  });

  test("is carried along where the output folder is empty", async () => {
    const site = await grown([5, 6, 7]);
    const built = site.build();
    await built.publish(day(8), { previous: site.folder });
    expect(built.files()).toEqual(site.files());
    const edited = site.build().page("fern.html", "Fern");
    await edited.publish(day(9), { previous: site.folder });
    expect(await untils(edited)).toEqual([day(6), day(7), day(9)]);
    await expectOfLog(edited);
  });

  test("goes on over a publication without entries", async () => {
    const site = await grown([5, 6]);
    site.write("moss.html", `${site.read("moss.html")}<!-- built again -->`);
    await site.publish(day(7));
    expect(await untils(site)).toEqual([day(6)]);
    await site.page("fern.html", "Fern").publish(day(8));
    expect((await packagesOf(site)).at(-1)).toMatchObject({ from: day(6), until: day(8) });
    await expectOfLog(site);
  });

  test("has the last publication when the option is new", async () => {
    const site = await grown([5, 6, 7], {});
    await site.publish(day(8), DUMP);
    expect(await packagesOf(site)).toMatchObject([{ from: day(6), until: day(7) }]);
  });

  test("keeps fewer packages, or none, when the option says so", async () => {
    const site = await grown([5, 6, 7, 8]);
    await site.publish(day(9), { dump: { changes: 1 } });
    expect(await untils(site)).toEqual([day(8)]);
    await site.page("fern.html", "Fern").publish(day(10), { dump: { changes: 1 } });
    expect(await untils(site)).toEqual([day(10)]);
    await site.publish(day(11), { dump: true });
    expect([...site.files().keys()].filter((path) => path.includes("changedump"))).toEqual([]);
    expect(capabilities(site)).toEqual(["changelist", "resourcelist", "resourcedump"]);
  });

  test("divides a large publication", async () => {
    const site = garden(DUMP, { dumpLimits: { bytes: 3000 } });
    await site.publish(day(5));
    for (let number = 0; number < 9; number++) site.page(`page-${number}.html`, "New");
    await site.publish(day(6));
    const packages = await packagesOf(site);
    expect(packages.length).toBeGreaterThan(1);
    expect(packages[1]?.name).toBe("changedump/20261006T120000Z-part2.zip");
    await expectOfLog(site);
    await site.page("moss.html", "Moss").publish(day(7));
    expect((await packagesOf(site)).length).toBe(packages.length + 1);
    await expectOfLog(site);
  });

  test("is each collection's own", async () => {
    const site = garden({ ...DUMP, collections: ["", "shrine"] });
    await site.publish(day(5));
    await site.page("shrine/index.html", "Shrine").publish(day(6));
    expect(site.files().has("changedump.xml")).toBe(false);
    expect(await packagesOf(site, "shrine/")).toMatchObject([{ changes: ["updated /shrine/"] }]);
  });

  test("begins anew where the site has moved", async () => {
    const site = await grown([5, 6]);
    const url = "https://new.example/";
    const moved = new TestSite({ ...DUMP, url }, {}, site.folder).page("fern.html", "Fern");
    await moved.publish(day(7), { movedFrom: site.url });
    expect(await packagesOf(moved)).toMatchObject([
      { until: day(7), changes: ["updated /fern.html"] },
    ]);
  });

  test("of others is never replaced", async () => {
    const site = garden().write("changedump.xml", "<mine/>");
    await site.run(day(5), { dump: false });
    const run = site.page("fern.html", "Fern").run(day(6));
    await expect(run).rejects.toMatchObject({ code: "FOREIGN_FILE", about: "changedump.xml" });
    expect(site.read("changedump.xml")).toBe("<mine/>");
  });
});

describe("what is damaged stops no run, and is left out", () => {
  const PACKAGE = (number: string) => `changedump/202610${number}T120000Z-part1.zip`;
  const lost = (notes: readonly { code: string; message: string }[]) =>
    notes.filter(({ code }) => code === "DUMP_LOST").map(({ message }) => message.split(" ")[0]);

  test.each([
    ["removed", (site: TestSite, name: string) => site.remove(name)],
    ["changed", (site: TestSite, name: string) => site.write(name, "no package")],
  ])("a package that was %s, with those before it", async (_, damage) => {
    const site = await grown([5, 6, 7, 8]);
    const built = site.build().page("fern.html", "Fern");
    damage(site, PACKAGE("07"));
    const { notes } = await built.publish(day(9), { previous: site.folder });
    expect(lost(notes)).toEqual([PACKAGE("07")]);
    expect(await untils(built)).toEqual([day(8), day(9)]);
    await expectOfLog(built);
  });

  test("the newest package, before an edit", async () => {
    const site = await grown([5, 6, 7]);
    site.remove(PACKAGE("07")).page("fern.html", "Fern");
    const { notes } = await site.publish(day(8));
    expect(lost(notes)).toEqual([PACKAGE("07")]);
    expect(await untils(site)).toEqual([day(8)]);
    await expectOfLog(site);
  });

  test("the newest package, which is made again while its pages are there", async () => {
    const site = await grown([5, 6, 7]);
    const before = site.files();
    site.remove(PACKAGE("07"));
    const { notes } = await site.publish(day(8));
    expect(lost(notes)).toEqual([]);
    expect(site.files()).toEqual(before);
  });

  test("the document", async () => {
    const site = await grown([5, 6, 7]);
    const text = site.read("changedump.xml");
    for (const broken of [text.slice(0, 400), text.replaceAll("until=", "type="), undefined]) {
      if (broken === undefined) site.remove("changedump.xml");
      else site.write("changedump.xml", broken);
      await site.publish(day(8));
      expect(await untils(site)).toEqual([day(7)]);
      await expectOfLog(site);
    }
  });

  test("packages of a publication that never came through", async () => {
    const site = await grown([5, 6]);
    const ahead = site.copy().page("fern.html", "Fern");
    await ahead.publish(day(7));
    for (const name of ["changedump.xml", PACKAGE("07")]) {
      site.write(name, readFileSync(join(ahead.folder, name)));
    }
    await site.page("index.html", "Home").publish(day(8));
    expect(await untils(site)).toEqual([day(6), day(8)]);
    await expectOfLog(site);
  });
});

describe("from the live site", () => {
  const PACKAGES = ["06", "07", "08"].map((n) => `changedump/202610${n}T120000Z-part1.zip`);

  /** A deployed site with three continuations, and a fresh build of it. */
  async function deployed() {
    const host = await serve("");
    const site = garden({ ...DUMP, url: host.url });
    for (const number of [5, 6, 7, 8]) {
      await site.page("moss.html", `Moss ${number}`).publish(day(number));
    }
    host.folder = site.folder;
    const asked = () =>
      host.requests.map(({ path }) => path.slice(1)).filter((path) => path.endsWith(".zip"));
    return { host, site, built: site.build({ previous: "site" }), asked };
  }

  test("packages of changes are downloaded, those of resources are not, and once is enough", async () => {
    const { site, built, asked } = await deployed();
    await built.publish(day(9));
    expect(built.files()).toEqual(site.files());
    expect(asked().sort()).toEqual(PACKAGES);
    await built.build({ previous: "site" }).publish(day(9));
    expect(asked()).toHaveLength(PACKAGES.length);
  });

  test("an edit asks only for what stays", async () => {
    const { built, asked } = await deployed();
    await built.page("fern.html", "Fern").publish(day(9));
    expect(await untils(built)).toEqual([day(7), day(8), day(9)]);
    expect(asked().sort()).toEqual(PACKAGES.slice(1));
  });

  test.each([
    ["refuses them", status(404)],
    ["forbids them", status(403)],
    ["breaks off", truncated],
    ["serves a page in their place", page],
  ])("a host that %s stops no run", async (_, answer) => {
    const { host, built } = await deployed();
    for (const name of PACKAGES) host.answers.set(name, answer);
    const { notes } = await built.page("fern.html", "Fern").publish(day(9));
    expect(notes.map(({ code }) => code)).toContain("DUMP_LOST");
    expect(await untils(built)).toEqual([day(9)]);
    await expectOfLog(built);
  });

  test("a Change Dump that cannot be read stops no run", async () => {
    const { host, built } = await deployed();
    host.answers.set("changedump.xml", status(500));
    await built.page("fern.html", "Fern").publish(day(9));
    expect(await untils(built)).toEqual([day(9)]);
  });
});

/** Edits of three pages (0 removes one), and the call at which the machine is then switched off. */
const runs = fc.array(
  fc.record({
    pages: fc.record({ a: fc.nat(3), b: fc.nat(3), "shrine/c": fc.nat(3) }),
    call: fc.nat(70),
    comment: fc.boolean(),
  }),
  { minLength: 2, maxLength: 6 },
);

test("however often the machine is switched off, packages hold the log's changes without a gap", async () => {
  await fc.assert(
    fc.asyncProperty(runs, async (history) => {
      const collections = ["", "shrine"];
      const site = garden({ ...DUMP, collections }, { dumpLimits: { bytes: 4000 } });
      await site.publish(day(1));
      let time = seconds(day(1));
      for (const [number, { pages, call, comment }] of history.entries()) {
        time += 3600;
        for (const [name, version] of Object.entries(pages)) {
          if (version > 0) site.page(`${name}.html`, `Version ${version}`);
          else if (site.files().has(`${name}.html`)) site.remove(`${name}.html`);
        }
        if (comment)
          site.write("fern.html", `<title>Fern</title><!-- ${number} --><main>Fern</main>`);
        const fileSystem = new FailingDisk(call, Number.POSITIVE_INFINITY, "EIO");
        await site.run(new Date(time * 1000).toISOString(), {}, { fileSystem }).catch(() => {});
      }
      await site.publish(new Date((time + 60) * 1000).toISOString());
      for (const collection of ["", "shrine/"]) await expectOfLog(site, collection);
      const before = filesOf(site.folder);
      expect([...before.keys()].filter((path) => path.includes("rs-emit"))).toEqual([]);
      await site.publish(new Date((time + 120) * 1000).toISOString());
      expect(filesOf(site.folder)).toEqual(before);
    }),
    { numRuns: Number(process.env.RUNS ?? rounds(8, 25)) },
  );
});
