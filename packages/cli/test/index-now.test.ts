import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { emit } from "@rs-emit/core";
import { beforeEach, describe, expect, test } from "vitest";
import { COMMAND, rsEmit } from "./support/command.ts";
import { folderOf, page, temporaryFolder, write } from "./support/folder.ts";
import { host, serve } from "./support/host.ts";

const KEY = "3f1c9a4e-7b2d5086";

interface Batch {
  readonly host: string;
  readonly key: string;
  readonly keyLocation: string;
  readonly urlList: readonly string[];
}

interface Engine {
  readonly url: string;
  /** What it accepted. */
  readonly taken: Batch[];
  readonly asked: () => number;
}

/** What happens to a request instead of what the protocol says. */
type Trouble = (response: ServerResponse, at: number) => boolean;

/** An engine that judges as https://www.indexnow.org/documentation says. */
async function engine(trouble: Trouble = () => false): Promise<Engine> {
  const taken: Batch[] = [];
  let asked = 0;
  const url = await host((request, response) => {
    asked += 1;
    if (trouble(response, asked)) return;
    void judged(request).then(({ status, batch }) => {
      if (batch !== undefined && status < 300) taken.push(batch);
      response.writeHead(status, { "retry-after": "0" }).end();
    });
  });
  return { url: `${url}indexnow`, taken, asked: () => asked };
}

async function judged(
  request: IncomingMessage,
): Promise<{ readonly status: number; readonly batch?: Batch }> {
  const isJson = request.headers["content-type"] === "application/json";
  if (request.method !== "POST" || !isJson) return { status: 400 };
  const batch = (await json(request)) as Batch;
  const { key, keyLocation, urlList } = batch;
  if (!/^[A-Za-z\d-]{8,128}$/.test(key) || urlList.length > 10_000) return { status: 400 };
  const folder = new URL(".", keyLocation).href;
  const isOfHost = (url: string) => new URL(url).host === batch.host && url.startsWith(folder);
  if (![keyLocation, ...urlList].every(isOfHost)) return { status: 422 };
  const answer = await fetch(keyLocation);
  return { status: (await answer.text()) === key ? 202 : 403, batch };
}

const answering =
  (status: number, times = Number.POSITIVE_INFINITY): Trouble =>
  (response, at) => {
    if (at > times) return false;
    response.writeHead(status, { "retry-after": "0" }).end("trouble");
    return true;
  };

/** The request is taken, and the answer is lost. */
const losing: Trouble = (response, at) => {
  if (at === 1) response.destroy();
  return at === 1;
};

let folder: string;
let site: string;

beforeEach(async () => {
  folder = folderOf({
    "index.html": page("Home"),
    "moss.html": page("Moss"),
    "rain.html": page("Rain"),
    "old.html": page("Old"),
  });
  site = await host(serve(folder));
});

function publish(now: string): Promise<unknown> {
  const options = { history: "files", previous: "output", testAddress: true } as const;
  return emit({ folder, url: site, now, indexNow: KEY, ...options });
}

/** A first publication, then one with a change of each kind. */
async function published(): Promise<void> {
  await publish("2026-10-05T12:00:00Z");
  write(folder, {
    "moss.html": page("Moss", "More of it"),
    "new.html": page("New"),
    "rain.html": page("Rain").replace("</body>", "<footer>2026</footer></body>"),
  });
  rmSync(join(folder, "old.html"));
  await publish("2026-10-06T12:00:00Z");
}

function configOf(options: object): string {
  const place = temporaryFolder();
  write(place, { "rs-emit.config.json": JSON.stringify(options) });
  return join(place, "rs-emit.config.json");
}

function notify(endpoints: readonly string[], ...args: readonly string[]) {
  const config = configOf({ indexNow: KEY, indexNowEndpoint: endpoints });
  const place = ["--url", site, "--config", config, "--wait", "0s"];
  return rsEmit(["notify", folder, ...place, ...args]);
}

