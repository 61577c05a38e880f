import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { rounds } from "../../../test/thorough.ts";
import {
  capabilityList,
  changed,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { type Site, SiteServer } from "../../reader/test/support/site-server.ts";
import { memoryOf } from "../src/cli/options.ts";
import { readSiteList } from "../src/site-list.ts";
import { openSqlite } from "../src/store/open-store.ts";
import {
  CommandProcess,
  filesIn,
  rsHarvest,
  rsHarvestOnTerminal,
  Workshop,
} from "./support/command.ts";

const DAY = 86_400_000;
const START = Date.now();
const isRoot = process.getuid?.() === 0;

let workshop: Workshop;
let server: SiteServer;
/** A host of this machine; each test has a site in a folder of its own. */
let host: Site;

beforeAll(async () => {
  workshop = new Workshop();
  server = await SiteServer.start();
});
afterAll(async () => {
  workshop[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.reset();
  host = server.site("127.0.0.1");
});

/** So many days before the tests began. */
const ago = (days: number) => new Date(START - days * DAY).toISOString();

type Changes = Parameters<typeof changeList>[0];

/** The documents of a site in a folder of its host. */
function documents(folder: string, changes: Changes): Record<string, string> {
  return {
    [`${folder}.well-known/resourcesync`]: sourceDescription([`${folder}capabilitylist.xml`]),
    [`${folder}capabilitylist.xml`]: capabilityList({ changelist: "changelist.xml" }),
    [`${folder}changelist.xml`]: changeList(changes),
  };
}

/** Publishes a site below the host, and gives its address. */
function publish(folder = "/", changes: Changes = [`created a/ ${ago(1)}`]): string {
  for (const [path, text] of Object.entries(documents(folder, changes))) host.answer(path, text);
  return host.urlOf(folder);
}

/** What `--json` prints of each site. */
interface Reported {
  readonly sites?: readonly { readonly reported: readonly { readonly url: string }[] }[];
}

/** What a run needs, but for the sites. */
async function run(out = join(workshop.folder(), "feeds")) {
  const data = await workshop.memory();
  onTestFinished(() => rmSync(data, { recursive: true }));
  const options = ["--out", out, "--data", data, "--allow-private"];
  return { out, data, options };
}

describe("one shot", () => {
  test(
    "writes a feed of each collection, of each site and of everything, and says so",
    proves("I39", "I53"),
    async () => {
      const { out, options } = await run();
      const site = publish("/moss/", [`created a/ ${ago(2)}`, `created b/ ${ago(1)}`]);
      const { exit, stdout, stderr } = await rsHarvest(site, ...options);
      expect([exit, stderr]).toEqual([0, ""]);
      const paths = [...filesIn(out).keys()];
      expect(paths).toHaveLength(4);
      // One of the two is enough to follow.
      const [, source = ""] =
        /^.*\n {4}(.*)\n1 site is followed by its change log/.exec(stdout) ?? [];
      const collection = paths.find((path) => path.includes("/")) ?? "";
      expect(paths.sort()).toEqual(["all.atom", "feeds.opml", collection, source].sort());
      expect(stdout).toMatch(`${site}  2 changes\n`);
      expect(stdout).toMatch(`1 site is followed by its change log. 4 files written to ${out}.\n`);
      for (const path of [collection, source, "all.atom"]) {
        const feed = filesIn(out).get(path) ?? "";
        expect(feed).toContain(`${site}a/`);
        expect(feed.match(/<entry>/g)).toHaveLength(2);
      }
    },
  );

  test(
    "writes a feed for each of several collections, with its own changes",
    proves("I38"),
    async () => {
      const { out, options } = await run();
      const site = publish("/moss/");
      publish("/fern/", [`updated b/ ${ago(1)}`]);
      const lists = ["/moss/capabilitylist.xml", "/fern/capabilitylist.xml"];
      host.answer("/moss/.well-known/resourcesync", sourceDescription(lists));
      expect(await rsHarvest(site, ...options)).toMatchObject({ exit: 0, stderr: "" });
      const [moss, fern] = [site, host.urlOf("/fern/")];
      const reported = [...filesIn(out)]
        .filter(([path]) => path.endsWith(".atom"))
        .map(([, feed]) => [`${moss}a/`, `${fern}b/`].filter((url) => feed.includes(url)));
      // One of each collection, and those of the site and of everything.
      expect(reported.sort()).toEqual(
        [
          [`${moss}a/`],
          [`${fern}b/`],
          [`${moss}a/`, `${fern}b/`],
          [`${moss}a/`, `${fern}b/`],
        ].sort(),
      );
    },
  );

  test("says that a site has no Change List, and tells no changes", proves("I45"), async () => {
    const { out, options } = await run();
    const site = publish("/");
    host.answer("/capabilitylist.xml", capabilityList({ resourcelist: "resourcelist.xml" }));
    const { exit, stderr } = await rsHarvest(site, ...options);
    expect(exit).toBe(1);
    expect(stderr).toContain("has no change log, and can be followed by its sitemap");
    expect(filesIn(out).get("all.atom") ?? "").not.toContain("<entry>");
  });

  test(
    "a second time writes what is new, and where nothing is, nothing",
    proves("I1", "T33"),
    async () => {
      const { out, options } = await run();
      const past = [`created a/ ${ago(2)}`];
      const site = publish("/", past);
      await rsHarvest(site, ...options);
      const before = filesIn(out);
      const again = await rsHarvest(site, ...options);
      expect(again).toEqual({
        exit: 0,
        stderr: "",
        stdout: expect.stringMatching(
          new RegExp(
            `^${site}  nothing new${feedsOf(again.stdout)}\n1 site is followed by its change log\\. No feed differs\\.\n`,
          ),
        ),
      });
      expect(filesIn(out)).toEqual(before);
      publish("/", [...past, `updated a/ ${ago(0)}`]);
      const { stdout } = await rsHarvest(site, ...options);
      expect(stdout).toContain("1 change\n");
      expect(stdout).toContain("3 files written");
      expect(
        filesIn(out)
          .get("all.atom")
          ?.match(/<entry>/g),
      ).toHaveLength(2);
    },
  );

  const feedsOf = (stdout: string) => stdout.match(/(?:\n {4}.*)+/)?.[0] ?? "";

  test("goes on where a site cannot be read, and ends with status 1", async () => {
    const { out, options } = await run();
    const good = publish("/good/");
    const bad = host.urlOf("/bad/");
    const gone = "http://nowhere.invalid/";
    const { exit, stdout, stderr } = await rsHarvest(bad, good, gone, ...options);
    expect(exit).toBe(1);
    expect(stdout).toContain(`${good}  1 change`);
    expect(stdout).toContain("1 site publishes neither change log nor sitemap nor feed: ");
    expect(stdout).toContain(
      "1 site is followed by its change log; 1 site publishes neither change log nor sitemap nor feed; 1 site could not be read. 4 files written",
    );
    expect(stderr).toMatch(/^1 site: .*nowhere\.invalid\)\n$/);
    const all = await rsHarvest(bad, good, gone, ...options, "--verbose");
    expect(all.stdout).toMatch(
      /bad\/ {2}publishes neither change log .*\n {4}This site publishes no ResourceSync documents/,
    );
    expect(all.stderr).toContain(`${gone}  `);
    // It has no sitemap that could be compared.
    expect(all.stdout + all.stderr).not.toContain("--poll-sitemaps");
    expect(filesIn(out).get("all.atom")).toContain(`${good}a/`);
  });

  test.each([
    ["Change List", "changelist.xml"],
    ["Capability List", "capabilitylist.xml"],
  ])("says that a site was read in part where a %s of it is missing", async (_, missing) => {
    const { out, options } = await run();
    const good = publish("/good/");
    publish("/bad/");
    const lists = ["/good/capabilitylist.xml", "/bad/capabilitylist.xml"];
    host.answer("/.well-known/resourcesync", sourceDescription(lists));
    host.answer(`/bad/${missing}`, { status: 404 });
    const { exit, stdout, stderr } = await rsHarvest(host.url, ...options);
    expect(exit).toBe(1);
    expect(stdout).toContain("  1 change\n");
    expect(stdout).toContain("\n1 site is in trouble. 4 files written to ");
    expect(stderr).toContain(`/bad/${missing} (404)`);
    expect(filesIn(out).get("all.atom")).toContain(`${good}a/`);
    // So it is where nothing is new.
    const other = "http://nowhere.invalid/";
    const again = await rsHarvest(host.url, other, ...options);
    expect(again.stdout).toContain(
      "1 site is in trouble; 1 site could not be read. No feed differs.",
    );
  });

  test("tells all that for programs with --json", async () => {
    const { options } = await run();
    const good = publish("/good/");
    const bad = host.urlOf("/bad/");
    const { exit, stdout, stderr } = await rsHarvest(good, bad, ...options, "--json");
    expect([exit, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({
      sites: [
        {
          address: good,
          condition: "well",
          followedBy: "log",
          changes: 1,
          reported: [
            {
              url: `${good}a/`,
              change: "created",
              datetime: expect.stringMatching(/Z$/),
              collection: good,
            },
          ],
          redated: 0,
          notes: [],
          feeds: [expect.any(String), expect.any(String)],
        },
        {
          address: bad,
          condition: "has-nothing",
          changes: 0,
          reported: [],
          redated: 0,
          feeds: [],
          notes: [expect.stringContaining("publishes no ResourceSync documents")],
        },
      ],
      refused: [],
      feed: "all.atom",
      opml: "feeds.opml",
      written: 4,
      notes: [expect.stringContaining("--feeds-url")],
    });
  });

  test("goes on with --json from what was printed last, whatever ended a run before it had printed", async () => {
    const { out, options } = await run();
    const log: string[] = [];
    const reportAfter = async (change: string, ...more: readonly string[]) => {
      log.push(`${change} ${ago(10 - log.length)}`);
      const site = publish("/", log);
      const { stdout } = await rsHarvest(site, `${site}page.html`, ...options, ...more);
      if (!more.includes("--json")) return [];
      const { sites = [] }: Reported = JSON.parse(stdout);
      return sites.flatMap(({ reported }) => reported.map(({ url }) => url.replace(site, "")));
    };
    expect(await reportAfter("created a/", "--json")).toEqual(["a/"]);
    rmSync(join(out, "all.atom"));
    mkdirSync(join(out, "all.atom"));
    expect(await reportAfter("created b/", "--json")).toEqual([]);
    rmSync(join(out, "all.atom"), { recursive: true });
    expect(await reportAfter("created c/")).toEqual([]);
    expect(await reportAfter("created d/", "--json")).toEqual(["b/", "c/", "d/"]);
    expect(await reportAfter("created e/", "--json")).toEqual(["e/"]);
  });

  test("loses no change with --json that is killed at any instant, and prints those again only whose run was killed", async () => {
    const { options } = await run();
    const log: string[] = [];
    const printed = { whole: [] as string[], killed: new Set<string>() };
    const kills = rounds(5, 40);
    for (let kill = 0; kill <= kills; kill += 1) {
      for (let more = 0; more < 3; more += 1) log.push(`created p${log.length}/ ${ago(1)}`);
      const site = publish("/", log);
      // A check that was killed is tried later.
      const now = ["--now", ago(-60 * kill)];
      const process = new CommandProcess([site, ...options, ...now, "--json"]);
      if (kill < kills) {
        const last = host.requests.length + 1 + Math.floor(Math.random() * 4);
        const ended = process.end().then(() => true);
        while (host.requests.length < last && !(await Promise.race([ended, pause(1)])));
        await pause(Math.random() * 150);
        process.signal("SIGKILL");
      }
      const { stdout, signal } = await process.end();
      // A program reads no half of a JSON text.
      if (!stdout.endsWith("}\n")) continue;
      const { sites = [] }: Reported = JSON.parse(stdout);
      const urls = sites.flatMap(({ reported }) =>
        reported.map(({ url }) => url.replace(site, "")),
      );
      const known = urls.filter((url) => printed.whole.includes(url));
      expect(known.filter((url) => !printed.killed.has(url))).toEqual([]);
      printed.whole.push(...urls);
      printed.killed = new Set(signal === null ? [] : urls);
    }
    expect([...new Set(printed.whole)].sort()).toEqual(log.map((one) => one.split(" ")[1]).sort());
  });

  test("says each time that lists stand where changes must, as long as they do", async () => {
    const { options } = await run();
    const site = publish("/", ["- /changelist-1.xml"]);
    const words = "an index of lists a sitemapindex";
    for (let times = 0; times < 3; times += 1) {
      expect((await rsHarvest(site, ...options)).stdout).toContain(words);
    }
    publish("/");
    expect((await rsHarvest(site, ...options)).stdout).not.toContain(words);
  });

  test("says once that a log was re-dated, and of how many changes", async () => {
    const log = (days: number) => [
      ...Array.from({ length: 11 }, (_, at) => `created p${at}/ ${ago(days)}`),
      `updated p0/ ${ago(1)}`,
    ];
    for (const more of [[], ["--json"]]) {
      const { options } = await run();
      const site = publish("/", log(3));
      await rsHarvest(site, ...options);
      publish("/", log(2));
      const { stdout } = await rsHarvest(site, ...options, ...more);
      if (more.length === 0) expect(stdout).toMatch(/nothing new\n {4}On .*, 11 changes of .*\n/);
      else expect(JSON.parse(stdout).sites).toMatchObject([{ changes: 0, redated: 11 }]);
      expect((await rsHarvest(site, ...options)).stdout).not.toContain("11 changes");
    }
  });

  test("says nothing but errors with --quiet", async () => {
    const { options } = await run();
    const good = publish("/good/");
    expect(await rsHarvest(good, ...options, "--quiet")).toEqual({
      exit: 0,
      stdout: "",
      stderr: "",
    });
    const bad = host.urlOf("/bad/");
    expect(await rsHarvest(good, bad, ...options, "--quiet")).toEqual({
      exit: 0,
      stdout: "",
      stderr: "",
    });
    const failed = await rsHarvest(bad, ...options, "--quiet");
    expect(failed).toMatchObject({ exit: 1, stdout: "" });
    expect(failed.stderr).toMatch(/\/bad\/ {2}publishes neither /);
  });

  test("takes two addresses of one site as one", async () => {
    const { out, options } = await run();
    const site = publish();
    const { exit, stdout, stderr } = await rsHarvest(site, `${site}a/page.html`, ...options);
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(
      `${site}a/page.html  nothing new\n    It is the same site as ${site}, and followed with it.\n`,
    );
    expect(stdout).toContain("2 sites are followed by their change logs");
    expect(
      filesIn(out)
        .get("all.atom")
        ?.match(/<entry>/g),
    ).toHaveLength(1);
    // Known under its first address, it is read when only the other is given.
    publish("/", [`created a/ ${ago(1)}`, `created b/ ${ago(0)}`]);
    expect((await rsHarvest(`${site}b/page.html`, ...options)).stdout).toContain("1 change\n");
  });

  describe("of many sites, on a terminal", () => {
    const failing = ["/w/", "/x/", "/y/", "/z/"];

    /** Two sites with changes, one without, and four that publish nothing. */
    const publishMany = () => [
      publish("/words/", [
        changed(`updated b/ ${ago(1)}`, { "dcterms:title": "Moss" }),
        changed(`updated c/ ${ago(1)}`, { "dcterms:title": "Fern" }),
        changed(`created a/ ${ago(2)}`, { "dcterms:title": "Ice and water ".repeat(20) }),
      ]),
      publish("/wide/", [
        changed(`created a/ ${ago(1)}`, { "dcterms:title": "苔と石".repeat(20) }),
      ]),
      publish("/calm/", []),
      ...failing.map((path) => host.urlOf(path)),
    ];

    test("tells sites with changes by their best news, and failures by their cause", async () => {
      const { options } = await run();
      const { exit, stdout, stderr } = await rsHarvestOnTerminal(...publishMany(), ...options);
      expect(exit).toBe(0);
      const name = host.url.replace(/^http:\/\/(.*)\/$/, "$1");
      const lines = stripVTControlCharacters(stdout).split("\n");
      expect(lines[0]).toMatch(`${name}/words  3 changes  New: Ice and water Ice`);
      expect(lines[0]).toHaveLength(80);
      expect(lines[1]).toMatch(/\/wide {2}1 change {2}New: (?:苔と石)+/);
      expect(lines[1]?.length).toBeLessThan(70);
      const [w, x, y] = failing.map((path) => name + path.slice(0, -1));
      expect(lines.slice(2)).toEqual([
        `4 sites publish neither change log nor sitemap nor feed: ${w}, ${x}, ${y} and 1 more`,
        expect.stringMatching(
          /^3 sites are followed by their change logs; 4 sites publish neither .*\. \d+ files written to /,
        ),
        expect.stringContaining("--feeds-url"),
        "To be told of every site: --verbose",
        "",
      ]);
      expect(stderr).not.toContain("sites publish");
    });

    test("tells the author's words before a new page", async () => {
      const { options } = await run();
      const site = publish("/said/", [
        changed(`created b/ ${ago(2)}`, {
          "dcterms:title": "Fern",
          "dcterms:description": "The tide took the path.",
        }),
        changed(`created a/ ${ago(1)}`, { "dcterms:title": "Moss" }),
      ]);
      const { stdout } = await rsHarvestOnTerminal(site, ...publishMany(), ...options);
      expect(stripVTControlCharacters(stdout)).toMatch(/\/said {2}2 changes {2}.*The tide took/);
    });

    test("says what to follow in a reader: a site with a feed of its own needs no harvester", async () => {
      const { options } = await run();
      const page = '<link rel="alternate" type="application/atom+xml" href="atom.xml">';
      const sites = ["/f/", "/g/"].map((path) => {
        host.answer(path, page);
        return host.urlOf(path);
      });
      const words = "2 sites need no harvester: they have feeds of their own: ";
      const none = await rsHarvestOnTerminal(...sites, ...options);
      expect([none.exit, none.stdout.includes(words)]).toEqual([1, false]);
      expect(stripVTControlCharacters(none.stderr)).toContain(words);
      const some = await rsHarvestOnTerminal(...sites, publish("/log/"), ...options);
      expect(some.exit).toBe(0);
      expect(stripVTControlCharacters(some.stdout)).toContain(words);
      expect(some.stderr).not.toContain("no harvester");
      expect(some.stdout).not.toContain("--poll-sitemaps");
    });

    test("tells every site with --verbose; a pipe is told every site, and failures by their cause", async () => {
      const sites = publishMany();
      const { options } = await run();
      const piped = await rsHarvest(...sites, ...options);
      expect([piped.exit, piped.stderr]).toEqual([0, ""]);
      expect(piped.stdout).toMatch(/^4 sites publish neither change log .* and 1 more$/m);
      expect(piped.stdout).toContain("/calm/  nothing new\n    ");
      expect(piped.stdout).toContain("To be told why of each site: --verbose\n");
      const verbose = await rsHarvestOnTerminal(...sites, ...options, "--verbose");
      expect(verbose.stdout.match(/ publishes no ResourceSync /g)).toHaveLength(4);
      expect(stripVTControlCharacters(verbose.stdout)).toContain("/words/  nothing new\n    ");
      const quiet = await rsHarvestOnTerminal(...sites, ...options, "--quiet");
      expect([quiet.exit, quiet.stdout]).toEqual([0, ""]);
      expect(quiet.stderr).not.toContain("sites publish");
    });

    test("counts sites, changes and failures meanwhile, and nothing in a pipe", async () => {
      const { options } = await run();
      const good = [publish("/one/"), publish("/two/")];
      expect((await rsHarvest(...good, ...options)).stderr).toBe("");
      const again = await run();
      const shown = await rsHarvestOnTerminal(...publishMany(), ...again.options);
      expect(shown.stderr).toMatch(/Reading sites .* 7 of 7: 4 changes(?!,)/);
      expect(shown.stdout).not.toContain("Reading sites");
    });
  });

  test("minds what a site's owner says, and who asks says who it is", async () => {
    const { options } = await run();
    const site = publish();
    host.answer("/robots.txt", "User-agent: rs-harvest\nDisallow: /");
    const { exit, stderr } = await rsHarvest(site, ...options, "--contact", "me@example.org");
    expect(exit).toBe(1);
    expect(stderr).toContain("does not want it to be followed (robots.txt)");
    expect(host.requests[0]?.headers["user-agent"]).toMatch(
      /^rs-harvest\/\S+ \(\+mailto:me@example\.org\)$/,
    );
    const again = await run();
    const other = server.site("localhost");
    for (const [path, text] of Object.entries(documents("/", []))) other.answer(path, text);
    const both = await rsHarvest(site, other.url, ...again.options);
    expect([both.exit, both.stderr]).toEqual([0, ""]);
    const words = "1 site does not want to be followed";
    expect(both.stdout).toMatch(new RegExp(`^${words}: 127`, "m"));
    expect(both.stdout).toContain(`1 site is followed by its change log; ${words}. `);
  });

  test("counts pauses that a host asks for, and the age of robots.txt, from --now", async () => {
    const { options } = await run();
    const site = publish();
    const at = async (hours: number) => {
      const now = new Date(Date.UTC(2025, 0, 1) + hours * 3_600_000).toISOString();
      return (await rsHarvest(site, ...options, "--now", now)).stderr.replace(/^\S+ +/, "");
    };
    expect(await at(0)).toBe("");
    host.answer("/robots.txt", "User-agent: rs-harvest\nDisallow: /");
    expect(await at(23)).toBe("");
    expect(await at(25)).toContain("does not want it to be followed (robots.txt)");
    host.answer("/robots.txt", { status: 503, headers: { "retry-after": "7200" } });
    expect(await at(50)).toContain("asks to be left alone for a while (503)");
    expect(await at(51)).toContain("It is left alone until 2025-01-03 04:00 UTC");
    host.answer("/robots.txt", "");
    expect(await at(53)).toBe("");
  });

  test("does not ask private addresses, unless told to", async () => {
    const { out, data } = await run();
    const two = [publish("/moss/"), publish("/fern/")];
    const { exit, stderr } = await rsHarvest(...two, "--out", out, "--data", data);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^2 sites: not asked: .*\(--allow-private\) \(127\.0\.0\.1/);
    expect(host.requests).toEqual([]);
  });
});

test("nothing is written through a link that leads out of the folder of feeds", async () => {
  const { out, options } = await run();
  const site = publish("/moss/", [`created a/ ${ago(2)}`]);
  await rsHarvest(site, ...options);
  const [folder = ""] = [...filesIn(out).keys()].flatMap((path) => path.match(/^.*(?=\/)/) ?? []);
  const outside = workshop.folder();
  rmSync(join(out, folder), { recursive: true });
  symlinkSync(outside, join(out, folder));
  const { exit, stderr } = await rsHarvest(site, ...options);
  expect([exit, stderr]).toEqual([1, expect.stringContaining("a link leads out of the folder")]);
  expect(readdirSync(outside)).toEqual([]);
});

describe("a list of sites", () => {
  test.each<[string, (sites: readonly string[]) => string | Uint8Array]>([
    ["one a line", (sites) => `# mine\n\n${sites.join("\n")}\n${sites[0]}\n`],
    [
      "OPML",
      (sites) =>
        `<opml version="2.0"><body>${sites.map((site) => `<outline type="rss" xmlUrl="${site}feed" htmlUrl="${site}"/>`).join("")}</body></opml>`,
    ],
    ["UTF-16", (sites) => Buffer.from(`\uFEFF${sites.join("\r\n")}`, "utf16le")],
  ])("as %s", async (_, write) => {
    const { out, options } = await run();
    const sites = [publish("/one/"), publish("/two/")];
    const list = workshop.file(write(sites));
    const { exit, stdout } = await rsHarvest(
      "--list",
      list,
      ...options,
      "--feeds-url",
      "https://feeds.example/mine",
    );
    expect(exit).toBe(0);
    expect(stdout).toContain("2 sites are followed by their change logs");
    const opml = filesIn(out).get("feeds.opml") ?? "";
    expect(readSiteList(opml).sites.map(({ address }) => address)).toEqual(sites);
    expect(opml.match(/xmlUrl="https:\/\/feeds\.example\/mine\/[^"]*\.atom"/g)).toHaveLength(2);
    expect(filesIn(out).get("all.atom")).toMatch(
      /rel="self" [^>]*href="https:\/\/feeds\.example\/mine\/all\.atom"/,
    );
  });

  test("names the lines that are no addresses, and reads the others", async () => {
    const { options } = await run();
    const site = publish();
    const outlines = `<outline xmlUrl="${site}"/>\n<outline xmlUrl="ftp://a.example/"/>`;
    for (const list of [
      `${site}\nMy favourite site\n`,
      `<opml version="2.0"><body>${outlines}</body></opml>`,
    ]) {
      const file = workshop.file(list);
      const { exit, stdout, stderr } = await rsHarvest("--list", file, ...options);
      expect(exit).toBe(1);
      expect(stdout).toContain("1 site is followed by its change log");
      expect(stderr).toMatch(
        /^--list .*: Line 2 is no address: "(?:My favourite site|ftp:\/\/a\.example\/)"/,
      );
      const json = await rsHarvest("--list", file, ...options, "--json");
      expect(json.exit).toBe(1);
      expect(JSON.parse(json.stdout).refused).toMatchObject([
        { problem: expect.stringContaining("Line 2 is no address") },
      ]);
    }
  });

  test("says what its sites are called, and in which folders they are, at each run", async () => {
    const { out, options } = await run();
    const site = publish("/moss/");
    const read = async (name: string, folder: string) => {
      const outline = `<outline text="${name}" xmlUrl="${site}feed" htmlUrl="${site}"/>`;
      const list = `<opml version="2.0"><body><outline text="${folder}">${outline}</outline></body></opml>`;
      await rsHarvest("--list", workshop.file(list), ...options);
      const feeds = [...filesIn(out)].filter(([path]) => /^[^/]*\.atom$/.test(path));
      expect(feeds.map(([, feed]) => feed).join("")).toContain(`<title>${name}</title>`);
      expect(readSiteList(filesIn(out).get("feeds.opml") ?? "").sites).toEqual([
        { address: site, name, labels: [folder] },
      ]);
    };
    await read("My moss", "Green");
    await read("Moss", "Plants");
  });

  test("their names stand in entries and on the terminal, too, in place of host and port", async () => {
    const { out, options } = await run();
    const [moss, dead] = [publish("/moss/"), host.urlOf("/dead/")];
    const read = async (suffix: string, ...more: readonly string[]) => {
      const outlines = [moss, dead].map(
        (site, at) => `<outline text="${["Moss", "Fern"][at]}${suffix}" htmlUrl="${site}"/>`,
      );
      const list = workshop.file(`<opml version="2.0"><body>${outlines.join("")}</body></opml>`);
      return rsHarvestOnTerminal("--list", list, ...options, ...more);
    };
    for (const suffix of ["", " garden"]) {
      publish(
        "/moss/",
        [`created a/ ${ago(2)}`, `updated a/ ${ago(1)}`].slice(0, suffix === "" ? 1 : 2),
      );
      const { stdout } = await read(suffix);
      expect(stripVTControlCharacters(stdout)).toMatch(new RegExp(`^Moss${suffix}  1 change`));
      expect(stdout).toContain(
        `1 site publishes neither change log nor sitemap nor feed: Fern${suffix}\n`,
      );
      for (const [path, feed] of filesIn(out)) {
        if (!path.endsWith(".atom")) continue;
        expect([path, feed.match(/<(?:title|name)>[^<]*127\.0\.0\.1[^<]*/g)]).toEqual([path, null]);
        expect(feed).toContain(`Moss${suffix}`);
      }
    }
    const { stdout } = await read("", "--verbose");
    expect(stripVTControlCharacters(stdout)).toContain(`Moss  ${moss}  nothing new`);
  });

  test("may name one site by several addresses: the first name counts, and all folders", async () => {
    const { out, options } = await run();
    const site = publish("/ferns/");
    const folder = (label: string, name: string, htmlUrl: string) =>
      `<outline text="${label}"><outline text="${name}" htmlUrl="${htmlUrl}"/></outline>`;
    const [one, other] = [folder("a", "Ferns", site), folder("b", "More", `${site}a/page.html`)];
    const list = workshop.file(`<opml version="2.0"><body>${one}${other}</body></opml>`);
    for (let times = 0; times < 2; times += 1) {
      await rsHarvest("--list", list, ...options);
      expect(readSiteList(filesIn(out).get("feeds.opml") ?? "").sites).toEqual([
        { address: site, name: "Ferns", labels: ["a", "b"] },
      ]);
    }
  });
});

describe("feeds.opml", () => {
  const listed = (out: string) =>
    [...(filesIn(out).get("feeds.opml") ?? "").matchAll(/xmlUrl="([^"]*)"/g)].map(([, url]) => url);

  test("lists all feeds of the folder, whichever run wrote them, and no others", async () => {
    const { out, data, options } = await run();
    const [one, two] = [publish("/one/"), publish("/two/")];
    await rsHarvest(one, ...options);
    const [first] = listed(out);
    await rsHarvest(two, ...options);
    expect(listed(out)).toEqual([first, expect.any(String)]);
    const both = listed(out);
    // It was never read, and one of the others is away.
    host.answer("/two/.well-known/resourcesync", { status: 500 });
    expect((await rsHarvest(host.urlOf("/bad/"), two, ...options)).exit).toBe(0);
    expect(listed(out)).toEqual(both);
    const other = join(workshop.folder(), "other");
    await rsHarvest(two, "--out", other, "--data", data, "--allow-private");
    expect(listed(other)).toEqual(both.slice(1));
  });

  test("has addresses for feed readers only with --feeds-url, which is said without it", async () => {
    const { options } = await run();
    const site = publish("/moss/");
    const words = "Feed readers cannot import feeds.opml: its addresses are relative.";
    expect((await rsHarvest(site, ...options)).stdout).toContain(words);
    const placed = [...options, "--feeds-url", "https://feeds.example/"];
    expect((await rsHarvest(site, ...placed)).stdout).not.toContain(words);
    const { options: empty } = await run();
    expect((await rsHarvest(host.urlOf("/bad/"), ...empty)).stdout).not.toContain(words);
  });

  test("lists the sites of other built folders, too", async () => {
    const out = workshop.folder();
    const read = (name: string, ...more: string[]) => {
      const built = workshop.folder(documents("/", [`created a/ ${ago(1)}`]));
      return rsHarvest(built, "--url", `https://${name}.example/`, "--out", out, ...more);
    };
    await read("one");
    await read("two");
    await read("two");
    expect(listed(out)).toEqual(["one.example.atom", "two.example.atom"]);
    rmSync(join(out, "one.example.atom"));
    await read("three");
    expect(listed(out)).toEqual(["three.example.atom", "two.example.atom"]);
    const placed = ["--feeds-url", "https://feeds.example/"];
    for (const name of ["four", "five"]) await read(name, ...placed);
    expect(listed(out)).toEqual(["five", "four"].map((one) => `${placed[1]}${one}.example.atom`));
    writeFileSync(join(out, "feeds.opml"), "mine");
    expect(await read("one")).toMatchObject({ exit: 0 });
  });

  test("stays, as all feeds do, where a folder was read and holds nothing", async () => {
    const [out, url] = [workshop.folder(), ["--url", "https://example.org/"]];
    const built = workshop.folder(documents("/", [`created a/ ${ago(1)}`]));
    await rsHarvest(built, ...url, "--out", out);
    const before = filesIn(out);
    expect((await rsHarvest(workshop.folder(), ...url, "--out", out)).exit).toBe(1);
    expect(filesIn(out)).toEqual(before);
  });
});

describe("entries", () => {
  test.each([
    ["check", 1],
    ["day", 2],
    ["change", 3],
  ])("for each %s", async (mode, count) => {
    const { out, options } = await run();
    const site = publish("/", []);
    await rsHarvest(site, ...options, "--entries", mode);
    publish("/", [`created a/ ${ago(2)}`, `created b/ ${ago(1)}`, `updated b/ ${ago(1)}`]);
    await rsHarvest(site, ...options, "--entries", mode);
    expect(
      filesIn(out)
        .get("all.atom")
        ?.match(/<entry>/g),
    ).toHaveLength(count);
  });

  test("of minor changes when asked for", async () => {
    const { out, options } = await run();
    const site = publish("/", []);
    host.answer(
      "/changelist.xml",
      changeList([changed(`updated a/ ${ago(1)}`, { "wiki:importance": "minor" })]),
    );
    await rsHarvest(site, ...options);
    expect(filesIn(out).get("all.atom")).not.toContain("<entry>");
    const other = await run();
    await rsHarvest(site, ...other.options, "--minor");
    expect(filesIn(other.out).get("all.atom")).toContain("<entry>");
  });
});

describe("a built folder", () => {
  const NOW = ["--now", "2026-10-03T08:00:00Z"];
  const FILES = documents("/", [
    "created a/ 2026-09-30T12:00:00Z",
    "created b%C3%A9/ 2026-10-01T12:00:00Z",
  ]);

  test("is read instead of the network, and gives the same bytes at any time", async () => {
    const folder = workshop.folder(FILES);
    const [one, other] = [workshop.folder(), workshop.folder()];
    const url = ["--url", "https://example.org/"];
    const first = await rsHarvest(folder, ...url, "--out", one, ...NOW);
    expect([first.exit, first.stderr]).toEqual([0, ""]);
    expect([...filesIn(one).keys()]).toEqual([
      "all.atom",
      "example.org.atom",
      "example.org/index.atom",
      "feeds.opml",
    ]);
    expect(
      filesIn(one)
        .get("all.atom")
        ?.match(/<entry>/g),
    ).toHaveLength(2);
    await rsHarvest(folder, ...url, "--out", other, "--now", "2026-10-09T08:00:00Z");
    expect(filesIn(other)).toEqual(filesIn(one));
    expect(host.requests).toEqual([]);
  });

  test("is told anew each time, its archives as well", async () => {
    const begin = Date.parse("2026-09-01T06:00:00Z");
    const names = ["one", "two"];
    const built = (days: number) => {
      const times = Array.from({ length: days }, (_, at) => begin + at * DAY);
      const pages = times.map((time, at) => `p${at}/ ${new Date(time).toISOString()}`);
      const documents = names.flatMap((name) => [
        [
          `/${name}/capabilitylist.xml`,
          capabilityList({ changelist: "changelist.xml" }, [["describes", `/${name}/`]]),
        ],
        [`/${name}/changelist.xml`, changeList(pages.map((page) => `created /${name}/${page}`))],
      ]);
      const description = sourceDescription(names.map((name) => `/${name}/capabilitylist.xml`));
      return workshop.folder({
        "/.well-known/resourcesync": description,
        ...Object.fromEntries(documents),
      });
    };
    const run = async (days: number, out: string) => {
      const now = new Date(begin + days * DAY).toISOString();
      await rsHarvest(built(days), "--url", "https://example.org/", "--out", out, "--now", now);
    };
    const [often, once] = [workshop.folder(), workshop.folder()];
    await run(40, often);
    await run(60, often);
    await run(60, once);
    expect(Object.fromEntries(filesIn(often))).toMatchObject(Object.fromEntries(filesIn(once)));
    expect([...filesIn(once).values()].join("")).toContain("archive");
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      "that is empty",
      {},
      /holds no ResourceSync documents.*npx rs-emit .* --url https:\/\/example\.org\//,
    ],
    ["of pages alone", { "index.html": "<p>Moss" }, /holds no ResourceSync documents/],
    ["whose documents are broken", { ...FILES, "/changelist.xml": "<urlset" }, /changelist\.xml/],
    [
      "whose documents are another site's",
      {
        ...FILES,
        "/.well-known/resourcesync": sourceDescription([
          "https://other.example/capabilitylist.xml",
        ]),
      },
      /other\.example.*--other-hosts/,
    ],
  ])("%s is told of in plain words", async (_, files, words) => {
    const { options } = await run();
    const folder = workshop.folder(files);
    const url = ["--url", "https://example.org/"];
    const { exit, stderr } = await rsHarvest(folder, ...url, ...options);
    expect(exit).toBe(1);
    expect(stderr).toMatch(words);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("names of files", () => {
  test("are safe, whatever the addresses", async () => {
    const { out, options } = await run();
    const links = ["/../../etc/", "/CON/", "/a b/ö/", "/index/", "/%2e%2e/%2f/", "/x?y=/../z"];
    for (const [at, url] of links.entries()) {
      host.answer(
        `/${at}.xml`,
        capabilityList({ changelist: `/${at}-list.xml` }, [["describes", url]]),
      );
      host.answer(`/${at}-list.xml`, changeList([`created /${at}/ ${ago(1)}`]));
    }
    host.answer("/.well-known/resourcesync", sourceDescription(links.map((_, at) => `/${at}.xml`)));
    const { exit, stderr } = await rsHarvest(host.url, ...options);
    expect([exit, stderr]).toEqual([0, ""]);
    const paths = [...filesIn(out).keys()];
    expect(paths).toHaveLength(links.length + 3);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    for (const path of paths) expect(path).toMatch(/^[a-z0-9_.-]+(?:\/[a-z0-9_.-]+)?$/);
  });
});

describe("what cannot be done is said", () => {
  test("feeds where a file stands", async () => {
    const { out, options } = await run(workshop.file("not a folder"));
    const { exit, stderr } = await rsHarvest(publish(), ...options);
    expect(exit).toBe(1);
    expect(stderr).toContain(`${out} cannot be written`);
    expect(host.requests).toEqual([]);
  });

  test.skipIf(isRoot)("feeds where nobody may write", async () => {
    const { out, options } = await run(workshop.folder());
    chmodSync(out, 0o500);
    const { exit, stderr } = await rsHarvest(publish(), ...options);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("cannot be written")]);
  });

  test("a feed where a folder stands: the others are not lost, and nothing half written stays", async () => {
    const { out, options } = await run();
    mkdirSync(join(out, "all.atom"), { recursive: true });
    const site = publish();
    const { exit, stderr } = await rsHarvest(site, ...options);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("all.atom cannot be written")]);
    expect([...filesIn(out).keys()]).toEqual([]);
    const elsewhere = workshop.folder();
    const others = options.map((one) => (one === out ? elsewhere : one));
    expect((await rsHarvest(site, ...others)).stdout).toContain("nothing new");
    expect(
      filesIn(elsewhere)
        .get("all.atom")
        ?.match(/<entry>/g),
    ).toHaveLength(1);
  });

  test("a memory that another process has", async () => {
    const { data, options } = await run();
    const store = await openSqlite(data);
    const { exit, stderr } = await rsHarvest(publish(), ...options);
    await store.close();
    expect(exit).toBe(1);
    expect(stderr).toContain(`Another rs-harvest is at work in ${data}`);
    expect(stderr).toContain("--data");
  }, 20_000);

  test("a memory that is damaged", async () => {
    const { data, options } = await run();
    writeFileSync(join(data, "harvest.sqlite"), "This is no database.".repeat(1000));
    for (const name of ["-wal", "-shm"])
      rmSync(join(data, `harvest.sqlite${name}`), { force: true });
    const { exit, stderr } = await rsHarvest(publish(), ...options);
    expect([exit, stderr]).toEqual([
      1,
      expect.stringContaining(`The database in ${data} cannot be opened`),
    ]);
  });

  test.each(["127.0.0.1:1", "localhost:1", "nowhere.invalid"])(
    "a database server that is not there: %s",
    async (place) => {
      const out = workshop.folder();
      const database = `postgres://me:hunter2@${place}/harvest`;
      const { exit, stdout, stderr } = await rsHarvest(
        publish(),
        "--out",
        out,
        "--database",
        database,
      );
      expect([exit, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^rs-harvest: The database at .*\/harvest cannot be used: \S.*\.\n$/);
      expect(stderr).toContain(place.split(":")[0] ?? "");
      expect(stderr).not.toContain("hunter2");
    },
  );
});

describe("as it is installed", () => {
  const start = (...args: readonly string[]) => new CommandProcess(args);

  test("it writes the same feeds", async () => {
    const { out, options } = await run();
    const { exit, stderr } = await start(publish(), ...options).end();
    expect([exit, stderr]).toEqual([0, ""]);
    expect(filesIn(out).size).toBe(4);
  });

  test("it remembers beside the user's own state, for each folder of feeds", async () => {
    const state = workshop.folder();
    const out = join(workshop.folder(), "feeds");
    const memory = await workshop.memory(memoryOf(out, { XDG_STATE_HOME: state }));
    const args = [publish(), "--out", out, "--allow-private"];
    await new CommandProcess(args, { XDG_STATE_HOME: state }).end();
    const { stdout } = await new CommandProcess(args, { XDG_STATE_HOME: state }).end();
    expect(stdout).toContain("nothing new");
    expect(memory).toMatch(/\/rs-harvest\/[0-9a-f]{16}$/);
    expect(readdirSync(join(state, "rs-harvest"))).toHaveLength(1);
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "%s ends it: nothing is half written, and the next run goes on",
    async (signal) => {
      const { out, options } = await run();
      const site = publish();
      const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
      host.answer("/changelist.xml", () => {
        ask();
        return { body: changeList([]), delay: 20_000 };
      });
      const command = start(site, ...options);
      await isAsked;
      command.signal(signal);
      const ended = await command.end();
      expect(ended).toMatchObject({ exit: signal === "SIGINT" ? 130 : 143, stdout: "" });
      expect(ended.stderr).toMatch(/^rs-harvest: Stopped\. .*\n$/);
      expect([...filesIn(out).keys()]).toEqual([]);
      publish();
      const { exit, stdout } = await rsHarvest(site, ...options);
      expect([exit, stdout]).toEqual([0, expect.stringContaining("1 change")]);
    },
  );

  test("SIGKILL leaves nothing that keeps the next run from its sites", async () => {
    const { data, options } = await run();
    const site = publish();
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    host.answer("/changelist.xml", () => {
      ask();
      return { body: changeList([]), delay: 20_000 };
    });
    const command = start(site, ...options);
    await isAsked;
    command.signal("SIGKILL");
    await command.end();
    publish();
    const { exit, stdout, stderr } = await rsHarvest(site, ...options);
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("1 change");
    expect(existsSync(join(data, "harvest.sqlite"))).toBe(true);
  }, 20_000);
});
