import { MissingError } from "@rs-emit/reader/http/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readSiteList } from "../src/site-list.ts";
import { followAll } from "../src/store/following/following.ts";
import { allLabels, labelsOf } from "../src/store/following/label.ts";
import { block } from "../src/store/host.ts";
import { openSqlite } from "../src/store/open-store.ts";
import { CommandProcess, rsHarvest, Workshop } from "./support/command.ts";
import { TestLibrary } from "./support/library.ts";
import { EXPORTS } from "./support/opml-exports.ts";
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
    const report = answer.headers.get("location");
    const page = report === null ? await answer.text() : await service.text(report);
    return [answer.status, page] as const;
  };
  /** What the headings of a page and the items below them say. */
  const itemsOf = (page: string) =>
    [...page.matchAll(/<h2[^>]*>(.*?)<\/h2>\s*<ul[^>]*>(.*?)<\/ul>/gs)].map(
      ([, heading, list = ""]) => [
        heading,
        list.split("</li>").flatMap((item) => item.replace(/<[^>]*>/g, "").trim() || []),
      ],
    );

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
    expect(answer.status).toBe(303);
    const report = await service.text(answer.headers.get("location") ?? "");
    expect(report).toContain("3 sites are followed now");
    expect(Object.keys(await states()).toSorted()).toEqual([
      "https://ferns.example/",
      "https://moss.example/changes.atom",
      "lichen.example/",
    ]);
  });

  test("is followed by its lists of pages, where that is chosen; paused ones are not checked", async () => {
    const paused = await library.follow("https://moss.example/", { collections: [] });
    await service.ask(`/sources/${paused}/pause`, { form: {} });
    await library.follow("https://lichen.example/", { collections: [] });
    const list = "ferns.example\nhttps://moss.example/\n";
    await service.ask("/import", { form: { list, lists: "poll" } });
    const sources = await library.database
      .selectFrom("source")
      .select(["host", "polls_sitemap", "next_check"])
      .orderBy("host")
      .execute();
    expect(sources).toMatchObject([
      { host: "ferns.example", polls_sitemap: 1, next_check: library.time },
      { host: "lichen.example", polls_sitemap: 0 },
      { host: "moss.example", polls_sitemap: 1, next_check: null },
    ]);
  });

  test.each([
    ["a line that is none", "https://a.example/ https://b.example/", "Line 1 is no address"],
    ["markup of another kind", "<html></html>", "This is no OPML file"],
  ])("%s is named, nothing is followed, and the form stays", async (_, list, problem) => {
    const answer = await service.ask("/import", { form: { list, lists: "poll" } });
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
    const listed = readSiteList(list).sites.map(({ address }) => address);
    expect(listed.toSorted()).toEqual(addresses.toSorted());
  });

  test.each(EXPORTS)(
    "of $reader keeps its names and folders, and gives them again",
    async ({ text, sites }) => {
      await importList(text);
      const labels = new Set(sites.flatMap(({ labels: own = [] }) => own));
      expect(await allLabels(library.database)).toEqual([...labels].toSorted());
      for (const label of labels) {
        const page = await service.text(`/sources?label=${encodeURIComponent(label)}`);
        for (const { address, name, labels: own } of sites) {
          const title = `>${name ?? new URL(address).host}`;
          expect([label, name, page.includes(title)]).toEqual([label, name, own?.includes(label)]);
        }
      }
      // None has a feed yet, and none is in a list of feeds.
      expect(await service.text("/feeds/followed.opml")).not.toContain("<outline");
      expect(await service.text("/import")).toContain(`${sites.length} sites have no feed yet`);
      const rows = await library.database.selectFrom("source").select("id").execute();
      for (const { id } of rows) {
        await library.check(id, {
          description: { title: "Its own title", authors: [] },
          collections: [{ path: "", changes: [] }],
        });
      }
      const again = readSiteList(await service.text("/feeds/followed.opml")).sites;
      expect(again.map(({ name }) => name).toSorted()).toEqual(
        sites.map(({ name = "Its own title" }) => name).toSorted(),
      );
      for (const { name, labels: own } of sites.filter((site) => site.name !== undefined)) {
        expect(again.find((site) => site.name === name)?.labels?.toSorted()).toEqual(
          own?.toSorted(),
        );
      }
    },
  );

  test("adds names and labels where there are none, and replaces nothing", async () => {
    const named = await library.follow("https://ferns.example/", { collections: [] });
    const nameless = await library.follow("https://moss.example/changes.atom");
    const mine = { name: "Mine", labels: "b\r\n a \n\nb" };
    await service.ask(`/sources/${named}/settings`, { form: mine });
    await importList(OPML);
    const page = await service.text("/sources");
    expect(page).toContain(">Mine</a>");
    expect(page).toContain(">Moss</a>");
    expect(await labelsOf(library.database, [named, nameless])).toEqual(
      new Map([
        [named, ["Gardens", "a", "b"]],
        [nameless, ["Gardens"]],
      ]),
    );
    await service.ask(`/sources/${nameless}/settings`, { form: { name: "", labels: "" } });
    await service.ask(`/sources/${named}/unfollow`, { form: {} });
    expect(await allLabels(library.database)).toEqual([]);
    expect(await service.text("/sources")).not.toContain(">Moss</a>");
  });

  test("keeps the labels that fit, however they come, and gives them again", async () => {
    const folder = (label: string) =>
      `<outline text="${label}" xmlUrl="" htmlUrl=""><outline text="Moss" htmlUrl="https://moss.example/"/></outline>`;
    const odd = ["x".repeat(2_000), "🌱".repeat(1_500), "&lt;b>, / &quot;'%_", "\u202eabc"];
    const names = [...odd, ...Array.from({ length: 30 }, (_, at) => `label ${at}`)];
    for (const name of names) await importList(`<opml><body>${folder(name)}</body></opml>`);
    const labels = await allLabels(library.database);
    expect(labels).toHaveLength(20);
    expect(labels.map(({ length }) => length).filter((length) => length > 100)).toEqual([]);
    expect(labels).toEqual(expect.arrayContaining(["<b>, / \"'%_", "abc"]));
    for (const label of labels) {
      const page = await service.text(`/sources?label=${encodeURIComponent(label)}`);
      expect([label, page.includes("1 site found")]).toEqual([label, true]);
      expect(page).not.toContain("<b>");
    }
    const { id } = await library.database
      .selectFrom("source")
      .select("id")
      .executeTakeFirstOrThrow();
    await library.check(id, { collections: [{ path: "", changes: [] }] });
    const [again] = readSiteList(await service.text("/feeds/followed.opml")).sites;
    expect(again?.labels?.toSorted()).toEqual(labels);
  });

  test("beside another one with the same sites: both are heard", async () => {
    const addresses = Array.from({ length: 600 }, (_, at) => `https://s${at}.example/`);
    const importAs = (label: string, order: readonly string[], pollSitemaps: boolean) => {
      const sites = order.map((address) => ({ address, labels: [label] }));
      return followAll(library.database, sites, library.time, pollSitemaps);
    };
    const done = await Promise.all([
      importAs("a", addresses, false),
      importAs("b", addresses.toReversed(), true),
    ]);
    expect(done.map(({ added, known }) => added + known)).toEqual([600, 600]);
    const rows = await library.database
      .selectFrom("source")
      .select(["id", "polls_sitemap"])
      .execute();
    const labels = await labelsOf(
      library.database,
      rows.map(({ id }) => id),
    );
    expect(new Set(rows.map((row) => row.polls_sitemap))).toEqual(new Set([1]));
    expect(new Set([...labels.values()].map(String))).toEqual(new Set(["a,b"]));
    expect(labels.size).toBe(600);
  });

  test("filters the first page, whose older and newer pages keep the label", async () => {
    const { shrine } = await followSampleSites(library);
    await service.ask(`/sources/${shrine}/settings`, { form: { labels: "Plants & more" } });
    const all = await service.text("/");
    const [, link = ""] = /<a href="([^"]*)" dir="auto">Plants &amp; more</.exec(all) ?? [];
    const some = await service.text(link.replaceAll("&amp;", "&"));
    expect(all).toContain("Pictures &amp; letters");
    expect(some).toContain("Moss shrine");
    expect(some).not.toContain("Pictures &amp; letters");
    expect(some).toMatch(/aria-current="true">Plants &amp; more/);
    const [, path = ""] = /<a class="feed" href="([^"]*)">Feed of this label</.exec(some) ?? [];
    expect(path).toBe("/feeds/labels/Plants%20%26%20more.atom");
    expect(some).toContain(`type="application/atom+xml" title="Plants &amp; more" href="${path}"`);
    const feed = await service.text(path);
    const everything = await service.text("/feeds/all.atom");
    const idsIn = (text: string) =>
      [...text.matchAll(/<entry>\s*<id>([^<]*)/g)].map(([, one]) => one);
    const inSite = idsIn(await service.text(`/feeds/sources/${shrine}.atom`));
    expect(idsIn(feed).toSorted()).toEqual(inSite.toSorted());
    expect(idsIn(everything).length).toBeGreaterThan(inSite.length);
    expect(feed).toContain("<title>Plants &amp; more</title>");
    const tag = (await service.ask(path)).headers.get("etag") ?? "";
    expect((await service.ask(path, { headers: { "if-none-match": tag } })).status).toBe(304);
    expect((await service.ask("/feeds/labels/nonsense.atom")).status).toBe(404);
    expect((await service.ask("/feeds/labels/%E0.atom")).status).toBe(404);
    const older = await service.text("/?label=Plants+%26+more&before=1-1");
    expect(older).toMatch(/href="\/\?label=Plants[^"]*#changes" rel="prev" accesskey="k"/);
    expect(await service.text("/?label=nonsense")).toContain("Pictures &amp; letters");
  });

  test("tells at the end what became of each site, by name", async () => {
    await followSampleSites(library);
    const known = ["moss", "quiet", "dead", "broken", "pictures"].map(
      (one) => `https://${one}.example/`,
    );
    library.time += 1;
    const [, page] = await importList(
      [...known, "https://new.example/", "more.example"].join("\n"),
    );
    expect(page).toContain("1 site is followed now. 6 sites were followed already.");
    expect(page).toContain("5 of 7 are checked so far");
    expect(page).toContain("Look again");
    expect(itemsOf(page)).toEqual([
      ["2 sites are followed by their change logs", ["Moss shrine", "Pictures &amp; letters"]],
      ["2 sites are still to be checked", ["more.example", "new.example"]],
      [expect.stringMatching(/^1 site /), ["quiet.example"]],
      ["1 site is in trouble", [expect.stringMatching(/^broken\S+: ./)]],
      ["1 site could not be read", [expect.stringMatching(/^dead\S+: ./)]],
    ]);
    await library.database
      .updateTable("source")
      .set({ condition: "has-feed", own_feed: "https://quiet.example/atom" })
      .where("host", "=", "quiet.example")
      .execute();
    library.time += 1;
    const [, later] = await importList(known.join("\n"));
    expect(later).not.toContain("Look again");
    expect(itemsOf(later)[1]).toEqual([
      "1 site needs no harvester: it has a feed of its own",
      ["quiet.example: its feed"],
    ]);
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
      const answer = await service.ask(`/sources?${query}`);
      expect(answer.status).toBe(200);
      const page = await answer.text();
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
    for (const odd of ["%00", "a%00b", "%ED%A0%80", "%FF", "%27%22%3E%3Cb%3E", "x".repeat(5_000)]) {
      expect([odd, await found(`name=${odd}`), await found(`label=${odd}`)]).toEqual([odd, [], []]);
    }
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
      stdout:
        "Followed now: 2. Followed already: 0.\n2 sites are still to be checked: Ferns, Moss\n",
      stderr: "",
    });
    const again = await rsHarvest("import", list, "--data", data, "--json");
    expect(JSON.parse(again.stdout)).toEqual({
      added: 0,
      known: 2,
      refused: [],
      standings: { waiting: 2 },
    });
    await rsHarvest("import", list, "--data", data, "--poll-sitemaps");
    const store = await openSqlite(data);
    const rows = await store.database.selectFrom("source").select("polls_sitemap").execute();
    await store.close();
    expect(rows).toEqual([{ polls_sitemap: 1 }, { polls_sitemap: 1 }]);
    const exported = await rsHarvest("export", "--data", data);
    expect(exported.stdout).toBe(
      "https://ferns.example/  # Ferns\nhttps://moss.example/changes.atom  # Moss\n",
    );
    const mixed = workshop.file("lichen.example\ntwo words\n");
    expect(await rsHarvest("import", mixed, "--data", data)).toEqual({
      exit: 1,
      stdout: expect.stringMatching(/^Followed now: 1\. Followed already: 0\.\n/),
      stderr: expect.stringMatching(/^Line 2 is no address: "two words"\. .*\n$/),
    });
    const feeds = await rsHarvest("export", "--data", data, "--opml", "https://feeds.example/rs");
    expect(feeds.stdout).not.toContain("<outline");
    expect(feeds.stderr).toBe(
      "3 sites: no feed yet, and not in this list (Ferns, Moss, lichen.example)\n",
    );
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
