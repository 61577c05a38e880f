import type { ListedChange } from "@rs-emit/reader";
import { Parser } from "htmlparser2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rename } from "../src/store/following/following.ts";
import { TestLibrary } from "./support/library.ts";
import { followSampleSites } from "./support/sample-sites.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

let library: TestLibrary;
let service: TestService;
let ids: Awaited<ReturnType<typeof followSampleSites>>;

/** An element that a page opens. */
interface Opened {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function elementsOf(page: string): Opened[] {
  const elements: Opened[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => elements.push({ name, attributes }),
  });
  parser.end(page);
  return elements;
}

const pages = () => [
  "/",
  "/sources",
  "/sources?state=troubled",
  ...Object.values(ids).map((id) => `/sources/${id}`),
  `/sources/${ids.shrine}/unfollow`,
  `/sources/${ids.shrine}/block`,
  "/blocked",
  "/about",
  "/nowhere",
];

describeStores("pages, on $name", () => {
  beforeAll(async () => {
    library = await TestLibrary.start();
    ids = await followSampleSites(library);
    service = new TestService(library);
  });
  afterAll(() => library[Symbol.asyncDispose]());

  describe("every page", () => {
    test("has a title, landmarks, one first heading and a way past the navigation", async () => {
      for (const path of pages()) {
        const elements = elementsOf(await service.text(path));
        const names = elements.map(({ name }) => name);
        const count = (name: string) => names.filter((one) => one === name).length;
        expect([path, count("title"), count("main"), count("h1"), count("footer")]).toEqual([
          path,
          1,
          1,
          1,
          1,
        ]);
        const [html] = elements;
        expect(html).toEqual({ name: "html", attributes: { lang: "en" } });
        const [skip] = elements.filter(({ name }) => name === "a");
        expect(skip?.attributes.href).toBe("#content");
        expect(elements.find(({ name }) => name === "main")?.attributes.id).toBe("content");
        const navigations = elements.filter(({ name }) => name === "nav");
        expect(navigations.every(({ attributes }) => attributes["aria-label"])).toBe(true);
      }
    });

    test("labels every field, and gives no id twice", async () => {
      for (const path of pages()) {
        const elements = elementsOf(await service.text(path));
        const ids = elements.flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id]));
        expect(new Set(ids).size).toBe(ids.length);
        const labelled = new Set(elements.map(({ attributes }) => attributes.for));
        for (const { name, attributes } of elements) {
          if (name === "input" && attributes.type !== "hidden")
            expect(labelled).toContain(attributes.id);
          for (const reference of ["aria-labelledby", "aria-describedby"]) {
            for (const id of attributes[reference]?.split(" ") ?? []) expect(ids).toContain(id);
          }
        }
      }
    });

    test("needs no scripts, and sends its reader nowhere but by links and forms of its own", async () => {
      for (const path of pages()) {
        const elements = elementsOf(await service.text(path));
        expect(elements.filter(({ name }) => /^(?:script|iframe|img|object)$/.test(name))).toEqual(
          [],
        );
        for (const { name, attributes } of elements) {
          expect(Object.keys(attributes).filter((key) => key.startsWith("on"))).toEqual([]);
          expect(Object.keys(attributes)).not.toContain("style");
          if (name === "form")
            expect(attributes).toMatchObject({
              method: expect.stringMatching(/^(?:post|get)$/),
              action: expect.stringMatching(/^\//),
            });
          if (name === "a") expect(attributes.href).toMatch(/^(?:https?:\/\/|\/|#|mailto:keeper@)/);
        }
      }
    });
  });

  test("to programs each changed page is an h-entry, with the id that its own site gives it", async () => {
    for (const path of ["/", `/sources/${ids.shrine}`]) {
      const text = await service.text(path);
      const listed = [...text.matchAll(/<li( class="[^"]*")?><span class="kind /g)];
      const entries = [...text.matchAll(/<li class="h-entry">.*?<\/li>/gs)].map(([item]) => item);
      expect([path, entries.length]).toEqual([path, listed.length]);
      for (const entry of entries) {
        const found = elementsOf(entry).map(({ attributes }) => attributes);
        const named = found.filter((one) => /\bp-name\b/.test(one.class ?? ""));
        const value = (name: string) => found.find((one) => one.class === name)?.value;
        expect(named).toHaveLength(1);
        expect(value("dt-updated")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(value("u-uid")).toMatch(/^https:\/\//);
        expect(value("u-uid")?.endsWith(`/#${value("dt-updated")}`)).toBe(true);
        const href = named[0]?.href;
        expect(named[0]?.class).toBe(href === undefined ? "p-name" : "u-url p-name");
        if (href !== undefined) expect(value("u-uid")?.startsWith(`${href}#`)).toBe(true);
      }
      const [gone] = entries.filter((entry) => entry.includes("Guest book"));
      expect(gone).toContain('<span class="p-name"');
    }
  });

  describe("what the pages tell", () => {
    const contains: readonly (readonly [string, () => string, readonly string[]])[] = [
      [
        "the first page",
        () => "/",
        [
          "Follow a site",
          '<h1 id="changes-title">What changed lately</h1>',
          "Moss shrine",
          "Sphagnum, slowly",
          "and 3 more",
          "/feeds/all.atom",
          "/feeds/followed.opml",
        ],
      ],
      [
        "the list",
        () => "/sources",
        [
          "6 sites in all",
          "Moss shrine",
          "Pictures &amp; letters",
          '<span class="mark well">Well</span> 2',
          "In trouble",
          "No change log",
          "Not read yet",
        ],
      ],
      [
        "those in trouble, and why",
        () => "/sources?state=troubled",
        ["1 site found", "broken.example", "A document that the site names is missing"],
      ],
      [
        "a source",
        () => `/sources/${ids.pictures}`,
        [
          "Everything on this site",
          "http://localhost:8480/feeds/sources/",
          "Briefe aus dem Süden",
          "Last checked",
          "next check",
        ],
      ],
      [
        "a source in trouble",
        () => `/sources/${ids.broken}`,
        [
          "What went wrong",
          "broken.example/capabilitylist.xml",
          "ask its author",
          "It is tried again",
        ],
      ],
      [
        "a source that was never read",
        () => `/sources/${ids.dead}`,
        ["no check has succeeded yet", "What went wrong", "Look whether the address is right"],
      ],
      [
        "a source without a change log, as no trouble",
        () => `/sources/${ids.quiet}`,
        [
          "Publishes no change log",
          "Where it was looked for",
          "publishes no ResourceSync documents",
        ],
      ],
      [
        "a source that waits",
        () => `/sources/${ids.waiting}`,
        ["Is being checked for the first time", 'http-equiv="refresh"', "Look now"],
      ],
      [
        "what it is",
        () => "/about",
        ["User-agent: rs-harvest", "Disallow: /", "keeper@example.org", "User-Agent: rs-harvest/"],
      ],
      ["nothing", () => "/nowhere", ["There is nothing here"]],
      ["no source", () => "/sources/999", ["There is nothing here", "not any more"]],
    ];
    test("who runs the service, where the operator says it", async () => {
      const about = (more: object) => new TestService(library, more).text("/about");
      expect(await about({})).toContain(
        'run by <a href="mailto:keeper@example.org">keeper@example.org</a>',
      );
      const unsaid = await about({ contact: undefined });
      expect(unsaid).not.toMatch(/run by|href="https:\/\/www\.npmjs\.com\/package\/rs-harvest/);
      expect(unsaid).toContain("User-Agent: rs-harvest/");
    });

    test("how many sites are followed at once, where nothing is followed", async () => {
      await using empty = await TestLibrary.start();
      const first = await new TestService(empty).text("/");
      expect(first).toContain('<a href="/import">import a list</a>');
      const settings = { access: { kind: "open", token: undefined } } as const;
      expect(await new TestService(empty, settings).text("/")).not.toContain("/import");
    });

    test.each(contains)("%s", async (_, path, texts) => {
      const page = await service.text(path());
      for (const text of texts) expect(page).toContain(text);
    });

    test("only a page that waits looks again by itself", async () => {
      for (const path of pages().filter((path) => path !== `/sources/${ids.waiting}`)) {
        expect(await service.text(path)).not.toContain('http-equiv="refresh"');
      }
    });
  });

  test("nothing that a source says becomes markup, and only its web addresses become links", async () => {
    await using hostile = await TestLibrary.start();
    const attack = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;\u202e`;
    const time = hostile.time - 3600;
    const change = (url: string): ListedChange => ({
      url,
      kind: "updated",
      datetime: time,
      title: attack,
      words: attack,
      isMinor: false,
    });
    const description = {
      title: attack,
      authors: [attack],
      summary: attack,
      language: `en"><b>`,
      rights: attack,
    };
    const id = await hostile.follow("https://evil.example/", {
      description,
      collections: [
        {
          path: "",
          description,
          changes: [
            change("javascript:alert(1)"),
            change("https://evil.example/a"),
            change("data:text/html,x"),
          ],
        },
        { path: `b"><i>/`, description, changes: [change(`https://evil.example/"onmouseover="x`)] },
      ],
    });
    await hostile.database
      .updateTable("source")
      .set({ notice: attack, problem: attack, problem_code: attack })
      .execute();
    const asked = new TestService(hostile);
    for (const path of ["/", "/sources", `/sources/${id}`, `/sources/${id}/unfollow`]) {
      const page = await asked.text(path);
      const elements = elementsOf(page);
      expect(elements.map(({ name }) => name)).not.toContain("script");
      expect(elements.map(({ name }) => name)).not.toContain("img");
      for (const { attributes } of elements) {
        expect(Object.keys(attributes).filter((key) => key.startsWith("on"))).toEqual([]);
        expect(attributes.href ?? "/").toMatch(/^(?:https?:\/\/|\/|#)/);
      }
      expect(page).not.toContain("\u202e");
    }
    expect(asked.problems).toEqual([]);
  });

  test("older changes are a page further on, each told once", async () => {
    await using many = await TestLibrary.start();
    const day = 86_400;
    const changes = Array.from(
      { length: 28 },
      (_, at): ListedChange => ({
        url: `https://many.example/${at}/`,
        kind: "created",
        datetime: many.time - at * day,
        title: `Page ${at}.`,
        isMinor: false,
      }),
    );
    await many.follow("https://many.example/", { collections: [{ path: "", changes }] });
    const asked = new TestService(many);
    const reported: string[] = [];
    let path: string | undefined = "/";
    while (path !== undefined) {
      const page: string = await asked.text(path);
      reported.push(...(page.match(/Page \d+\./g) ?? []));
      path = /href="(\/[^"]*\?before=[\d-]+)#changes"/.exec(page)?.[1];
    }
    expect(reported).toEqual(changes.map(({ title }) => title));
  });

  test("below the heading of a day no date is said again, and a note on all pages stands there once", async () => {
    await using old = await TestLibrary.start();
    const changes = ["a", "b", "c"].map(
      (name): ListedChange => ({
        url: `https://moss.example/${name}/`,
        kind: "updated",
        datetime: old.time - 10 * 86_400,
        words: "Names spelled anew",
        isMinor: false,
      }),
    );
    const id = await old.follow("https://moss.example/", { collections: [{ path: "", changes }] });
    const asked = new TestService(old);
    const first = await asked.text("/");
    expect(first.match(/\d+ [A-Z][a-z]+ 2026/g)).toHaveLength(1);
    for (const path of ["/", `/sources/${id}`, "/entries/1"]) {
      expect([path, (await asked.text(path)).match(/Names spelled anew/g)?.length]).toEqual([
        path,
        1,
      ]);
    }
  });

  test("sources are listed by name, whatever their hosts, in two lines each", async () => {
    await using some = await TestLibrary.start();
    const titles = ["Zinc", "apple", "", "Moss", "Élan"];
    for (const [at, title] of titles.entries()) {
      await some.follow(`https://h${at}.example/`, {
        description: { authors: [], title },
        collections: [],
      });
    }
    await rename(some.database, 1, "Orchard");
    const list = await new TestService(some).text("/sources");
    const shown = [...list.matchAll(/<h2 [^>]*><a [^>]*>([^<]*)/g)].map(([, name]) => name);
    expect(shown).toEqual(["apple", "h2.example", "Moss", "Orchard", "Élan"]);
    expect(list).not.toContain("Last checked");
  });

  test("a long list of sources is paged", async () => {
    await using many = await TestLibrary.start();
    for (let at = 0; at < 120; at += 1)
      await many.follow(`https://s${String(at).padStart(3, "0")}.example/`);
    const asked = new TestService(many);
    const seen: string[] = [];
    for (const page of [1, 2, 3]) {
      const text = await asked.text(`/sources?page=${page}`);
      expect(text).toContain(`Page ${page} of 3`);
      seen.push(
        ...[...text.matchAll(/<a href="\/sources\/\d+" lang="">(s\d+)/g)].map(
          ([, host = ""]) => host,
        ),
      );
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => `s${String(at).padStart(3, "0")}`));
    expect(await asked.text("/sources?page=99")).toContain("Page 3 of 3");
  });
});
