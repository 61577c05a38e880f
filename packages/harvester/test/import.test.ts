import { MissingError } from "@rs-emit/reader";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readSiteList } from "../src/site-list.ts";
import { block } from "../src/store/host.ts";
import { openSqlite } from "../src/store/store.ts";
import { CommandProcess, rsHarvest, Workshop } from "./support/command.ts";
import { TestLibrary } from "./support/library.ts";
import { followSampleSites } from "./support/sample-sites.ts";
import { describeStores, type TestStore } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const OPML = `<?xml version="1.0"?>
<opml version="2.0"><head><title>Mine</title></head><body>
<outline text="Gardens">
<outline type="rss" text="Ferns" xmlUrl="https://ferns.example/feed.xml" htmlUrl="https://ferns.example/"/>
<outline type="rss" text="Moss" xmlUrl="https://moss.example/changes.atom"/>
</outline></body></opml>`;

describeStores("a list of sites, on $name", ({ open }) => {
  let opened: TestStore;
  let library: TestLibrary;
  let service: TestService;
  beforeAll(async () => {
    opened = await open();
    const get = (url: string) => Promise.reject(new MissingError(url));
    library = new TestLibrary(opened.store, { get });
    service = new TestService(library);
  });
  afterAll(() => opened[Symbol.asyncDispose]());
  beforeEach(() => library.forgetAll());

  const states = async () => {
    const rows = await library.database.selectFrom("source").select(["address", "state"]).execute();
    return Object.fromEntries(rows.map(({ address, state }) => [address, state]));
  };
  const importList = async (list: string) => {
    const answer = await service.ask("/import", { form: { list } });
    return [answer.status, await answer.text()] as const;
  };

  test("is followed, and what was followed before stays as it is", async () => {
    const paused = await library.follow("https://moss.example/", { collections: [] });
    await service.ask(`/sources/${paused}/pause`, { form: {} });
    await block(library.database, "bad.example");
    const [status, page] = await importList(
      "# Gardens\nferns.example  # green\nhttps://moss.example/\nhttps://bad.example/a\nlichen\nferns.example/\n",
    );
    expect(status).toBe(200);
    expect(page).toContain("1 site is followed now");
    expect(page).toContain("1 site was followed already");
    expect(page).toMatch(/2 addresses could not be followed.*Line 5 .*lichen.*bad\.example/s);
    // All of it, though HTML drops a first line end.
    expect(page).toMatch(
      /<textarea[^>]*aria-describedby="refused">\n# Gardens\nferns[^<]*ferns\.example\/\n</,
    );
    expect(await states()).toEqual({
      "ferns.example/": "followed",
      "https://moss.example/": "paused",
    });
    const { due_at } = await library.database
      .selectFrom("host")
      .select("due_at")
      .where("name", "=", "ferns.example")
      .executeTakeFirstOrThrow();
    expect(due_at).toBe(library.time);
  });

  test("may be an OPML file, and addresses beside it", async () => {
    const form = new FormData();
    form.set("list", "lichen.example");
    const exported = Buffer.from(`\uFEFF${OPML}`, "utf16le");
    form.set("file", new File([exported], "mine.opml", { type: "text/x-opml" }));
    const headers = { origin: "http://localhost:8480", "sec-fetch-site": "same-origin" };
    const request = { method: "POST", headers, body: form };
    const answer = await service.app.request("http://localhost:8480/import", request);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining("3 sites are followed now"),
    ]);
    expect(Object.keys(await states()).toSorted()).toEqual([
      "https://ferns.example/",
      "https://moss.example/changes.atom",
      "lichen.example/",
    ]);
  });

  test("is watched by its lists of pages, where that is chosen; paused ones are not checked", async () => {
    const paused = await library.follow("https://moss.example/", { collections: [] });
    await service.ask(`/sources/${paused}/pause`, { form: {} });
    await library.follow("https://lichen.example/", { collections: [] });
    const list = "ferns.example\nhttps://moss.example/\n";
    await service.ask("/import", { form: { list, lists: "watch" } });
    const sources = await library.database
      .selectFrom("source")
      .select(["host", "from_lists", "next_check"])
      .orderBy("host")
      .execute();
    expect(sources).toMatchObject([
      { host: "ferns.example", from_lists: 1, next_check: library.time },
      { host: "lichen.example", from_lists: 0 },
      { host: "moss.example", from_lists: 1, next_check: null },
    ]);
  });

  test.each([
    ["a line that is none", "https://a.example/ https://b.example/", "Line 1 is no address"],
    ["markup of another kind", "<html></html>", "This is no OPML file"],
  ])("%s is named, nothing is followed, and the form stays", async (_, list, problem) => {
    const answer = await service.ask("/import", { form: { list, lists: "watch" } });
    const [status, page] = [answer.status, await answer.text()];
    expect(status).toBe(400);
    expect(page).toContain(problem);
    expect(page).toMatch(/<textarea[^>]*aria-invalid="true"[^>]*>[^<]*(?:example|html)/);
    expect(page).toMatch(/name="lists"[^>]* checked>/);
    expect(await states()).toEqual({});
  });

  test("of very many sites is followed whole, and exported whole", async () => {
    const addresses = Array.from({ length: 2_500 }, (_, at) => `https://s${at}.example/`);
    const [, page] = await importList(addresses.join("\n"));
    expect(page).toContain("2,500 sites are followed now");
    const list = await service.text("/sources.txt");
    expect(readSiteList(list).addresses.toSorted()).toEqual(addresses.toSorted());
  });

  test("that was exported leads another harvester to the same sites", async () => {
    await followSampleSites(library);
    const list = await service.text("/sources.txt");
    expect(list).toContain("https://moss.example/  # Moss shrine\n");
    const before = Object.keys(await states()).toSorted();
    await library.forgetAll();
    await importList(list);
    expect(Object.keys(await states()).toSorted()).toEqual(before);
  });

  test("shows the sources in one state, and by a part of their names", async () => {
    const { pictures } = await followSampleSites(library);
    await service.ask(`/sources/${pictures}/pause`, { form: {} });
    const found = async (query: string) => {
      const page = await service.text(`/sources?${query}`);
      return [...page.matchAll(/<h2 [^>]*><a [^>]*>([^<]*)</g)].map(([, title]) => title);
    };
    expect(await found("state=paused")).toEqual(["Pictures &amp; letters"]);
    expect(await found("state=troubled")).toEqual(["broken.example"]);
    expect(await found("state=no-change-log")).toEqual(["quiet.example"]);
    expect(await found("state=not-read")).toEqual(["dead.example"]);
    expect(await found("state=waiting")).toEqual(["new.example"]);
    expect(await found("state=well")).toEqual(["Moss shrine"]);
    expect(await found("state=blocked")).toEqual([]);
    expect(await found("state=well&name=shr")).toEqual(["Moss shrine"]);
    expect(await found("state=paused&name=shr")).toEqual([]);
    expect(await found("state=nonsense")).toHaveLength(6);
    expect(await found("name=%25")).toEqual([]);
  });
});

