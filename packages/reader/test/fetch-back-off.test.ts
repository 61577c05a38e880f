import { describe, expect, test } from "vitest";
import { BackOff } from "../src/http/back-off.ts";
import { BusyError, MissingError, StatusError, UnreachableError } from "../src/http/errors.ts";
import { respectRobots } from "../src/http/robots.ts";
import type { Script } from "./support/scripted.ts";
import { SiteServer } from "./support/site-server.ts";
import { openTestTransport } from "./support/transport.ts";

const SITE = "https://example.org/";
const UNTIL = 1_800_000_600;

/** What a host does at one request, by letters. */
const FAILURES: Readonly<Record<string, Error>> = {
  b: new BusyError(SITE, 429, UNTIL),
  m: new MissingError(SITE),
  f: new StatusError(SITE, 500),
  u: new UnreachableError(SITE, "did not answer"),
};

describe("a host that is asked ten times", () => {
  test.each([
    ["", 10],
    ["b", 1],
    ["omfb", 4],
    ["uuu", 3],
    ["uuouuu", 6],
    ["uumuufuuu", 9],
    ["ufufufufuf", 10],
  ])("and does %j is asked %i times", async (script, expected) => {
    let asked = 0;
    const transport = new BackOff({
      get: async (url) => {
        const failure = FAILURES[script[asked++] ?? "o"];
        if (failure !== undefined) throw failure;
        return { status: "unchanged", url, permanentUrl: url };
      },
    });
    const outcomes: unknown[] = [];
    for (let count = 0; count < 10; count += 1) {
      const outcome = transport.get(`${SITE}${count}`);
      outcomes.push(await outcome.then(({ status }) => status).catch((error: unknown) => error));
    }
    expect(asked).toBe(expected);
    const last = FAILURES[script.at(-1) ?? "o"];
    for (const outcome of outcomes.slice(expected)) expect(outcome).toBe(last);
    expect([...transport.busy]).toEqual(script.endsWith("b") ? [["example.org", UNTIL]] : []);
  });
});

/** Two hosts, and one who asks them as a check does. */
async function openHosts() {
  const server = await SiteServer.start();
  const network = openTestTransport();
  const transport = new BackOff(respectRobots(network));
  return {
    one: server.site("one.test"),
    other: server.site("other.test"),
    codeAt: (url: string) =>
      transport.get(url).then(
        async (answer) => {
          if (answer.status === "fresh") await answer.discard();
          return "fresh";
        },
        ({ code }: { code: string }) => code,
      ),
    async [Symbol.asyncDispose]() {
      await network.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const BUSY: Script = { status: 503, headers: { "retry-after": "60" } };

test("a host that asks to wait is not asked by way of another one, which is still asked", async () => {
  await using hosts = await openHosts();
  const { one, other, codeAt } = hosts;
  one.answer("/there", { status: 302, headers: { location: other.urlOf("here") } });
  one.answer("/", "one");
  other.answer("/here", BUSY).answer("/", "other");
  expect(await codeAt(one.urlOf("there"))).toBe("BUSY");
  expect(await codeAt(one.urlOf("there"))).toBe("BUSY");
  expect(await codeAt(other.url)).toBe("BUSY");
  expect(await codeAt(one.url)).toBe("fresh");
  expect(other.requests.map(({ path }) => path)).toEqual(["/robots.txt", "/here"]);
});

test.each<[string, Script, string]>([
  ["asks to wait", BUSY, "BUSY"],
  ["fails", { status: 500 }, "STATUS"],
])(
  "a robots.txt that %s is asked for once, and nothing else of its host",
  async (_, answer, code) => {
    await using hosts = await openHosts();
    const { one, other, codeAt } = hosts;
    one.answer("*", "one").answer("/robots.txt", answer);
    // Its rules are another host's.
    other.answer("*", "other").answer("/robots.txt", {
      status: 301,
      headers: { location: one.urlOf("/robots.txt") },
    });
    for (const site of [other, one]) {
      for (let count = 0; count < 5; count += 1)
        expect(await codeAt(site.urlOf(`${count}`))).toBe(code);
    }
    expect([one, other].map(({ requests }) => requests.length)).toEqual([1, 1]);
  },
);
