import { readDocumentSync } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { DISK } from "../src/model/file-system.ts";
import { logOf, TestSite } from "./support/site.ts";

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const urlset = (capability: string, ...entries: readonly string[]) =>
  `<urlset ${NAMESPACES}>\n<rs:md capability="${capability}"/>\n${entries.join("\n")}\n</urlset>`;
const listed = (loc: string, capability: string, more = "") =>
  `<url><loc>https://example.org/${loc}</loc><rs:md capability="${capability}"/>${more}</url>`;
const changed = (change: string, page: string, datetime?: string, more = "") =>
  `<url><loc>https://example.org/${page}</loc><rs:md change="${change}"${
    datetime === undefined ? "" : ` datetime="${datetime}"`
  }/>${more}</url>`;

const BY_HAND = urlset(
  "changelist",
  changed("updated", "moss.html", undefined, "<lastmod>2025-01-01</lastmod>"),
  changed(
    "created",
    "moss.html",
    "2025-02-01T08:00:00Z",
    '<rs:ln rel="duplicate" href="https://m.example/moss"/>',
  ),
  changed("created", "gone.html", "2025-03-01"),
  changed("created", "picture.png", "2025-03-02T08:00:00Z"),
);
const FIRST = "2026-10-05T12:00:00Z";

/** A site with a log that its author wrote by hand. */
function site(): TestSite {
  return new TestSite({ force: true })
    .page("index.html", "Home", "2024-06-01T08:00:00Z")
    .page("moss.html", "Moss", "2026-09-01T08:00:00Z")
    .page("new.html", "New", "2026-09-02T08:00:00Z")
    .write("picture.png", "…")
    .write("changelist.xml", BY_HAND);
}

const log = (of: TestSite) => logOf(of.folder, of.url, "");
const adopted = (of: TestSite) => readDocumentSync(of.read("changelist-adopted.xml")).entries;

describe("a log that was written by hand", () => {
  test("is refused without force, and nothing is written", async () => {
    const by = site();
    const before = by.files();
    const run = by.run(FIRST, { force: false });
    await expect(run).rejects.toMatchObject({
      code: "FOREIGN_FILE",
      cure: expect.stringContaining("an existing log is then continued"),
    });
    expect(by.files()).toEqual(before);
  });

  test("is continued with force: its entries stay as they are, and ours follow", async () => {
    const by = site();
    const { notes } = await by.run(FIRST);
    const full = (text?: string) => text?.replace(/^(\d{4}-\d\d-\d\d)$/, "$1T00:00:00Z");
    expect(adopted(by)).toEqual(
      readDocumentSync(BY_HAND).entries.map((entry) => ({
        ...entry,
        ...(entry.lastmod === undefined ? {} : { lastmod: full(entry.lastmod) }),
        metadata: {
          ...entry.metadata,
          ...(entry.metadata?.datetime === undefined
            ? {}
            : { datetime: full(entry.metadata.datetime) }),
        },
      })),
    );
    expect(readDocumentSync(by.read("changelist.xml")).entries.map(({ loc }) => loc)).toEqual([
      "https://example.org/changelist-adopted.xml",
      "https://example.org/changelist-2026-09.xml",
      "https://example.org/changelist-2026-10.xml",
    ]);
    expect(log(by).slice(-3)).toEqual([
      "2026-09-01T08:00:00Z updated /moss.html",
      "2026-09-02T08:00:00Z created /new.html",
      "2026-10-05T12:00:00Z deleted /gone.html",
    ]);
    expect(notes.find(({ code }) => code === "ADOPTED")?.message).toBe(
      "The log of https://example.org/ goes on: it had 4 entries that rs-emit did not write, from " +
        "2025-02-01T08:00:00Z to 2025-03-02T08:00:00Z (in changelist.xml). They stay, in " +
        "changelist-adopted.xml. 1 of them has no datetime: followers ignore such entries.",
    );
  });

  test("stays through later runs, and a run over the same files changes nothing", async () => {
    const by = site();
    await by.run(FIRST);
    const before = by.files();
    expect((await by.run("2026-10-06T12:00:00Z", { force: false })).status).toBe("unchanged");
    expect(by.files()).toEqual(before);
    const list = by.read("changelist-adopted.xml");
    by.page("moss.html", "Moss, by foot").remove("new.html");
    await by.run("2026-11-07T12:00:00Z", { force: false });
    expect(by.read("changelist-adopted.xml")).toBe(list);
    expect(log(by).slice(-2)).toEqual([
      "2026-11-07T12:00:00Z updated /moss.html",
      "2026-11-07T12:00:00Z deleted /new.html",
    ]);
  });

  test("moves with its site", async () => {
    const by = site();
    await by.run(FIRST);
    const moved = { url: "https://moss.example/", movedFrom: by.url, force: false };
    await by.run("2026-10-06T12:00:00Z", moved);
    expect(adopted(by).map(({ loc }) => new URL(loc).host)).toEqual(Array(4).fill("moss.example"));
    const before = by.files();
    await by.run("2026-10-07T12:00:00Z", { url: moved.url, force: false });
    expect(by.files()).toEqual(before);
  });

  test("is not lost by a run that is killed at any file", async () => {
    const whole = site();
    await whole.run(FIRST);
    for (let kept = 0; ; kept++) {
      const by = site();
      let renamed = 0;
      const fileSystem = {
        ...DISK,
        rename(from: string, to: string) {
          if (renamed++ === kept) throw new Error("killed");
          DISK.rename(from, to);
        },
        // Nothing is cleared away after a kill.
        remove() {},
      };
      const isKilled = await by.run(FIRST, {}, { fileSystem }).then(
        () => false,
        () => true,
      );
      await by.run("2026-10-06T12:00:00Z");
      expect(adopted(by), `killed after ${kept} files`).toEqual(adopted(whole));
      const own = (of: TestSite) => log(of).map((line) => line.replace(/^2026-10-0\S+/, "now"));
      expect(own(by), `killed after ${kept} files`).toEqual(own(whole));
      if (!isKilled) break;
    }
  });

  test("of the future stops the run", async () => {
    const by = site().write(
      "changelist.xml",
      urlset("changelist", changed("created", "moss.html", "2036-01-01T08:00:00Z")),
    );
    await expect(by.run(FIRST)).rejects.toMatchObject({ code: "CLOCK" });
  });

  test("is no less for entries that say no change, or are of another site: they are counted", async () => {
    const by = site().write(
      "changelist.xml",
      urlset(
        "changelist",
        changed("created", "moss.html", "2025-02-01T08:00:00Z"),
        "<url><loc>https://example.org/index.html</loc></url>",
        '<url><loc>https://elsewhere.example/</loc><rs:md change="created" datetime="2025-02-01T08:00:00Z"/></url>',
      ),
    );
    const { notes } = await by.run(FIRST);
    expect(adopted(by)).toHaveLength(1);
    expect(notes.find(({ code }) => code === "ADOPTED")?.message).toMatch(
      /2 entries say no change, or are of another site/,
    );
  });
});