describe("notify tells search engines", () => {
  test("what was created, updated and deleted, and nothing minor", async () => {
    await published();
    const { url, taken } = await engine();
    expect(await notify([url])).toMatchObject({
      exit: 0,
      stdout: `${url} was notified of 3 changed pages\n`,
    });
    const urlList = ["moss.html", "new.html", "old.html"].map((path) => site + path);
    expect(taken).toEqual([
      { host: new URL(site).host, key: KEY, keyLocation: `${site}${KEY}.txt`, urlList },
    ]);
  });

  test("nothing of a first publication, nor twice of one page", async () => {
    const { url, taken } = await engine();
    await publish("2026-10-05T12:00:00Z");
    expect(await notify([url])).toMatchObject({ exit: 0 });
    expect(taken).toEqual([]);
    for (const day of ["06", "07"]) {
      write(folder, { "moss.html": page("Moss", day) });
      await publish(`2026-10-${day}T12:00:00Z`);
    }
    expect(await notify([url], "--since", "2026-10-05T12:00:00Z")).toMatchObject({ exit: 0 });
    expect(taken.flatMap(({ urlList }) => urlList)).toEqual([`${site}moss.html`]);
  });

  test("after several builds and one deploy, all that changed, and then only what is new", async () => {
    const { url, taken } = await engine();
    await published();
    write(folder, { "rain.html": page("Rain", "again") });
    await publish("2026-10-07T12:00:00Z");
    await notify([url]);
    expect(await notify([url])).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    write(folder, { "rain.html": page("Rain", "and again") });
    await publish("2026-10-08T12:00:00Z");
    await notify([url]);
    await notify([url], "--since", "2026-10-05T12:00:00Z");
    expect(taken.map(({ urlList }) => urlList.length)).toEqual([4, 1, 4]);
  });

  test("in batches of 10,000 addresses", async () => {
    await publish("2026-10-05T12:00:00Z");
    const names = Array.from({ length: 10_001 }, (_, at) => [`p/n${at}.html`, page(String(at))]);
    write(folder, Object.fromEntries(names));
    await publish("2026-10-06T12:00:00Z");
    const busy = await engine((response, at) => at > 1 && answering(503)(response, at));
    const next = await engine();
    const { stdout } = await notify([busy.url, next.url], "--no-pages");
    expect(stdout).toBe(
      `${busy.url} was notified of 10,000 changed pages\n${next.url} was notified of 1 changed page\n`,
    );
    expect(busy.taken.map(({ urlList }) => urlList.length)).toEqual([10_000]);
    expect(next.taken.map(({ urlList }) => urlList.length)).toEqual([1]);
  });

  test("of a site below its host's root: the key is in its folder", async () => {
    const root = folderOf({});
    const base = await host(serve(root));
    folder = join(root, "project");
    site = `${base}project/`;
    write(folder, { "index.html": page("Home") });
    await publish("2026-10-05T12:00:00Z");
    write(folder, { "index.html": page("Home", "more") });
    await publish("2026-10-06T12:00:00Z");
    const { url, taken } = await engine();
    expect(await notify([url])).toMatchObject({ exit: 0 });
    expect(taken).toMatchObject([{ keyLocation: `${site}${KEY}.txt`, urlList: [site] }]);
  });
});

describe("an engine", () => {
  test.each([
    ["is busy for a while", answering(429, 2)],
    ["fails for a while", answering(503, 2)],
    ["loses an answer", losing],
    ["knows a new key only after a while", answering(403, 1)],
  ])("that %s is asked again", async (_, trouble) => {
    await published();
    const { url, taken } = await engine(trouble);
    expect(await notify([url])).toMatchObject({ exit: 0 });
    expect(taken).toHaveLength(1);
  });

  test("that does not know the key yet is no failure", async () => {
    await published();
    const { url, asked } = await engine(answering(403));
    const { exit, stderr } = await notify([url]);
    expect(exit).toBe(0);
    expect(stderr).toMatch(/did not take 3 changed pages yet: .*usual/);
    expect(stderr).toContain("Run this again");
    expect(stderr).toContain("--since 2026-10-05T12:00:00Z");
    expect(asked()).toBe(4);
    const next = await engine();
    await notify([next.url]);
    expect(next.taken.map(({ urlList }) => urlList.length)).toEqual([3]);
  });

  test.each([
    [400, /malformed.*8 to 128/],
    [422, /another host.*option url/],
  ])("that answers %d is asked once: cause and cure", async (status, words) => {
    await published();
    const { url, asked } = await engine(answering(status));
    const next = await engine();
    const { exit, stderr } = await notify([url, next.url]);
    expect(exit).toBe(1);
    expect(stderr).toMatch(words);
    expect([asked(), next.asked()]).toEqual([1, 0]);
  });

  test("that stays busy: the next one is asked once, and how to repeat it is said", async () => {
    await published();
    const [first, second] = [await engine(answering(503)), await engine(answering(500))];
    const { exit, stderr } = await notify([first.url, second.url]);
    expect(exit).toBe(1);
    expect([first.asked(), second.asked()]).toEqual([4, 1]);
    expect(stderr).toContain("--since 2026-10-05T12:00:00Z");
  });
});

describe("the key", () => {
  test.each([
    ["is missing", () => rmSync(join(folder, `${KEY}.txt`)), /answers 404.*option indexNow/],
    ["is another", () => write(folder, { [`${KEY}.txt`]: "x" }), /does not hold the key/],
  ])("whose file %s: no engine is asked", async (_, spoil, words) => {
    await published();
    spoil();
    const { url, asked } = await engine();
    const { exit, stderr } = await notify([url]);
    expect([exit, asked()]).toEqual([1, 0]);
    expect(stderr).toMatch(words);
  });

  test.each(["short", "has space", "käse-käse", "a".repeat(129)])("%j is none", async (key) => {
    await publish("2026-10-05T12:00:00Z");
    const { exit, stderr } = await rsEmit(["notify", folder, "--url", site, "--index-now", key]);
    expect(exit).toBe(2);
    expect(stderr).toContain("init --index-now");
  });

  test("is no page, and not written over what another program wrote", async () => {
    write(folder, { [`${KEY}.txt`]: "a diary" });
    await expect(publish("2026-10-05T12:00:00Z")).rejects.toMatchObject({ code: "FOREIGN_FILE" });
  });
});

test("what was stopped is told by the next run", async () => {
  await published();
  const hanging = await engine(() => true);
  const config = configOf({ indexNowEndpoint: hanging.url });
  const args = ["notify", folder, "--url", site, "--index-now", KEY, "--config", config];
  const command = spawn(process.execPath, [COMMAND, ...args]);
  while (hanging.asked() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  command.kill("SIGTERM");
  expect(await once(command, "exit")).toEqual([null, "SIGTERM"]);
  const { url, taken } = await engine();
  await notify([url]);
  expect(taken.map(({ urlList }) => urlList.length)).toEqual([3]);
});
