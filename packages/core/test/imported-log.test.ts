import { readDocumentSync } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { DISK } from "../src/model/file-system.ts";
import { logOf, type RunOptions, TestSite } from "./support/site.ts";

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
const adopted = (of: TestSite) => readDocumentSync(of.read("changelist/adopted.xml")).entries;

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
      "https://example.org/changelist/adopted.xml",
      "https://example.org/changelist/2026-09.xml",
      "https://example.org/changelist/2026-10.xml",
    ]);
    expect(log(by).slice(-3)).toEqual([
      "2026-09-01T08:00:00Z updated /moss.html",
      "2026-09-02T08:00:00Z created /new.html",
      "2026-10-05T12:00:00Z deleted /gone.html",
    ]);
    expect(notes.find(({ code }) => code === "ADOPTED")?.message).toBe(
      "The log of https://example.org/ goes on: it had 4 entries that rs-emit did not write, from " +
        "2025-02-01T08:00:00Z to 2025-03-02T08:00:00Z (in changelist.xml). They stay, in " +
        "changelist/adopted.xml. 1 of them has no datetime: followers ignore such entries.",
    );
  });

  test("stays through later runs, and a run over the same files changes nothing", async () => {
    const by = site();
    await by.run(FIRST);
    const before = by.files();
    expect((await by.run("2026-10-06T12:00:00Z", { force: false })).status).toBe("unchanged");
    expect(by.files()).toEqual(before);
    const list = by.read("changelist/adopted.xml");
    by.page("moss.html", "Moss, by foot").remove("new.html");
    await by.run("2026-11-07T12:00:00Z", { force: false });
    expect(by.read("changelist/adopted.xml")).toBe(list);
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
      /Besides, it had 2 entries that say no change, or are of another site/,
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
      about: "rs/1.xml",
    });
    expect(by.files()).toEqual(before);
  });
});

describe("the example of IFCC-0001", () => {
  const AUTHORS = ["info-about-my-website.xml", "my-shrine/info-about-my-shrine.xml"];
  const TOP = `https://example.com/${AUTHORS[0]}`;
  const SHRINE = `https://example.com/${AUTHORS[1]}`;
  const describes = `<rs:ln rel="describes" href="https://example.com/my-shrine/"/>`;
  const document = (head: string, entry: string) =>
    `<urlset ${NAMESPACES}>${head}<url>${entry}</url></urlset>`;

  /** As it stands there: its Change List says `http`. */
  const example = (options: RunOptions = {}) =>
    new TestSite({
      url: "https://example.com/",
      collections: ["my-shrine/"],
      force: true,
      ...options,
    })
      .page("my-shrine/index.html", "My shrine", "2022-11-04T08:00:00Z")
      .page("my-shrine/my-page/index.html", "My page", "2022-11-05T08:00:00Z")
      .write(AUTHORS[0] ?? "", "<website/>")
      .write(AUTHORS[1] ?? "", "<shrine/>")
      .write(
        ".well-known/resourcesync",
        document(
          `<rs:ln rel="describedby" href="${TOP}"/><rs:md capability="description"/>`,
          `<loc>https://example.com/my-shrine/capabilitylist.xml</loc>
           <rs:md capability="capabilitylist"/>${describes}<rs:ln rel="describedby" href="${SHRINE}"/>`,
        ),
      )
      .write(
        "my-shrine/capabilitylist.xml",
        document(
          `<rs:ln rel="up" href="https://example.com/description.xml"/>${describes}
           <rs:ln rel="describedby" href="https://example.com/info-about-my-shrine.xml"/>
           <rs:md capability="capabilitylist"/>`,
          '<loc>https://example.com/my-shrine/changelist.xml</loc><rs:md capability="changelist"/>',
        ),
      )
      .write(
        "my-shrine/changelist.xml",
        document(
          `<rs:ln rel="up" href="https://example.com/my-shrine/capabilitylist.xml"/>
           <rs:md capability="changelist" from="1972-12-31"/>`,
          '<loc>http://example.com/my-shrine/my-page/</loc><rs:md change="updated" datetime="2022-11-06"/>',
        ),
      );
  const notesOf = async (site: TestSite, options: RunOptions = {}) =>
    new Map((await site.publish(FIRST, options)).notes.map(({ code, message }) => [code, message]));

  test("is continued: its update stays, at the address of the site", async () => {
    const site = example();
    const notes = await notesOf(site);
    expect(logOf(site.folder, site.url, "my-shrine/")).toEqual([
      "2022-11-06T00:00:00Z updated /my-shrine/my-page/",
    ]);
    expect(notes.get("ADOPTED")).toMatch(/had 1 entry .* in changelist\/adopted\.xml\.$/);
    expect(AUTHORS.map((path) => site.read(path))).toEqual(["<website/>", "<shrine/>"]);
    expect(notes.get("DESCRIBED_ANEW")).toBe(
      `The about.xml of rs-emit is linked in place of ${TOP}, ${SHRINE}. ` +
        "To link those, set the option describedby, for the site or the collection.",
    );
  });

  test("keeps its descriptions, where they are named", async () => {
    const site = example();
    const own = { path: "my-shrine/", describedby: AUTHORS[1] };
    const notes = await notesOf(site, { describedby: AUTHORS[0], collections: [own] });
    expect(notes.has("DESCRIBED_ANEW")).toBe(false);
    const { links, entries } = readDocumentSync(site.read(".well-known/resourcesync"));
    expect(links).toEqual([{ rel: "describedby", href: TOP }]);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.links).toContainEqual({ rel: "describedby", href: SHRINE });
    expect([...site.files().keys()].filter((path) => path.endsWith("about.xml"))).toEqual([]);
  });

  test("with documents that are named by http too", async () => {
    const site = example();
    for (const path of [".well-known/resourcesync", "my-shrine/capabilitylist.xml"]) {
      site.write(path, site.read(path).replaceAll("https://example.com/", "http://example.com/"));
    }
    await site.publish(FIRST);
    expect(logOf(site.folder, site.url, "my-shrine/")).toHaveLength(1);
    expect(readDocumentSync(site.read(".well-known/resourcesync")).entries).toHaveLength(1);
  });

  test("of which nothing can be kept names no file with it", async () => {
    const site = example();
    const list = site.read("my-shrine/changelist.xml");
    site.write(
      "my-shrine/changelist.xml",
      list.replace("http://example.com/", "http://e.example/"),
    );
    const notes = await notesOf(site);
    expect(notes.get("ADOPTED")).toBe(
      "The log of https://example.com/my-shrine/ (in my-shrine/changelist.xml) had 1 entry that says " +
        "no change, or is of another site, and could not be kept.",
    );
  });
});
