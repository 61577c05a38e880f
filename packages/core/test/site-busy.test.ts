import { describe, expect, test } from "vitest";
import { type Answer, serve, status } from "./support/server.ts";
import { logOf, TestSite, temporaryFolder } from "./support/site.ts";

/** A published site, and the next build of it. */
async function deployed() {
  const host = await serve(temporaryFolder());
  const live = new TestSite({ url: host.url }, {}, host.folder).page("index.html", "Home");
  await live.publish("2026-10-05T12:00:00Z", { first: true });
  const next = live.build({ previous: "site" }).page("index.html", "Home again");
  /** The first answers for the Change List Index; the file follows. */
  const answerFirst = (...answers: readonly Answer[]) => {
    const left = [...answers];
    const last = () => host.answers.delete("changelist.xml");
    host.answers.set("changelist.xml", (response, path) => {
      left.shift()?.(response, path);
      if (left.length === 0) last();
    });
  };
  const asked = () => host.requests.filter(({ path }) => path === "/changelist.xml").length;
  return { host, next, answerFirst, asked };
}

function busy(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => void response.writeHead(code, headers).end();
}

describe("a host that is busy", () => {
  test.each([429, 500, 502, 503, 504])("and answers %i is asked three times more", async (code) => {
    const { host, next, answerFirst, asked } = await deployed();
    answerFirst(status(code), status(code), status(code));
    await next.publish("2026-10-06T12:00:00Z");
    expect(asked()).toBe(4);
    expect(logOf(next.folder, host.url)).toHaveLength(2);
  });

  test("for longer stops the run", async () => {
    const { next, answerFirst, asked } = await deployed();
    answerFirst(status(503), status(503), status(503), status(503));
    await expect(next.run("2026-10-06T12:00:00Z")).rejects.toMatchObject({ code: "SITE_STATUS" });
    expect(asked()).toBe(4);
  });

  test.each([
    ["a date that is past", new Date(0).toUTCString()],
    ["what it is not", "soon"],
  ])("and says when by %s is asked again", async (_, when) => {
    const { next, answerFirst, asked } = await deployed();
    answerFirst(busy(503, { "retry-after": when }));
    await next.publish("2026-10-06T12:00:00Z");
    expect(asked()).toBe(2);
  });

  test.each([
    ["seconds", "61"],
    ["a date", new Date(Date.now() + 3_600_000).toUTCString()],
  ])("for longer than a minute, by %s, is not waited for", async (_, when) => {
    const { next, answerFirst, asked } = await deployed();
    answerFirst(busy(503, { "retry-after": when }));
    await expect(next.run("2026-10-06T12:00:00Z")).rejects.toMatchObject({ code: "SITE_STATUS" });
    expect(asked()).toBe(1);
  });

  test("is asked again once, where the author says that nothing was published", async () => {
    const { host, next } = await deployed();
    host.answers.set("*", status(503));
    await next.publish("2026-10-06T12:00:00Z", { first: true });
    const counts = new Map<string, number>();
    for (const { path } of host.requests) counts.set(path, (counts.get(path) ?? 0) + 1);
    expect([...counts.values()].filter((count) => count > 1)).toEqual([4]);
  });

  test.each([401, 403, 404])("is not one that answers %i", async (code) => {
    const { next, answerFirst, asked } = await deployed();
    answerFirst(status(code));
    await next.run("2026-10-06T12:00:00Z").catch(() => {});
    expect(asked()).toBe(1);
  });
});
