import { describe, expect, test } from "vitest";
import { fresh, textOf } from "./support/answers.ts";
import type { ScriptedAnswer } from "./support/scripted.ts";
import { SiteServer } from "./support/site-server.ts";
import { openTestTransport } from "./support/transport.ts";

const NOW = Date.UTC(2026, 10, 21) / 1000;
const DAY = 86_400;

/** What comes of asking a site for `/doc`, which answers so. */
async function ask(answer: ScriptedAnswer, validators = {}) {
  await using server = await SiteServer.start(() => NOW);
  await using transport = openTestTransport({ now: () => NOW });
  const site = server.site("example.test").answer("/doc", answer);
  return await transport.get(site.urlOf("doc"), validators).then(
    async (got) => ({
      status: got.status,
      ...(got.status === "fresh" ? { text: await textOf(got) } : {}),
    }),
    (error: unknown) => error,
  );
}

describe("a status", () => {
  test.each<[string, ScriptedAnswer, object]>([
    ["200", { body: "<urlset/>" }, { status: "fresh", text: "<urlset/>" }],
    ["200 without a body", { body: "" }, { status: "fresh", text: "" }],
    ["200 with HTML", { body: "<!doctype html>" }, { status: "fresh", text: "<!doctype html>" }],
    ["203", { status: 203, body: "x" }, { status: "fresh", text: "x" }],
    ["204", { status: 204 }, { code: "STATUS", status: 204 }],
    ["206, which nobody asked for", { status: 206, body: "x" }, { code: "STATUS", status: 206 }],
    ["300", { status: 300 }, { code: "STATUS", status: 300 }],
    ["301 without an address", { status: 301 }, { code: "STATUS", status: 301 }],
    ["304, which nobody asked for", { status: 304 }, { code: "STATUS", status: 304 }],
    ["401", { status: 401 }, { code: "STATUS", status: 401 }],
    ["403", { status: 403 }, { code: "STATUS", status: 403 }],
    ["404", { status: 404 }, { code: "MISSING" }],
    ["410", { status: 410 }, { code: "GONE" }],
    ["429", { status: 429 }, { code: "BUSY", until: undefined }],
    ["500", { status: 500, body: "oh" }, { code: "STATUS", status: 500 }],
    ["502", { status: 502 }, { code: "STATUS", status: 502 }],
    ["503", { status: 503 }, { code: "BUSY", until: undefined }],
  ])("%s", async (_, answer, expected) => {
    expect(await ask(answer)).toMatchObject(expected);
  });
});

