import { describe, expect, test } from "vitest";
import { TestSite } from "./support/site.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"];

interface Shell {
  readonly year?: number;
  readonly links?: readonly string[];
  readonly content?: Readonly<Record<string, string>>;
  readonly wrap?: (content: string) => string;
}

/** A hand-built page: a table, and neither `main` nor `article`. */
function write(
  site: TestSite,
  { year = 2025, links = ["a", "b"], content = {}, wrap = String }: Shell,
) {
  for (const name of NAMES) {
    const menu = links.map((one) => `<td><a href="${one}.html">The page ${one}</a></td>`).join("");
    const own = content[name] ?? `<p>The words of <img src="x.png" alt="moss"> page ${name}.</p>`;
    site.write(
      `${name}.html`,
      `<title>Page ${name}</title><table><tr>${menu}</tr></table><h1>About ${name}</h1>${wrap(own)}<hr><p>© ${year} Ami</p>`,
    );
  }
  return site;
}

async function verdicts(first: Shell, second: Shell, options = {}) {
  const site = write(new TestSite(options), first);
  await site.publish("2026-10-01T12:00:00Z");
  const result = await write(site, second).publish("2026-10-02T12:00:00Z");
  return result.collections.flatMap(({ changes }) =>
    changes.map(({ url, minor }) => `${url.slice(-6, -5)} ${minor ? "minor" : "full"}`),
  );
}

const ALL_MINOR = NAMES.map((name) => `${name} minor`);
const FIRST_FULL = NAMES.map((name) => `${name} ${name === "a" ? "full" : "minor"}`);

describe("in pages without main, what stands on most pages is the shell", () => {
  test("a new year in the footer is minor", async () => {
    expect(await verdicts({}, { year: 2026 })).toEqual(ALL_MINOR);
  });

  test("so is a letter of it on one page", async () => {
    const all = "<h2>Ferns and moss grow on our wall by the river</h2>";
    const first = { wrap: (own: string) => own + all };
    const second = {
      wrap: (own: string) => own + (own.includes("page a") ? all.replace("Ferns", "Fersn") : all),
    };
    expect(await verdicts(first, second)).toEqual(["a minor"]);
  });

  test.each([
    ["first", ["n", "a", "b"]],
    ["amid", ["a", "n", "b"]],
    ["last", ["a", "b", "n"]],
  ])("so is a new link in the menu, %s", async (_, links) => {
    expect(await verdicts({}, { links })).toEqual(ALL_MINOR);
  });

  test.each([
    ["words", "<p>A fern stands at the wall of page a.</p>"],
    ["a picture", '<p>The words of <img src="y.png" alt="fern"> page a.</p>'],
    [
      "a frame",
      '<p>The words of <img src="x.png" alt="moss"> page a.</p><iframe src="x"></iframe>',
    ],
    ["a block more", '<p>The words of <img src="x.png" alt="moss"> page a.</p><p>The ferns of</p>'],
  ])("but %s of its own are told, whatever the footer", async (_, own) => {
    expect(await verdicts({}, { year: 2026, content: { a: own } })).toEqual(FIRST_FULL);
  });

  test("nor is a new title", async () => {
    const site = write(new TestSite(), {});
    await site.publish("2026-10-01T12:00:00Z");
    write(site, { year: 2026 });
    site.write("a.html", site.read("a.html").replace("Page a", "Ferns of the wall"));
    const { collections } = await site.publish("2026-10-02T12:00:00Z");
    expect(collections[0]?.changes.filter(({ minor }) => !minor)).toHaveLength(1);
  });

  test("without memory all are told", async () => {
    const full = NAMES.map((name) => `${name} full`);
    expect(await verdicts({}, { year: 2026 }, { excerpts: false })).toEqual(full);
  });

  test("of main, nothing is the shell: what all say now is told once", async () => {
    const first = { wrap: (own: string) => `<main>${own}<p>In all pages.</p></main>` };
    const second = {
      wrap: (own: string) => `<main>${own}<p>Come to our fair on the green.</p></main>`,
    };
    expect(await verdicts(first, second)).toEqual(FIRST_FULL);
  });

  test("a change that was told before a kill is not minor after it", async () => {
    const site = write(new TestSite(), {});
    await site.publish("2026-10-01T12:00:00Z");
    const list = site.read("resourcelist.xml");
    write(site, { content: { a: "<p>Other words.</p>" } });
    await site.publish("2026-10-02T12:00:00Z");
    site.write("resourcelist.xml", list);
    // Edited since: nothing is remembered of it.
    write(site, { year: 2026, content: { a: "<p>Other words.</p>" } });
    const { collections } = await site.publish("2026-10-03T12:00:00Z");
    expect(collections[0]?.changes.map(({ minor }) => minor ?? false)).toEqual([
      false,
      ...NAMES.slice(1).map(() => true),
    ]);
  });
});

describe("a page that moved", () => {
  async function moved() {
    const site = new TestSite({ allowMassDelete: true });
    site.page("index.html", "Home").page("old/ami.html", "Ami").page("old/fan.html", "Fan");
    await site.publish("2026-10-01T12:00:00Z");
    site.page("old/ami.html", "Ami of today");
    await site.publish("2026-10-02T12:00:00Z");
    site.remove("old").page("new/ami.html", "Ami of today").page("new/other.html", "Fan, edited");
    return { site, result: await site.publish("2026-10-03T12:00:00Z") };
  }

  test("is named by both entries, and told once", async () => {
    const { site, result } = await moved();
    const entries = result.collections.flatMap(({ changes }) =>
      changes.map(({ kind, url, moved }) => [kind, url.slice(20), moved?.slice(20)]),
    );
    expect(entries).toEqual([
      ["created", "new/ami.html", "old/ami.html"],
      ["created", "new/other.html", undefined],
      ["deleted", "old/ami.html", "new/ami.html"],
      ["deleted", "old/fan.html", undefined],
    ]);
    expect(site.read("changelist/2026-10.xml")).toContain('emit:moved="../new/ami.html"');
    const feed = site.read("changes.atom");
    expect(feed).toContain("New: Fan, edited; 1 page moved; 1 page is gone");
    expect(feed).toContain("Ami of today&lt;/a&gt;, moved to");
    expect(feed).toMatch(
      /Moved pages.*Ami of today&lt;\/a&gt;, moved to example.org\/new\/ami.html/s,
    );
  });

  test("keeps the time of its content's change", async () => {
    const { site } = await moved();
    const changed = (path: string) =>
      new RegExp(`${path}</loc>.*?emit:changed="([^"]*)"`, "s").exec(
        site.read("resourcelist.xml"),
      )?.[1];
    expect(changed("new/ami.html")).toBe("2026-10-02T12:00:00Z");
    expect(changed("new/other.html")).toBe("2026-09-01T08:00:00Z");
    expect(changed("example.org/")).toBe("");
  });
});
