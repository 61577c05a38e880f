import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { EmitError } from "../src/model/errors.ts";
import { type Answer, bytes, serve, status, type TestHost } from "./support/server.ts";
import { logOf, TestSite, temporaryFolder } from "./support/site.ts";

const DESCRIPTION = ".well-known/resourcesync";
const INDEX = "changelist.xml";
const SNAPSHOT = "resourcelist.xml";
const OCTOBER = "changelist/2026-10.xml";
const NOVEMBER = "changelist/2026-11.xml";

/**
 * The site has three publications; the third closed October's list and began November's. A cache, or
 * a deploy that was cut short, still has these documents of the second.
 */
const STOPPED: readonly (readonly [readonly string[], string, string])[] = [
  [[INDEX], "SNAPSHOT_AHEAD", INDEX],
  [[INDEX, OCTOBER], "SNAPSHOT_AHEAD", INDEX],
  [[INDEX, OCTOBER, NOVEMBER], "SNAPSHOT_AHEAD", INDEX],
  [[OCTOBER], "SNAPSHOT_AHEAD", OCTOBER],
  [[NOVEMBER], "MISSING_DOCUMENT", NOVEMBER],
];

test.each(STOPPED)(
  "an old copy of %j beside new documents stops the run",
  async (old, code, document) => {
    const { host, next } = await mixed(old);
    const before = next.files();
    const error = await next.run("2026-11-20T12:00:00Z").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, about: document });
    expect(error).toMatchObject({ message: expect.stringContaining(host.url) });
    expect(error).toMatchObject({ message: expect.stringMatching(/[Dd]eploy|Upload/) });
    expect(next.files()).toEqual(before);
  },
);

/** Where the log stands as the third publication left it, its changes stay as that one dated them. */
const TOLD: readonly (readonly string[])[] = [
  [],
  [DESCRIPTION],
  [SNAPSHOT],
  [SNAPSHOT, INDEX],
  [SNAPSHOT, DESCRIPTION],
];

test.each(TOLD.map((old) => ({ old })))("old copies of $old are mended", async ({ old }) => {
  const { host, live, next } = await mixed(old);
  await next.publish("2026-11-20T12:00:00Z");
  expect(logOf(next.folder, host.url)).toEqual(logOf(live.folder, host.url));
  expect(next.read(OCTOBER)).toBe(live.read(OCTOBER));
});

/** Where the log has lost the third publication's changes, the next one tells them. */
const TOLD_AGAIN: readonly (readonly string[])[] = [
  [SNAPSHOT, OCTOBER],
  [SNAPSHOT, NOVEMBER],
  [SNAPSHOT, OCTOBER, NOVEMBER],
  [SNAPSHOT, INDEX, OCTOBER],
  [SNAPSHOT, INDEX, NOVEMBER],
  [SNAPSHOT, INDEX, OCTOBER, NOVEMBER],
];

test.each(TOLD_AGAIN.map((old) => ({ old })))("old copies of $old are mended", async ({ old }) => {
  const { host, next } = await mixed(old);
  await next.publish("2026-11-20T12:00:00Z");
  const log = logOf(next.folder, host.url);
  expect(log.slice(0, 3)).toEqual([
    "2026-09-01T08:00:00Z created /",
    "2026-09-01T08:00:00Z created /links.html",
    "2026-10-20T12:00:00Z updated /",
  ]);
  expect(
    log
      .slice(3)
      .map((line) => line.replace(/.*Z /, ""))
      .sort(),
  ).toEqual(["deleted /links.html", "updated /"]);
});

/** Ends the body by hanging up, as HTTP/1.0 does, so that nothing tells that more was meant. */
function untilClosed(body: Uint8Array): Answer {
  const head = Buffer.from("HTTP/1.0 200 OK\r\nconnection: close\r\n\r\n");
  return (response) => void response.socket?.end(Buffer.concat([head, body]));
}

const GZIP = { "content-encoding": "gzip" };

const EDGES: Readonly<Record<string, (whole: Buffer) => Answer>> = {
  "cut, without a length": (whole) => untilClosed(whole.subarray(0, (whole.length * 2) / 3)),
  "without its last line, and without a length": (whole) => untilClosed(whole.subarray(0, -10)),
  "compressed twice": (whole) => bytes(gzipSync(gzipSync(whole)), GZIP),
  "compressed, and not said to be": (whole) => bytes(gzipSync(whole)),
  "not compressed, and said to be": (whole) => bytes(whole, GZIP),
  "not modified, though nobody asked whether it is": () => status(304, ""),
  "at the end of a circle": () => (response, path) =>
    void response.writeHead(302, { location: `/${path}` }).end(),
};

test.each(Object.keys(EDGES))("a document that comes %s stops the run", async (edge) => {
  const { host, live, next } = await mixed([]);
  const before = next.files();
  for (const document of [DESCRIPTION, INDEX, NOVEMBER, SNAPSHOT]) {
    const answer = EDGES[edge]?.(readFileSync(join(live.folder, document)));
    if (answer !== undefined) host.answers.set(document, answer);
    await expect(next.run("2026-11-20T12:00:00Z")).rejects.toBeInstanceOf(EmitError);
    host.answers.clear();
  }
  expect(next.files()).toEqual(before);
});

/** A host with three publications, some of whose documents are those of the second. */
async function mixed(
  old: readonly string[],
): Promise<{ host: TestHost; live: TestSite; next: TestSite }> {
  const host = await serve(temporaryFolder());
  const live = new TestSite({ url: host.url }, {}, host.folder);
  live.page("index.html", "Home").page("links.html", "Links");
  await live.publish("2026-10-05T12:00:00Z");
  live.page("index.html", "Home again");
  await live.publish("2026-10-20T12:00:00Z");
  const before = live.copy();
  live.page("index.html", "Home anew").remove("links.html");
  await live.publish("2026-11-05T12:00:00Z");
  for (const document of old) {
    const file = join(before.folder, document);
    host.answers.set(document, existsSync(file) ? bytes(readFileSync(file)) : status(404));
  }
  return { host, live, next: live.build({ previous: "site" }) };
}
