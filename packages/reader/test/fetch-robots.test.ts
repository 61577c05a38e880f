import { setTimeout as pause } from "node:timers/promises";
import { robotsSitemaps } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { FETCH_LIMITS } from "../src/http/fetch-limits.ts";
import { RobotsMemory, respectRobots } from "../src/http/robots.ts";
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

  test("itself may always be read, for its sitemaps", async () => {
    const named = "Sitemap: https://example.test/map.xml";
    await using site = await openSite(`User-agent: *\nDisallow: /\n${named}\n`);
    const answer = await site.polite.get(site.site.urlOf("robots.txt"));
    expect(await textOf(answer)).toBe(`-/\n${named}`);
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

  test("once, also where its sitemaps are looked for", async () => {
    await using site = await openSite(
      "Sitemap: https://a.example/s.xml\nUser-agent: *\nSitemap: b.xml # of Ida\nDisallow: /x\nSitemap:",
    );
    const read = async () => robotsSitemaps(await textOf(await site.polite.get(robots)));
    const robots = site.site.urlOf("/robots.txt");
    for (let times = 0; times < 2; times += 1) {
      expect(await read()).toEqual(["https://a.example/s.xml", site.site.urlOf("/b.xml")]);
      expect(await site.ask()).toBe("here");
    }
    expect(site.robotsRead()).toBe(1);
    site.clock.now += DAY;
    site.site.answer("/robots.txt", { status: 404 });
    expect(await read()).toEqual([]);
    expect(site.robotsRead()).toBe(2);
    await expect(
      site.polite.get(robots, {}, () => Promise.reject(new Error("not now"))),
    ).rejects.toThrow("not now");
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

  test("a guard of others is asked first, and counts as well", async () => {
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
