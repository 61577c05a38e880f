import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { FETCH_LIMITS } from "@rs-emit/reader";
import { URL_CHARACTERS } from "@rs-emit/reader/http/network-policy";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  capabilityList,
  changeList,
  resourceList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import type { Script } from "../../reader/test/support/scripted.ts";
import { type Site, SiteServer } from "../../reader/test/support/site-server.ts";
import { rsHarvest, Workshop } from "./support/command.ts";

const PACKAGES = join(import.meta.dirname, "../..");

let server: SiteServer;
let site: Site;
const workshop = new Workshop();
beforeAll(async () => {
  server = await SiteServer.start();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  workshop[Symbol.dispose]();
});
afterEach(() => vi.useRealTimers());
beforeEach(() => {
  server.reset();
  site = server
    .site("127.0.0.1")
    .answer("/.well-known/resourcesync", sourceDescription(["/capabilitylist.xml"]))
    .answer(
      "/capabilitylist.xml",
      capabilityList({ changelist: "/changelist.xml", resourcelist: "/resourcelist.xml" }),
    )
    .answer("/resourcelist.xml", resourceList(["a.html"], []))
    .answer("/a.html", "moss");
});

/** Each command that asks strangers by itself; the service asks with what the first one does. */
const COMMANDS: Readonly<Record<string, (site: string) => readonly string[]>> = {
  "one shot": (url) => [url, "--out", workshop.folder()],
  sync: (url) => ["sync", url, join(workshop.folder(), "copy")],
  check: (url) => ["check", url],
};

/** Lets time pass, without an answer. */
async function pass(seconds: number): Promise<never> {
  vi.advanceTimersByTime(seconds * 1000);
  return new Promise(() => {});
}

/** A document whose rest does not come. Read again by each command. */
function withPause(seconds: number): AsyncIterable<string> {
  return {
    async *[Symbol.asyncIterator]() {
      yield LIST.slice(0, LIST.indexOf("<url>"));
      for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate);
      yield pass(seconds);
    },
  };
}

const LIST = changeList(["created a.html 2026-10-01T12:00:00Z"]);

/** A document that passes a bound: what is answered at an address, and what every command says of it. */
const PASSED: Readonly<Record<string, [Readonly<Record<string, Script>>, RegExp]>> = {
  "bytes of a document": [
    {
      "/changelist.xml": { body: LIST, headers: { "content-length": `${FETCH_LIMITS.bytes + 1}` } },
    },
    /is larger than 64 MB/,
  ],
  "bytes of a document, decompressed": [
    {
      "/changelist.xml": {
        body: gzipSync(LIST.replace("<url>", `${`<x>${" ".repeat(999_993)}</x>`.repeat(65)}<url>`)),
        headers: { "content-encoding": "gzip" },
      },
    },
    /is larger than 64 MB/,
  ],
  headers: [
    {
      "/changelist.xml": {
        body: LIST,
        headers: { "x-moss": "m".repeat(FETCH_LIMITS.headerBytes) },
      },
    },
    /sends more headers than are read/,
  ],
  redirects: [
    {
      "/changelist.xml": { status: 302, headers: { location: "/1" } },
      ...Object.fromEntries(
        Array.from({ length: 6 }, (_, at) => [
          `/${at + 1}`,
          at === 5 ? LIST : { status: 302, headers: { location: `/${at + 2}` } },
        ]),
      ),
    },
    /comes after 5 redirects, and redirects again/,
  ],
  "characters of an address": [
    { "/changelist.xml": { status: 302, headers: { location: `/${"m".repeat(URL_CHARACTERS)}` } } },
    /is longer than 2048 characters/,
  ],
  "a document type": [
    { "/changelist.xml": LIST.replace("<urlset", "<!DOCTYPE urlset><urlset") },
    /document type|DOCTYPE/i,
  ],
  "elements within each other": [
    {
      "/changelist.xml": LIST.replace("<url>", `${"<x>".repeat(65)}${"</x>".repeat(65)}<url>`),
    },
    /64/,
  ],
  "a refusal by robots.txt": [
    { "/robots.txt": "User-agent: *\nDisallow: /changelist.xml\n", "/changelist.xml": LIST },
    /robots\.txt/,
  ],
};

describe.each(Object.entries(COMMANDS))(
  "the bounds of docs/threats.md hold for %s:",
  (_, argumentsFor) => {
    const run = (...more: readonly string[]) => rsHarvest(...argumentsFor(site.url), ...more);

    test.each(Object.entries(PASSED))("%s", async (__, [answers, words]) => {
      for (const [path, script] of Object.entries(answers)) site.answer(path, script);
      const { exit, stdout, stderr } = await run("--allow-private");
      expect([exit, stdout + stderr]).toEqual([1, expect.stringMatching(words)]);
    });

    test.each<[string, Script, number]>([
      ["seconds to the headers", () => pass(FETCH_LIMITS.secondsToHeaders), 20],
      ["seconds for a document", { body: withPause(FETCH_LIMITS.seconds) }, 60],
    ])("%s", async (__, script, seconds) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      site.answer("/changelist.xml", script);
      const { exit, stdout, stderr } = await run("--allow-private");
      const words = expect.stringContaining(`within ${seconds} seconds`);
      expect([exit, stdout + stderr]).toEqual([1, words]);
    });

    test("robots.txt, of which more is not read", async () => {
      const long = `${"# moss\n".repeat(FETCH_LIMITS.robotsBytes / 7 + 1)}User-agent: *\nDisallow: /\n`;
      site.answer("/robots.txt", long).answer("/changelist.xml", LIST);
      const { stdout, stderr } = await run("--allow-private");
      expect(stdout + stderr).not.toMatch(/robots/);
      expect(site.requests.map(({ path }) => path)).toContain("/changelist.xml");
    });

    test("private addresses", async () => {
      expect(await run()).toMatchObject({ exit: 1, stderr: expect.stringMatching(/private|port/) });
      expect(server.requests).toEqual([]);
    });
  },
);

test("nothing asks by other means than those that are bounded", () => {
  const files = readdirSync(PACKAGES, { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?:reader|harvester)\/src\/.*\.ts$/.test(file))
    .map((file) => [file, readFileSync(join(PACKAGES, file), "utf8")] as const)
    .sort();
  const asking = (pattern: RegExp) =>
    files.filter(([, text]) => pattern.test(text)).map(([file]) => file);
  expect(asking(/from "undici"|(?:await|return) fetch\(/)).toEqual([
    "reader/src/http/client.ts",
    "reader/src/http/exchange.ts",
    "reader/src/http/network-policy.ts",
  ]);
  expect(asking(/new Client\(/)).toEqual([
    "harvester/src/cli/check.ts",
    "reader/src/http/transport.ts",
  ]);
  // Files of a copy may be larger, and take longer.
  expect(asking(/openTransport\([^)]*limits/)).toEqual(["harvester/src/cli/sync.ts"]);
});
