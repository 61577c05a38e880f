import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  documentText,
  sourceDescription,
  type TestEntry,
} from "../../reader/test/support/documents.ts";
import { type Site, SiteServer } from "../../reader/test/support/site-server.ts";
import { filesIn, rsHarvest, Workshop } from "./support/command.ts";
import { sitemap } from "./support/sitemaps.ts";

const SEEN = "Seen by comparing lists, not reported by the author.";
const DAY = 86_400_000;

let workshop: Workshop;
let server: SiteServer;
let site: Site;
/** Everything that one follower's runs have in common. */
let out = "";
let data = "";
let time = 0;

beforeAll(async () => {
  workshop = new Workshop();
  server = await SiteServer.start();
});
afterAll(async () => {
  workshop?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  server.reset();
  site = server.site("127.0.0.1");
  out = join(workshop.folder(), "feeds");
  data = await workshop.memory();
  time = Date.UTC(2026, 9, 1);
});

/** A run of the command, a day after the last one. */
async function harvest(...options: readonly string[]) {
  server.requests.length = 0;
  const place = ["--out", out, "--data", data, "--allow-private"];
  const now = ["--now", new Date(time).toISOString()];
  time += DAY;
  const run = await rsHarvest(site.url, ...place, ...now, ...options);
  return { ...run, asked: server.requests.map(({ path }) => path) };
}

function publish(...pages: readonly string[]): void {
  site.answer("/sitemap.xml", sitemap(pages, site.url));
}