describe("the commands", () => {
  const workshop = new Workshop();
  afterAll(() => workshop[Symbol.dispose]());

  test("import and export what the service follows", async () => {
    const data = await workshop.memory();
    const list = workshop.file(OPML);
    const first = await rsHarvest("import", list, "--data", data);
    expect(first).toEqual({
      exit: 0,
      stdout: "Followed now: 2. Followed already: 0.\n",
      stderr: "",
    });
    const again = await rsHarvest("import", list, "--data", data, "--json");
    expect(JSON.parse(again.stdout)).toEqual({ added: 0, known: 2, refused: [] });
    const watched = await rsHarvest("import", list, "--data", data, "--from-lists");
    expect(watched.stdout).toContain("\n2 not read yet: watched where they publish a sitemap");
    const store = await openSqlite(data);
    const rows = await store.database.selectFrom("source").select("from_lists").execute();
    await store.close();
    expect(rows).toEqual([{ from_lists: 1 }, { from_lists: 1 }]);
    const exported = await rsHarvest("export", "--data", data);
    expect(readSiteList(exported.stdout).addresses).toEqual([
      "https://ferns.example/",
      "https://moss.example/changes.atom",
    ]);
    const mixed = workshop.file("lichen.example\ntwo words\n");
    expect(await rsHarvest("import", mixed, "--data", data)).toEqual({
      exit: 1,
      stdout: "Followed now: 1. Followed already: 0.\n",
      stderr: expect.stringMatching(/^Line 2 is no address: "two words"\. .*\n$/),
    });
    const feeds = await rsHarvest("export", "--data", data, "--opml", "https://feeds.example/rs");
    expect(feeds.stdout).toContain('xmlUrl="https://feeds.example/rs/feeds/sources/1.atom"');
  });

  test("say where to go while the service is at work", async () => {
    const data = await workshop.memory();
    const service = new CommandProcess(["serve", "--data", data, "--port", "0"]);
    await service.says(/Open http/);
    const run = await rsHarvest("import", workshop.file("moss.example"), "--data", data);
    expect(run.exit).toBe(2);
    expect(run.stderr).toMatch(/The service is at work.*\/import/);
    service.signal("SIGTERM");
    expect(await service.end()).toMatchObject({ exit: 0 });
  });

  test.each([
    [["import"], /missing required argument/i],
    [["import", "nowhere.txt"], /nowhere\.txt cannot be read/],
    [["export", "--opml", "feeds.example"], /--opml needs a whole address/],
    [["export", "--data", "a", "--database", "postgres://x/y"], /two places for one memory/],
  ])("%j is wrong usage", async (args, words) => {
    const { exit, stderr } = await rsHarvest(...args);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});