describe("a log of other software", () => {
  const other = () =>
    site()
      .write(
        ".well-known/resourcesync",
        urlset(
          "description",
          listed(
            "rs/capabilities.xml",
            "capabilitylist",
            '<rs:ln rel="describes" href="https://example.org/"/>',
          ),
          listed(
            "art/capabilitylist.xml",
            "capabilitylist",
            '<rs:ln rel="describes" href="https://example.org/art/"/>',
          ),
        ),
      )
      .write(
        "rs/capabilities.xml",
        urlset("capabilitylist", listed("rs/changes.xml", "changelist")),
      )
      .write(
        "rs/changes.xml",
        `<sitemapindex ${NAMESPACES}><rs:md capability="changelist" from="2025-01-01T00:00:00Z"/>
         <sitemap><loc>https://example.org/rs/2.xml</loc></sitemap>
         <sitemap><loc>https://example.org/rs/1.xml</loc></sitemap></sitemapindex>`,
      )
      .write(
        "rs/1.xml",
        urlset("changelist", changed("created", "moss.html", "2025-02-01T08:00:00Z")),
      )
      .write(
        "rs/2.xml",
        urlset("changelist", changed("updated", "moss.html", "2025-03-01T08:00:00Z")),
      )
      .remove("changelist.xml");

  test("is found from its Source Description, which then names it once", async () => {
    const by = other();
    const { notes } = await by.run(FIRST);
    expect(adopted(by).map(({ metadata }) => metadata?.change)).toEqual(["created", "updated"]);
    const entries = readDocumentSync(by.read(".well-known/resourcesync")).entries;
    expect(entries.map(({ loc }) => loc)).toEqual([
      "https://example.org/capabilitylist.xml",
      "https://example.org/art/capabilitylist.xml",
    ]);
    expect(notes.find(({ code }) => code === "ADOPTED")?.message).toContain("rs/2.xml, rs/1.xml");
    const before = by.files();
    await by.run("2026-10-06T12:00:00Z", { force: false });
    expect(by.files()).toEqual(before);
  });

  test("of which a list is missing stops the run", async () => {
    const by = other().remove("rs/1.xml");
    const before = by.files();
    await expect(by.run(FIRST)).rejects.toMatchObject({
      code: "MISSING_DOCUMENT",
      document: "rs/1.xml",
    });
    expect(by.files()).toEqual(before);
  });
});