const everything = () => filesIn(out).get("all.atom") ?? "";
/** What the entries of a feed tell, without times. */
const contentsOf = (feed: string) =>
  [...feed.matchAll(/<content[^>]*>(.*?)<\/content>/gs)].map(([, html = ""]) =>
    html
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replace(/,? \(?(?:last modified )?<time.*?<\/time>\)?/g, "")
      .replace(/<\/h3>/g, ": ")
      .replace(/<\/li>\s*<li>/g, ", ")
      .replace(/<\/ul>/g, ". ")
      .replace(/\n|<[^>]+>/g, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
const reported = () => contentsOf(everything());
/** The feeds of the site and of what is compared. */
const ownFeeds = () =>
  [...filesIn(out)].flatMap(([path, text]) => (/(?<!^all)\.atom$/.test(path) ? [text] : []));

describe("rs-harvest --poll-sitemaps", () => {
  test("is offered where no Change List is found, and not where it was chosen", async () => {
    publish("a");
    const refused = await harvest();
    expect(refused.exit).toBe(1);
    expect(refused.stderr).toBe(
      `${site.url}  has no change log, and can be followed by its sitemap\n    To follow it by its sitemap: --poll-sitemaps\n`,
    );
    expect(JSON.parse((await harvest("--json")).stdout).sites[0].notes).toEqual([
      expect.stringContaining("--poll-sitemaps"),
    ]);
    const { exit, stdout, stderr } = await harvest("--poll-sitemaps");
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout).not.toContain("--poll-sitemaps");
    expect((await harvest()).stdout).not.toContain("--poll-sitemaps");
  });

  test("is not offered where a site has a feed alone: that is for the reader", async () => {
    const link = '<link rel="alternate" type="application/rss+xml" href="/rss.xml">';
    site.answer("/", `<!doctype html>${link}`);
    const advice = `needs no harvester: it has a feed of its own\n    Follow its feed in your reader: ${site.url}rss.xml\n`;
    for (const options of [[], ["--poll-sitemaps"], []]) {
      const { exit, stderr } = await harvest(...options);
      expect([exit, stderr]).toEqual([1, expect.stringContaining(advice)]);
      expect(stderr).not.toContain("--poll-sitemaps");
    }
  });

  test("says first what is watched, then what differs, and how that was seen", async () => {
    publish("a 09-01", "b 09-02", "c 09-03");
    const { stdout } = await harvest("--poll-sitemaps");
    const watched = `From now on this site is followed by its sitemap. 3 pages: ${site.url}sitemap.xml.`;
    expect(stdout).toContain(`${site.url}  nothing new\n    ${watched}\n    ${SEEN}\n`);
    expect(ownFeeds()).toHaveLength(2);
    for (const feed of ownFeeds()) {
      expect(contentsOf(feed)).toEqual([expect.stringContaining(watched)]);
      expect(feed).toMatch(
        /<title>From now on this site is followed by its sitemap(?: \([\d.:]+\))?<\/title>/,
      );
    }
    expect(reported()).toEqual([]);
    publish("a 09-30", "b 09-02", "c 09-03", "d 09-30");
    const second = await harvest("--json");
    expect(JSON.parse(second.stdout).sites).toEqual([
      {
        address: site.url,
        condition: "well",
        followedBy: "sitemap",
        changes: 2,
        reported: expect.arrayContaining([
          expect.objectContaining({ url: `${site.url}a` }),
          expect.objectContaining({ url: `${site.url}d` }),
        ]),
        redated: 0,
        feeds: [expect.any(String), expect.any(String)],
        seen: "by comparing lists, not reported by the author",
        notes: [SEEN],
      },
    ]);
    expect(reported()).toEqual([`New pages: d. Updated pages: a. ${SEEN}`]);
    for (const feed of ownFeeds()) {
      const contents = [...feed.matchAll(/<content .*?<\/content>/gs)].map(([text]) => text);
      expect(contents).toEqual([expect.stringContaining(SEEN), expect.stringContaining(SEEN)]);
    }
    const third = await harvest();
    expect(third.stdout).toContain("nothing new");
    expect(third.stdout).toContain("No feed differs");
  });

  test("is not needed again: the choice is remembered, and stays where the list fails", async () => {
    publish("a");
    await harvest("--poll-sitemaps");
    site.answer("/sitemap.xml", "<!doctype html><title>Down for repairs</title>");
    const { exit, stderr } = await harvest();
    expect(exit).toBe(1);
    expect(stderr).toBe(
      `${site.url}  ${site.url}sitemap.xml is a web page, not a list of pages.\n`,
    );
    publish("a", "b");
    expect((await harvest()).stdout).toContain("1 change\n");
  });

  test("says which dates are not believed", async () => {
    publish("a 09-01", "b 09-01", "c 09-01");
    const { stdout } = await harvest("--poll-sitemaps");
    expect(stdout).toContain("The dates in its list are not believed: all were equal.");
  });

  test("says that updates cannot be seen, and which dates cannot be read, in the line and in --json", async () => {
    publish("a", "b");
    const { stdout } = await harvest("--poll-sitemaps");
    expect(stdout).toContain("Updates cannot be seen: its list has neither dates nor hashes.");
    publish("a 1.9.2026", "b 2026-09-02 10:00:00");
    const { notes } = JSON.parse((await harvest("--json")).stdout).sites[0];
    expect(notes).toContain(
      "Updates of 1 page cannot be seen: the list has neither dates nor hashes for them.",
    );
    expect(notes).toContain(
      "1 date in its list cannot be read, or is not of this time, and is left out.",
    );
  });

  test("where a site has neither, says where a list was looked for", async () => {
    const { exit, stderr } = await harvest("--poll-sitemaps");
    expect(exit).toBe(1);
    for (const name of ["sitemap.xml", "sitemap_index.xml", "sitemap-index.xml"]) {
      expect(stderr).toContain(site.url + name);
    }
    expect(stderr).toContain("robots.txt names no sitemap");
  });

  test("names a list that is broken from the start, and one in plain text", async () => {
    site.answer("/sitemap.xml", "<urlset>\n<url><loc>/a?b&c</loc></url></urlset>");
    const broken = await harvest("--poll-sitemaps");
    expect(broken.stderr).toContain(`${site.url}sitemap.xml cannot be read: Line 2`);
    site.answer("/sitemap.xml", { status: 404 });
    site.answer("/robots.txt", `Sitemap: ${site.url}sitemap.txt`);
    site.answer("/sitemap.txt", `${site.url}a\n`);
    expect((await harvest()).stderr).toContain("robots.txt names no sitemap in XML");
  });
});

describe("rs-harvest --confirm-deletions", () => {
  test("is asked for where more than half of the pages are missing, and tells them", async () => {
    publish("a", "b", "c", "d");
    await harvest("--poll-sitemaps");
    publish("a");
    for (let day = 0; day < 3; day += 1) {
      const { stdout } = await harvest();
      expect(stdout).toContain("nothing new");
      expect(stdout).toContain("3 pages are missing from its list, more than half of all.");
      expect(stdout).toContain("If they are gone, run this again with --confirm-deletions.");
    }
    const { stdout } = await harvest("--confirm-deletions");
    expect(stdout).toContain("3 changes\n");
    expect(stdout).not.toContain("--confirm-deletions");
    expect(reported()[0]).toBe(`Pages that are gone: b, c, d. ${SEEN}`);
    expect((await harvest()).stdout).toContain("nothing new");
  });

  test("is asked for once: a day later what was confirmed is told without it", async () => {
    publish("a", "b", "c", "d");
    await harvest("--poll-sitemaps");
    publish("a");
    const { stdout } = await harvest("--confirm-deletions");
    expect(stdout).toContain("nothing new");
    expect(stdout).not.toContain("run this again with --confirm-deletions");
    expect((await harvest()).stdout).toContain("3 changes\n");
  });
});

describe("titles of compared sites", () => {
  const page = (title: string) => `<!doctype html><head><title>${title}</title></head><p>Moss</p>`;

  test("a site is called by its home page, and each page that is told by its own title, asked once", async () => {
    site.answer("/", page("Moss &amp; stones"));
    publish("a", "b 10-01");
    await harvest("--poll-sitemaps");
    site.answer("/c", page("Cushion\n mosses &amp; others")).answer("/d", { status: 500 });
    site.answer("/b", page("Shed")).answer("/", page("Moved"));
    publish("a", "b 10-02", "c", "d");
    const { asked } = await harvest();
    expect(asked.filter((path) => /^\/[a-d]$/.test(path)).sort()).toEqual(["/b", "/c", "/d"]);
    expect(reported()[0]).toBe(
      `New pages: Cushion mosses &amp;amp; others, d. Updated pages: Shed. ${SEEN}`,
    );
    const again = await harvest();
    expect(again.asked.filter((path) => /^\/[a-d]$/.test(path))).toEqual([]);
    const files = filesIn(out);
    expect(files.get("feeds.opml")).toContain('title="Moss &amp; stones"');
    expect(everything()).toContain("<name>Moss &amp; stones</name>");
    expect([...files.values()].join("\n")).not.toContain(">127.0.0.1");
  });

  test("a home page that cannot be read is asked again the next day", async () => {
    publish("a");
    await harvest("--poll-sitemaps");
    expect(filesIn(out).get("feeds.opml")).toContain('title="127.0.0.1');
    site.answer("/", page("Moss"));
    await harvest();
    expect(filesIn(out).get("feeds.opml")).toContain('title="Moss"');
    for (const feed of ownFeeds()) expect(feed).toContain("<title>Moss</title>");
  });

  test("asks for 20 in a check, one after another, and none that robots.txt forbids", async () => {
    publish("a");
    site.answer("/robots.txt", "User-agent: *\nDisallow: /private/\n");
    await harvest("--poll-sitemaps");
    let open = 0;
    let most = 0;
    site.answer("*", async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 2));
      open -= 1;
      return page("Moss");
    });
    const pages = Array.from({ length: 30 }, (_, at) => `new/${at}`);
    site.answer("/.well-known/resourcesync", { status: 404 });
    publish("a", "private/1", "private/2", ...pages);
    const strange = await harvest();
    expect(strange.stdout).toContain("Most of its list is new: 32 pages.");
    expect(strange.asked.filter((path) => path.startsWith("/new/"))).toEqual([]);
    const { asked, stdout } = await harvest();
    expect(stdout).toContain("32 changes");
    const requests = asked.filter((path) => path.startsWith("/new/"));
    expect(requests.length).toBeGreaterThanOrEqual(18);
    expect(requests.length).toBeLessThanOrEqual(20);
    expect(new Set(requests).size).toBe(requests.length);
    expect(asked.filter((path) => path.startsWith("/private/"))).toEqual([]);
    expect(most).toBe(1);
  });
});

