import { describe, expect, test } from "vitest";
import {
  type Answer,
  bytes,
  hang,
  page,
  redirect,
  serve,
  status,
  type TestHost,
  truncated,
} from "./support/server.ts";
import { logOf, TestSite, temporaryFolder } from "./support/site.ts";

const SMALL = { siteLimits: { milliseconds: 300, bytes: 20_000 } };

/** How a host can fail to say whether something is published: the error, and what it says. */
const UNCLEAR: readonly (readonly [string, Answer, string, string | RegExp])[] = [
  ["answers 500", status(500), "SITE_STATUS", "answers 500"],
  ["answers 503", status(503), "SITE_STATUS", "answers 503"],
  ["answers 403", status(403), "SITE_STATUS", "answers 403"],
  ["answers 401", status(401), "SITE_STATUS", "answers 401"],
  ["answers 429", status(429), "SITE_STATUS", "answers 429"],
  ["answers 204", status(204), "SITE_STATUS", "answers 204"],
  ["does not answer", hang, "SITE_UNREACHABLE", "did not answer within 0.3 s"],
  ["hangs up in the middle", truncated, "SITE_UNREACHABLE", "could not be fetched"],
  ["redirects in a circle", redirect("?again"), "SITE_UNREACHABLE", "redirects in a circle"],
  [
    "redirects elsewhere",
    redirect("http://localhost:1/"),
    "SITE_UNREACHABLE",
    "another host, http://localhost",
  ],
  ["redirects to no address", redirect("http://"), "SITE_UNREACHABLE", "could not be fetched"],
  ["sends too much", bytes("x".repeat(30_000)), "SITE_UNREACHABLE", "larger than 20000 bytes"],
  ["answers everything with a web page", page, "SITE_CATCH_ALL", "as it does for addresses"],
  [
    "answers everything with text",
    bytes("Not found"),
    "SITE_CATCH_ALL",
    "as it does for addresses",
  ],
  ["answers everything with nothing", bytes(""), "SITE_CATCH_ALL", "as it does for addresses"],
];

describe.each(UNCLEAR)("a host that %s", (_, answer, code, words) => {
  test("stops a first publication, with nothing written", async () => {
    const { host, site } = await fresh();
    host.answers.set("*", answer);
    const before = site.files();
    const error = await site.run("2026-10-05T12:00:00Z").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(error).toMatchObject({ message: expect.stringContaining(host.url) });
    expect(error).toMatchObject({ cure: expect.stringContaining("the option first") });
    expect(error).toMatchObject({
      message: expect.stringContaining("rs-emit changed no page and no log."),
    });
    expect(site.files()).toEqual(before);
  });

  test("is no obstacle for an author who says that nothing was published", async () => {
    const { host, site } = await fresh();
    host.answers.set("*", answer);
    const result = await site.publish("2026-10-05T12:00:00Z", { first: true });
    expect(result).toMatchObject({ first: true });
  });

  test("has the author asked, once", async () => {
    const { host, site } = await fresh();
    host.answers.set("*", answer);
    const asked: string[] = [];
    const confirmFirst = async (why: string) => asked.push(why) > 0;
    const result = await site.publish("2026-10-05T12:00:00Z", {}, { confirmFirst });
    expect(result).toMatchObject({ first: true });
    expect(asked).toEqual([expect.stringMatching(words)]);
  });

  test("stops a continuation, whatever the author says", async () => {
    const { host, next } = await continued();
    const document = code === "SITE_CATCH_ALL" ? "resourcelist.xml" : "changelist.xml";
    host.answers.set(document, answer);
    const before = next.files();
    const stop = code === "SITE_CATCH_ALL" ? "DAMAGED_DOCUMENT" : code;
    const run = next.run("2026-11-20T12:00:00Z", { first: true });
    await expect(run).rejects.toMatchObject({ code: stop });
    expect(next.files()).toEqual(before);
  });
});

test("a host that refuses connections stops the run", async () => {
  const { host, site } = await fresh();
  await host.close();
  const run = site.run("2026-10-05T12:00:00Z");
  await expect(run).rejects.toMatchObject({ code: "SITE_UNREACHABLE" });
});

test("an author who does not confirm stops the run", async () => {
  const { host, site } = await fresh();
  host.answers.set("*", status(500));
  const run = site.run("2026-10-05T12:00:00Z", {}, { confirmFirst: async () => false });
  await expect(run).rejects.toMatchObject({ code: "SITE_STATUS" });
});

test.each([404, 410])("%i for everything is clear: nobody is asked", async (code) => {
  const { host, site } = await fresh();
  host.answers.set("*", status(code));
  const result = await site.publish("2026-10-05T12:00:00Z", {}, { confirmFirst: nobody });
  expect(result).toMatchObject({ first: true });
});

test("damage is clear: nobody is asked", async () => {
  const { host, next } = await continued();
  host.answers.set("changelist.xml", bytes("damaged"));
  const run = next.run("2026-11-20T12:00:00Z", {}, { confirmFirst: nobody });
  await expect(run).rejects.toMatchObject({ code: "DAMAGED_DOCUMENT" });
});

test.each([
  ["resourcelist.xml", "LOST_DESCRIPTION"],
  ["changelist.xml", "LOST_DESCRIPTION"],
  ["capabilitylist.xml", "LOST_LOG"],
])(
  "without its Source Description, %s alone shows that the site was published",
  async (document, code) => {
    const { host, live, next } = await continued();
    host.answers.set("*", status(404)).set(document, bytes(live.read(document)));
    const run = next.run("2026-11-20T12:00:00Z", { first: true }, { confirmFirst: nobody });
    await expect(run).rejects.toMatchObject({ code });
  },
);

test("documents that someone else published there stop the run, unless they may be replaced", async () => {
  const { host, site } = await fresh();
  host.answers.set("changelist.xml", bytes("<changes/>")).set("resourcelist.xml", bytes("<all/>"));
  const run = site.run("2026-10-05T12:00:00Z", {}, { confirmFirst: nobody });
  const files = ["resourcelist.xml", "changelist.xml"];
  await expect(run).rejects.toMatchObject({ code: "FOREIGN_FILE", about: files[0] });
  expect(await site.publish("2026-10-05T12:00:00Z", { force: true })).toMatchObject({
    first: true,
  });
});

test("the option first has no effect on a site that was published, and is told so", async () => {
  const { host, next } = await continued();
  const { first, notes } = await next.publish("2026-11-20T12:00:00Z", { first: true });
  expect(first).toBe(false);
  expect(notes.map(({ code }) => code)).toContain("FIRST_IGNORED");
  expect(logOf(next.folder, host.url).at(-1)).toBe("2026-11-20T12:00:00Z updated /");
});

async function nobody(): Promise<boolean> {
  throw new Error("nobody is to be asked");
}

async function fresh(): Promise<{ host: TestHost; site: TestSite }> {
  const host = await serve(temporaryFolder());
  const site = new TestSite({ url: host.url, previous: "site" }, SMALL).page("index.html", "Home");
  return { host, site };
}

/** A healthy publication, and an edit that is not published yet. */
async function continued(): Promise<{ host: TestHost; live: TestSite; next: TestSite }> {
  const host = await serve(temporaryFolder());
  const live = new TestSite({ url: host.url }, SMALL, host.folder).page("index.html", "Home");
  await live.publish("2026-10-05T12:00:00Z", { first: true });
  return { host, live, next: live.build({ previous: "site" }).page("index.html", "Home again") };
}
