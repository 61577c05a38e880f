import { describe, expect, test } from "vitest";
import { followRedirect, startChain } from "../src/http/client.ts";
import { fresh, textOf } from "./support/answers.ts";
import { SiteServer } from "./support/site-server.ts";
import { openTestTransport } from "./support/transport.ts";

describe("where redirects lead, and what of it may be remembered", () => {
  test.each<[string, readonly number[], string, string]>([
    ["none", [], "/0", "/0"],
    ["permanent", [301], "/1", "/1"],
    ["permanent, in the new way", [308], "/1", "/1"],
    ["temporary", [302], "/1", "/0"],
    ["see other", [303], "/1", "/0"],
    ["temporary, in the new way", [307], "/1", "/0"],
    ["permanent twice", [301, 308], "/2", "/2"],
    ["permanent, then temporary", [301, 302], "/2", "/1"],
    ["temporary, then permanent", [302, 301], "/2", "/0"],
    ["permanent, temporary, permanent", [308, 307, 301], "/3", "/1"],
    ["as many as are followed", [301, 301, 301, 301, 301], "/5", "/5"],
  ])("%s", async (_, statuses, url, permanentUrl) => {
    await using server = await SiteServer.start();
    await using transport = openTestTransport();
    const site = server.site("example.test");
    for (const [place, status] of statuses.entries()) {
      site.answer(`/${place}`, { status, headers: { location: `/${place + 1}` }, body: "moved" });
    }
    site.answer(`/${statuses.length}`, "here");
    const answer = await transport.get(site.urlOf("0"));
    expect(answer).toMatchObject({
      url: site.urlOf(url),
      permanentUrl: site.urlOf(permanentUrl),
    });
    expect(await textOf(answer)).toBe("here");
    expect(server.connections).toBe(1);
  });
});

test.each([
  ["https://a.test/x", "https://b.test/y", "https://b.test/y"],
  ["http://a.test/x", "https://a.test/x", "https://a.test/x"],
  ["http://a.test/x", "http://b.test/y", "http://b.test/y"],
  ["https://a.test/x", "http://a.test/x/", "https://a.test/x/"],
  ["https://a.test/x", "http://b.test:80/y", "https://b.test/y"],
])("%s → %s for good asks %s: https is kept", (from, to, url) => {
  expect(followRedirect(startChain(from), 301, to, 5)).toMatchObject({ url, permanentUrl: url });
});

test("from https to the same by http leads nowhere", () => {
  expect(() => followRedirect(startChain("https://a.test/x"), 301, "http://a.test/x", 5)).toThrow(
    "https://a.test/x redirects to itself by http, which is not asked: its address says https.",
  );
});

test.each([
  ["relative", "y?z", "https://a.test/dir/y?z"],
  ["of the host", "/y", "https://a.test/y"],
  ["of the scheme", "//b.test/y", "https://b.test/y"],
  ["with a fragment", "y#part", "https://a.test/dir/y"],
  ["not ASCII, in UTF-8", "/caf\u00c3\u00a9", "https://a.test/caf%C3%A9"],
  ["not ASCII, in Latin-1", "/caf\u00e9", "https://a.test/caf%C3%A9"],
])("an address may be %s", (_, location, url) => {
  expect(followRedirect(startChain("https://a.test/dir/x"), 302, location, 5).url).toBe(url);
});

describe("redirects that lead nowhere", () => {
  test.each([
    ["to itself", (place: number) => `/${place}`, "redirects to itself"],
    ["in a circle", (place: number) => `/${(place + 1) % 3}`, "redirects in a circle"],
    ["on and on", (place: number) => `/${place + 1}`, "comes after 5 redirects"],
    ["to no URL", () => "http://[", "redirects to something that is no URL"],
  ])("%s", async (_, next, problem) => {
    await using server = await SiteServer.start();
    await using transport = openTestTransport();
    const site = server.site("example.test").answer("*", ({ path }) => ({
      status: 301,
      headers: { location: next(Number(path.slice(1))) },
    }));
    await expect(transport.get(site.urlOf("0"))).rejects.toMatchObject({
      code: "REDIRECT",
      message: expect.stringContaining(problem),
    });
    expect(site.requests.length).toBeLessThanOrEqual(6);
  });
});

test("validators go along, and a document elsewhere may be unchanged", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport();
  const there = server.site("b.test").answer("/doc", "x");
  const here = server
    .site("a.test")
    .answer("/doc", { status: 301, headers: { location: there.urlOf("doc") } });
  const first = fresh(await transport.get(here.urlOf("doc")));
  await first.discard();
  expect(await transport.get(here.urlOf("doc"), first.validators)).toEqual({
    status: "unchanged",
    url: there.urlOf("doc"),
    permanentUrl: there.urlOf("doc"),
  });
});

test("every address on the way needs a guard", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport();
  const site = server
    .site("a.test")
    .answer("/0", { status: 302, headers: { location: "/1" } })
    .answer("/1", "x");
  const asked: string[] = [];
  const answer = await transport.get(site.urlOf("0"), {}, async (url) => {
    asked.push(url);
  });
  await textOf(answer);
  expect(asked).toEqual([site.urlOf("0"), site.urlOf("1")]);
});