describe("a ResourceSync source without Change List", () => {
  const HASH = { one: `sha-256:${"1".repeat(64)}`, two: `sha-256:${"2".repeat(64)}` };
  const entry = (loc: string, hash: string, lastmod?: string): TestEntry => ({
    loc,
    md: { hash },
    ...(lastmod === undefined ? {} : { lastmod }),
  });
  const list = (...entries: readonly TestEntry[]) =>
    site.answer(
      "/resourcelist.xml",
      documentText(
        "urlset",
        { capability: "resourcelist", at: "2026-10-01T00:00:00Z" },
        [["up", "/capabilitylist.xml"]],
        entries,
      ),
    );

  beforeEach(() => {
    site
      .answer("/.well-known/resourcesync", sourceDescription(["/capabilitylist.xml"]))
      .answer("/capabilitylist.xml", capabilityList({ resourcelist: "/resourcelist.xml" }));
  });

  test("is offered to be followed by its Resource List, where hashes decide", async () => {
    list(entry("/a", HASH.one, "2026-09-01T00:00:00Z"), entry("/b", HASH.one));
    const silent = await harvest();
    expect(silent.exit).toBe(1);
    expect(silent.stderr).toContain("To follow it by its sitemap: --poll-sitemaps");
    const { stdout } = await harvest("--poll-sitemaps");
    expect(stdout).toContain(`is followed by its sitemap. 2 pages: ${site.url}resourcelist.xml.`);
    // A date alone moves; a hash alone changes; a page is new.
    list(
      entry("/a", HASH.one, "2026-09-30T00:00:00Z"),
      entry("/b", HASH.two),
      entry("/c", HASH.one),
    );
    expect((await harvest()).stdout).toContain("2 changes\n");
    expect(reported()[0]).toBe(`New pages: c. Updated pages: b. ${SEEN}`);
    expect((await harvest()).stdout).toContain("nothing new");
  });
});

