import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FETCH_LIMITS } from "../src/http/limits.ts";
import { RobotsMemory, respectRobots } from "../src/http/robots.ts";
import { allows, rulesIn } from "../src/http/robots-rules.ts";
import type { Transport } from "../src/http/transport.ts";
import { textOf } from "./support/answers.ts";
import type { Script } from "./support/scripted.ts";
import { SiteServer } from "./support/site-server.ts";
import { openTestTransport } from "./support/transport.ts";

const DAY = 86_400;

/** A site with a robots.txt, a document, and one who respects the former. */
async function openSite(robots: Script) {
  const server = await SiteServer.start();
  const transport = openTestTransport();
  const clock = { now: 1_000_000 };
  const polite = respectRobots(transport, { now: () => clock.now });
  const site = server.site("example.test").answer("/robots.txt", robots).answer("/doc", "here");
  return {
    server,
    site,
    clock,
    polite,
    ask: () => polite.get(site.urlOf("doc")).then(textOf),
    robotsRead: () => site.requests.filter(({ path }) => path === "/robots.txt").length,
    async [Symbol.asyncDispose]() {
      await transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("what a robots.txt says", () => {
  const ours = "User-agent: rs-harvest\n";
  test.each<[string, string | Uint8Array, boolean]>([
    ["nothing", "", true],
    ["nothing of it", "User-agent: *\nDisallow: /private/", true],
    ["nobody may", "User-agent: *\nDisallow: /", false],
    ["rs-harvest may not", `${ours}Disallow: /`, false],
    ["rs-harvest may not, in capitals", "USER-AGENT: RS-Harvest\nDISALLOW: /", false],
    ["rs-harvest of any version may not", "User-agent: rs-harvest/9.9\nDisallow: /", false],
    ["another may not", "User-agent: rs-emit\nDisallow: /", true],
    ["only rs-harvest may", `User-agent: *\nDisallow: /\n\n${ours}Disallow:`, true],
    ["nobody may but here", "User-agent: *\nDisallow: /\nAllow: /doc", true],
    ["the document alone not", `${ours}Disallow: /doc$`, false],
    ["no document whose name ends so", `${ours}Disallow: /*oc$`, false],
    ["two names share the rules", `User-agent: other\n${ours}Disallow: /`, false],
    ["with a mark of its encoding", `\ufeff${ours}Disallow: /`, false],
    ["in UTF-16, as its mark says", Buffer.from(`\ufeff${ours}Disallow: /`, "utf16le"), false],
    ["with the lines of old Macs", "User-agent: rs-harvest\rDisallow: /", false],
    ["a page in its place", "<!doctype html><p>User-agent: *", true],
  ])("%s", async (_, robots, isAllowed) => {
    await using site = await openSite(robots);
    if (isAllowed) expect(await site.ask()).toBe("here");
    else {
      await expect(site.ask()).rejects.toMatchObject({
        code: "OPTED_OUT",
        message: expect.stringContaining("The owner of example.test"),
      });
      expect(site.site.requests).toHaveLength(1);
    }
  });

  test("itself may always be read", async () => {
    await using site = await openSite("User-agent: *\nDisallow: /");
    const answer = await site.polite.get(site.site.urlOf("robots.txt"));
    expect(await textOf(answer)).toContain("Disallow");
  });

  test.each(["http://b.test:80/x", "https://b.test/x?y=z"])("of %s counts there", (url) => {
    expect(allows(rulesIn("User-agent: *\nDisallow: /x"), url)).toBe(false);
    expect(allows(rulesIn("User-agent: *\nDisallow: /y"), url)).toBe(true);
  });
});

/** Whether a robots.txt allows a path; its lines are parted by `;`. */
const isAllowed = (robots: string, path: string) =>
  allows(rulesIn(robots.replaceAll(/;\s*/g, "\n")), `https://example.test${path}`);

describe("RFC 9309", () => {
  const US = "User-agent: rs-harvest";
  const ALL = "User-agent: *";

  test.each<[string, string, boolean]>([
    // Section 2.2.1: which groups count.
    ["our group counts, whatever everybody's says", `${ALL}; Disallow: /; ${US}; Allow: /x`, true],
    ["a group without rules is one", `${ALL}; Disallow: /; ${US}`, true],
    ["all groups of a name are one", `${US}; Allow: /a; ${ALL}; ${US}; Disallow: /`, false],
    [
      "so are everybody's",
      `${ALL}; Allow: /a; User-agent: b; Allow: /; ${ALL}; Disallow: /`,
      false,
    ],
    ["a name in another is not it", "User-agent: rs-harvest-two; Disallow: /", true],
    ["nor is its beginning", "User-agent: rs; Disallow: /", true],
    ["a version behind it does not count", `${US} 0.1; Disallow: /`, false],
    ["nor a path to it", `${US}/0.1 (moss); Disallow: /`, false],
    ["nor a star", `${US}*; Disallow: /`, false],
    ["rules before any name are nobody's", `Disallow: /; ${ALL}; Allow: /a`, true],
    ["no name at all is nobody's", "User-agent:; Disallow: /", true],
    // Section 2.2.4: other records.
    ["a Sitemap ends no group", `${US}; Sitemap: /s.xml; User-agent: other; Disallow: /`, false],
    ["nor does an unknown record", `${ALL}; Crawl-delay: 9; User-agent: other; Disallow: /`, false],
    ["nor one between rules", `${US}; Allow: /a; Host: x; Disallow: /`, false],
    ["nor an empty line", `${US}; ; # moss; ; Disallow: /`, false],
    ["a rule does", `${US}; Disallow:; User-agent: other; Disallow: /`, true],
    [
      "lines that are none are passed over",
      `${US}; moss; : /; Disallow /; Disallow: / # all`,
      false,
    ],
  ])("groups: %s", (_, robots, expected) => {
    expect(isAllowed(robots, "/x")).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    // Section 2.2.2: the longest match decides, and of two the one that allows.
    ["Allow: /a/; Disallow: /a/b", "/a/b/c", false],
    ["Disallow: /a/; Allow: /a/b", "/a/b/c", true],
    ["Disallow: /a; Allow: /a", "/a", true],
    ["Allow: /a; Disallow: /a", "/a", true],
    ["Disallow: /a", "/A", true],
    ["Disallow: /a", "/b/a", true],
    ["Disallow: a", "/a", true],
    ["Disallow: /", "/robots.txt.bak", false],
    // Its table of percent-encoding.
    ["Disallow: /foo/bar?baz=quz", "/foo/bar?baz=quz", false],
    ["Disallow: /foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", false],
    ["Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", false],
    ["Disallow: /foo/bar/\u30c4", "/foo/bar/%E3%83%84", false],
    ["Disallow: /foo/bar/%e3%83%84", "/foo/bar/\u30c4", false],
    ["Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false],
    ["Disallow: /foo/bar/baz", "/foo/bar/%62%61%7a", false],
    ["Disallow: /a%2Fb", "/a/b", true],
    ["Disallow: /a/b", "/a%2fb", true],
    ["Disallow: /a%3Ab", "/a:b", false],
    ["Disallow: /a b", "/a%20b", false],
    ["Disallow: /%F0%9F%8C%BF", "/\u{1f33f}", false],
    ["Disallow: /a%0Ab", "/axb", true],
    // Section 2.2.3: special characters.
    ["Disallow: /*.gif$", "/a/b.gif", false],
    ["Disallow: /*.gif$", "/a/b.gif?c", true],
    ["Disallow: /this/*/exactly", "/this/path/exactly/so", false],
    ["Disallow: *.gif", "/a.gif", false],
    ["Disallow: /a*", "/a", false],
    ["Disallow: /a*$", "/ab", false],
    ["Disallow: /$", "/", false],
    ["Disallow: /$", "/a", true],
    ["Disallow: /a$b", "/a$b", false],
    ["Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-*.html", false],
    ["Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-b.html", true],
    ["Disallow: /path/foo-%24", "/path/foo-$", false],
    ["Disallow: /aba*aba$", "/aba", true],
  ])("rules: %s, at %s: allowed is %s", (rules, path, expected) => {
    expect(isAllowed(`${US}; ${rules}`, path)).toBe(expected);
  });

  test("section 5.1: an example of groups and of the longest match", () => {
    const robots =
      "User-Agent: *; Disallow: *.gif$; Disallow: /example/; Allow: /publications/;" +
      "User-Agent: foobot; Disallow:/; Allow:/example/page.html; Allow:/example/allowed.gif;" +
      "User-Agent: rs-harvest; User-Agent: bazbot; Disallow: /example/page.html;" +
      "User-Agent: quxbot";
    const paths = ["/example/page.html", "/example/", "/a.gif", "/publications/"];
    expect(paths.map((path) => isAllowed(robots, path))).toEqual([false, true, true, true]);
    const others = robots.replace("rs-harvest", "moss");
    expect(paths.map((path) => isAllowed(others, path))).toEqual([false, false, false, true]);
    // Section 5.2.
    const longest = "User-Agent: *; Allow: /example/page/; Disallow: /example/page/disallowed.gif";
    expect(isAllowed(longest, "/example/page/disallowed.gif")).toBe(false);
  });

  test("a pattern matches what its regular expression does", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 7 });
    fc.assert(
      fc.property(
        text,
        fc.boolean(),
        fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 9 }),
        (pattern, isWhole, path) => {
          const model = new RegExp(`^/${pattern.replaceAll("*", ".*")}${isWhole ? "$" : ""}`);
          const rule = `${US}; Disallow: /${pattern}${isWhole ? "$" : ""}`;
          expect(isAllowed(rule, `/${path}`)).toBe(!model.test(`/${path}`));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** More than is read, and then nothing for a long time. */
async function* endless(rules: string) {
  yield rules + "# padding\n".repeat(100_000);
  await pause(60_000, undefined, { ref: false });
}

describe("what answers in the place of robots.txt", () => {
  const rules = "User-agent: *\nDisallow: /doc\n";
  test.each<[string, Script, string]>([
    ["404", { status: 404 }, "allowed"],
    ["410", { status: 410 }, "allowed"],
    ["401", { status: 401 }, "allowed"],
    ["403", { status: 403, body: rules }, "allowed"],
    ["204", { status: 204 }, "allowed"],
    ["redirects in a circle", { status: 302, headers: { location: "/robots.txt" } }, "allowed"],
    ["a redirect to it", { status: 301, headers: { location: "/rules" } }, "OPTED_OUT"],
    [
      "a redirect to what may not be asked",
      { status: 301, headers: { location: "ftp://x/" } },
      "allowed",
    ],
    ["rules, and more than is read", rules + "# padding\n".repeat(100_000), "OPTED_OUT"],
    [
      "rules just past what is read",
      `${"#".repeat(FETCH_LIMITS.robotsBytes)}\n${rules}`,
      "allowed",
    ],
    ["rules without an end", { body: endless(rules) }, "OPTED_OUT"],
    ["rules after more than is read", "# padding\n".repeat(100_000) + rules, "allowed"],
    ["rules that break off", { body: `${rules}${"#".repeat(1000)}`, cut: 500 }, "OPTED_OUT"],
    [
      "compression that is broken",
      { headers: { "content-encoding": "gzip" }, body: "x" },
      "allowed",
    ],
    ["500", { status: 500 }, "STATUS"],
    ["502", { status: 502 }, "STATUS"],
    ["503", { status: 503, headers: { "retry-after": "60" } }, "BUSY"],
    ["429", { status: 429 }, "BUSY"],
    ["no answer", { raw: "" }, "UNREACHABLE"],
  ])("%s: %3$s", async (_, robots, expected) => {
    await using site = await openSite(robots);
    site.site.answer("/rules", rules);
    const outcome = await site.ask().catch(({ code }: { code: string }) => code);
    expect(outcome).toBe(expected === "allowed" ? "here" : expected);
    const asked = site.site.requests.some(({ path }) => path === "/doc");
    expect(asked).toBe(expected === "allowed");
  });

  test("an error counts no longer than it lasts", async () => {
    await using site = await openSite({ status: 500 });
    await expect(site.ask()).rejects.toMatchObject({ code: "STATUS" });
    site.site.answer("/robots.txt", { status: 404 });
    expect(await site.ask()).toBe("here");
  });
});

describe("how often it is read", () => {
  test("once a day", async () => {
    await using site = await openSite("User-agent: *\nDisallow: /elsewhere");
    for (const [passed, read] of [
      [0, 1],
      [1, 1],
      [DAY - 1, 1],
      [DAY, 2],
      [DAY + 1, 2],
    ] as const) {
      site.clock.now = 1_000_000 + passed;
      await site.ask();
      expect(site.robotsRead()).toBe(read);
    }
  });

  test("once for all who ask at the same time", async () => {
    await using site = await openSite({ body: "", delay: 20 });
    await Promise.all([site.ask(), site.ask(), site.ask()]);
    expect(site.robotsRead()).toBe(1);
  });

  test("once for each host that redirects lead to, which may say no", async () => {
    await using site = await openSite("");
    const other = site.server
      .site("other.test")
      .answer("/robots.txt", "User-agent: *\nDisallow: /")
      .answer("/doc", "not for us");
    site.site.answer("/doc", { status: 302, headers: { location: other.urlOf("doc") } });
    await expect(site.ask()).rejects.toMatchObject({ code: "OPTED_OUT", url: other.urlOf("doc") });
    expect(other.requests.map(({ path }) => path)).toEqual(["/robots.txt"]);
  });

  test("a permit of others is asked first, and counts as well", async () => {
    await using site = await openSite("");
    const refused = site.polite.get(site.site.urlOf("doc"), {}, () =>
      Promise.reject(new Error("not now")),
    );
    await expect(refused).rejects.toThrow("not now");
    expect(site.server.requests).toEqual([]);
  });

  test("never, where nothing is asked over the network", async () => {
    const folder: Transport = {
      get: async (url) => ({ status: "unchanged", url, permanentUrl: url }),
    };
    const answer = await respectRobots(folder).get("https://example.test/");
    expect(answer.status).toBe("unchanged");
  });
});

describe("what is remembered", () => {
  const memoryOf = (robotsMemory: number) =>
    new RobotsMemory(() => 0, { ...FETCH_LIMITS, robotsMemory });

  test("makes room for what is new: what was used longest ago goes first", () => {
    const memory = memoryOf(400);
    memory.remember("a", "A");
    memory.remember("b", "B");
    memory.remember("c", "C");
    expect(memory.recall("a")).toBe("A");
    memory.remember("d", "D");
    expect(["a", "b", "c", "d"].map((origin) => memory.recall(origin))).toEqual([
      "A",
      undefined,
      "C",
      "D",
    ]);
  });

  test("is nothing that has no room at all", () => {
    const memory = memoryOf(400);
    memory.remember("a", "A".repeat(400));
    expect(memory.recall("a")).toBeUndefined();
    memory.remember("b", "B");
    expect(memory.recall("b")).toBe("B");
  });

  test("is the newer text of the same origin", () => {
    const memory = memoryOf(400);
    for (let count = 0; count < 100; count += 1) memory.remember("a", String(count));
    expect(memory.recall("a")).toBe("99");
  });
});

/** What reading a robots.txt, and asking it about an address, takes of the processor, in seconds. */
function secondsFor(robots: string, url: string): number {
  const before = process.threadCpuUsage();
  allows(rulesIn(robots), url);
  return process.threadCpuUsage(before).user / 1e6;
}

test.each([
  ["many wildcards", `Disallow: /${"*a".repeat(250_000)}b`],
  ["many rules with a wildcard", `Disallow: /*${"a".repeat(2000)}b\n`.repeat(250)],
])("%s do not keep the harvester busy", (_, rules) => {
  const text = `User-agent: *\nDisallow: /*private\n${rules}\nDisallow: /other`;
  const address = `http://example.test/${"a".repeat(2000)}`;
  expect(secondsFor(text, address)).toBeLessThan(1);
  const known = rulesIn(text);
  expect(allows(known, address)).toBe(true);
  expect(allows(known, "http://example.test/my/private")).toBe(false);
  expect(allows(known, "http://example.test/other")).toBe(false);
});

test("rules below many names do not keep the harvester busy", () => {
  const names = Array.from({ length: 2000 }, (_, at) => `User-agent: a${at}\n`).join("");
  const rules = "Disallow: /a\n".repeat(16_000);
  expect(secondsFor(names + rules, "http://example.test/")).toBeLessThan(1);
  const same = "User-agent: rs-harvest\n".repeat(2000);
  expect(secondsFor(same + rules, "http://example.test/")).toBeLessThan(1);
});

test("wildcards do not keep the harvester busy where addresses are long", () => {
  const rules = `User-agent: *\nDisallow: ${"/*a".repeat(9000)}b\n`;
  expect(secondsFor(rules, `http://example.test/${"a/".repeat(3900)}`)).toBeLessThan(0.4);
});