describe("Retry-After", () => {
  test.each<[string, number | undefined]>([
    ["120", NOW + 120],
    ["0", NOW],
    ["99999999999999999999", NOW + DAY],
    ["Sat, 21 Nov 2026 01:00:00 GMT", NOW + 3600],
    ["Saturday, 21-Nov-26 01:00:00 GMT", NOW + 3600],
    ["Sat Nov 21 01:00:00 2026", NOW + 3600],
    ["Fri, 20 Nov 2026 01:00:00 GMT", NOW],
    ["Fri, 20 Nov 2099 01:00:00 GMT", NOW + DAY],
    ["-5", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["2026-11-21", undefined],
    ["", undefined],
  ])("%j", async (value, until) => {
    for (const status of [429, 503]) {
      const answer = { status, headers: { "retry-after": value } };
      expect(await ask(answer)).toMatchObject({ code: "BUSY", until });
    }
  });
});

const YESTERDAY = new Date((NOW - 86_400) * 1000).toUTCString();

describe("validators", () => {
  test("are sent back as they came, and bring 304", async () => {
    await using server = await SiteServer.start(() => NOW);
    await using transport = openTestTransport();
    const site = server
      .site("example.test")
      .answer("/doc", ({ headers }) =>
        headers["if-none-match"] === undefined
          ? { headers: { etag: 'W/"ä, b"', "last-modified": YESTERDAY }, body: "x" }
          : { status: 304 },
      );
    const first = fresh(await transport.get(site.urlOf("doc")));
    expect(await textOf(first)).toBe("x");
    expect(await transport.get(site.urlOf("doc"), first.validators)).toEqual({
      status: "unchanged",
      url: site.urlOf("doc"),
      permanentUrl: site.urlOf("doc"),
    });
    expect(site.requests[1]?.headers).toMatchObject({
      "if-none-match": 'W/"ä, b"',
      "if-modified-since": YESTERDAY,
    });
  });

  const TODAY = new Date(NOW * 1000).toUTCString();
  const TOMORROW = new Date((NOW + 86_400) * 1000).toUTCString();
  const UNIX = String(NOW - 86_400);

  test.each<[string, string | string[], string, string | undefined, string[]]>([
    ["as they should be", '"a"', YESTERDAY, TODAY, ["etag", "date"]],
    [
      "weak, with a date of another form",
      'W/""',
      "Wed Sep 30 00:00:00 2026",
      TODAY,
      ["etag", "date"],
    ],
    ["a tag that every document matches", "*", YESTERDAY, TODAY, ["date"]],
    ["a tag without quotes", "a1", YESTERDAY, TODAY, ["date"]],
    ["a tag with one quote", '"a', YESTERDAY, TODAY, ["date"]],
    ["a tag whose weakness is misspelled", 'w/"a"', YESTERDAY, TODAY, ["date"]],
    ["two tags", ['"a"', '"b"'], YESTERDAY, TODAY, ["date"]],
    ["no tag at all", "", YESTERDAY, TODAY, ["date"]],
    ["a date after the answer's", '"a"', TOMORROW, TODAY, ["etag"]],
    ["a date after ours, where the answer has none", '"a"', TOMORROW, undefined, ["etag"]],
    ["a date before the answer's, whose clock is ahead", '"a"', TODAY, TOMORROW, ["etag", "date"]],
    ["the second of the answer", '"a"', TODAY, TODAY, ["etag", "date"]],
    ["a word for a date", '"a"', "yesterday", TODAY, ["etag"]],
    ["a number for a date", '"a"', UNIX, TODAY, ["etag"]],
    ["neither", "*", TOMORROW, TODAY, []],
  ])("that are %s", async (_, etag, lastModified, date, sent) => {
    await using server = await SiteServer.start(() => NOW);
    await using transport = openTestTransport({ now: () => NOW });
    const headers = { etag, "last-modified": lastModified, date };
    const site = server.site("example.test").answer("/doc", { headers, body: "x" });
    const { validators, discard } = fresh(await transport.get(site.urlOf("doc")));
    await discard();
    await textOf(await transport.get(site.urlOf("doc"), validators));
    const { "if-none-match": tag, "if-modified-since": since } = site.requests[1]?.headers ?? {};
    expect([tag, since]).toEqual([
      sent.includes("etag") ? etag : undefined,
      sent.includes("date") ? lastModified : undefined,
    ]);
  });

  test("of a document that changed bring the new one", async () => {
    await using server = await SiteServer.start(() => NOW);
    await using transport = openTestTransport();
    const site = server.site("example.test").answer("/doc", "old");
    const first = fresh(await transport.get(site.urlOf("doc")));
    await first.discard();
    site.answer("/doc", "new");
    expect(await textOf(await transport.get(site.urlOf("doc"), first.validators))).toBe("new");
  });

  test.each([
    ['"a"', '"b"', ["", "a", ""]],
    ['"a"', 'W/"b"', ["", "a", ""]],
    ['"a"', 'W/"a"', ["", "a"]],
    ['"a-gzip"', '"a"', ["", "a-gzip"]],
    ['"a"', undefined, ["", "a"]],
  ])("%s that brings 304 with %s: asked with %j", async (etag, other, tags) => {
    await using server = await SiteServer.start(() => NOW);
    await using transport = openTestTransport();
    const site = server
      .site("example.test")
      .answer("/doc", ({ headers }) =>
        headers["if-none-match"] === undefined
          ? { headers: { etag, "last-modified": YESTERDAY }, body: "x" }
          : { status: 304, headers: { etag: other, "last-modified": undefined } },
      );
    const first = fresh(await transport.get(site.urlOf("doc")));
    await first.discard();
    const second = await transport.get(site.urlOf("doc"), first.validators);
    expect(second.status).toBe(tags.length === 3 ? "fresh" : "unchanged");
    if (second.status === "fresh") expect(await textOf(second)).toBe("x");
    const sent = site.requests.map(({ headers }) => [
      (headers["if-none-match"] ?? "").replaceAll('"', ""),
      headers["if-modified-since"],
    ]);
    expect(sent).toEqual(tags.map((tag) => [tag, tag === "" ? undefined : YESTERDAY]));
  });

  test("may be a date alone", async () => {
    await using server = await SiteServer.start(() => NOW);
    await using transport = openTestTransport();
    const site = server.site("example.test").answer("/doc", "x");
    const lastModified = new Date(NOW * 1000).toUTCString();
    expect(await transport.get(site.urlOf("doc"), { lastModified })).toMatchObject({
      status: "unchanged",
    });
  });
});

test("a request says who asks, and what it would like", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport({ contact: "mailto:someone@example.test" });
  const site = server.site("example.test").answer("/doc?a=%20b", "x");
  await textOf(await transport.get(`${site.urlOf("doc")}?a=%20b#part`));
  expect(site.requests).toMatchObject([
    {
      method: "GET",
      path: "/doc?a=%20b",
      headers: {
        accept: expect.stringMatching(/^application\/xml/),
        "accept-encoding": "gzip, br",
        "user-agent": expect.stringMatching(/^rs-harvest\/\S+ \(\+mailto:someone@example\.test\)$/),
      },
    },
  ]);
});

test("the header Link comes along, also from several lines", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport();
  const link = ['</a>; rel="resourcesync"', '</b>; rel="up"'];
  const site = server.site("example.test").answer("/", { headers: { link }, body: "x" });
  const answer = fresh(await transport.get(site.url));
  await answer.discard();
  expect(answer.link).toBe(link.join(", "));
});