describe("a site that gets a Change List", () => {
  test("is followed by it from then on; nothing is told twice, and never in one feed", async () => {
    publish("a 09-01", "b 09-02", "c 09-03");
    await harvest("--poll-sitemaps");
    publish("a 10-01", "b 09-02", "c 09-03", "d 10-01");
    await harvest();
    expect(reported()[0]).toBe(`New pages: d. Updated pages: a. ${SEEN}`);
    const log = [
      "created a 2026-09-01T00:00:00Z",
      "created d 2026-10-01T12:00:00Z",
      "updated a 2026-10-01T12:00:00Z",
    ];
    const documents = (changes: readonly string[]) =>
      site
        .answer("/.well-known/resourcesync", sourceDescription(["/capabilitylist.xml"]))
        .answer("/capabilitylist.xml", capabilityList({ changelist: "/changelist.xml" }))
        .answer("/changelist.xml", changeList(changes));
    documents([...log, "updated b 2026-10-02T12:00:00Z"]);
    const before = filesIn(out);
    const { stdout, asked } = await harvest("--json", "--poll-sitemaps");
    expect(asked).not.toContain("/sitemap.xml");
    const [{ changes, seen }] = JSON.parse(stdout).sites;
    expect([changes, seen]).toEqual([1, undefined]);
    expect(reported()[0]).not.toContain(SEEN);
    // Each feed of a collection has either kind of entries.
    const feeds = [...filesIn(out)].filter(([path]) => /\/.*\.atom$/.test(path));
    expect(feeds).toHaveLength(2);
    for (const [path, feed] of feeds) {
      const entries = feed.match(/<entry>/g)?.length;
      const compared = contentsOf(feed).filter((text) => text.includes(SEEN)).length;
      expect([path, [0, entries]]).toEqual([path, expect.arrayContaining([compared])]);
      if (before.has(path)) expect(feed.match(/<entry>/g)).toHaveLength(2);
    }
    documents([...log, "updated b 2026-10-02T12:00:00Z", "deleted c 2026-10-04T00:00:00Z"]);
    await harvest();
    await harvest();
    const changesOf = (kind: string) => reported().filter((text) => text.includes(kind)).length;
    expect(["deleted", "updated", "New pages"].map(changesOf)).toEqual([1, 1, 1]);
  });
});
