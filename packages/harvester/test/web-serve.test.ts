import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { MissingError } from "@rs-emit/reader/http/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventWriter, RoundLog } from "../src/serve/service-log.ts";
import { listen } from "../src/serve/web/app.ts";
import { openSqlite } from "../src/store/open-store.ts";
import { TestHarvester } from "./support/harvest.ts";
import { TestLibrary } from "./support/library.ts";
import { TestService } from "./support/web.ts";

let library: TestLibrary;
beforeAll(async () => {
  library = await TestLibrary.start();
  await library.follow("https://moss.example/", { collections: [] });
});
afterAll(() => library[Symbol.asyncDispose]());

/** What a server sends, as it is. */
interface Sent {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

function ask(url: string, method = "GET", headers: Record<string, string> = {}): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(Buffer.from(chunk));
      const { statusCode: status, headers } = response;
      resolve({ status, headers, body: Buffer.concat(chunks) });
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe("over a real connection", () => {
  test("a feed is served whole, compressed, as headers alone, and as unchanged", async () => {
    const { app } = new TestService(library);
    const { url, close } = await listen(app, { host: "127.0.0.1", port: 0 });
    const feed = `${url}feeds/all.atom`;
    const whole = await ask(feed);
    expect(whole.status).toBe(200);
    expect(whole.body.toString()).toContain(`href="${feed}"`);
    const zipped = await ask(feed, "GET", { "accept-encoding": "gzip" });
    expect(gunzipSync(zipped.body)).toEqual(whole.body);
    const head = await ask(feed, "HEAD");
    expect([head.status, head.body.length, head.headers.etag]).toEqual([
      200,
      0,
      whole.headers.etag,
    ]);
    const etag = String(whole.headers.etag);
    const unchanged = await ask(feed, "GET", { "if-none-match": etag });
    expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
    await close();
  });

  test("a form without a limit to its length is cut off", async () => {
    const { app } = new TestService(library);
    const { url, close } = await listen(app, { host: "127.0.0.1", port: 0 });
    const status = await new Promise((resolve, reject) => {
      const headers = {
        origin: url.slice(0, -1),
        "content-type": "application/x-www-form-urlencoded",
        "transfer-encoding": "chunked",
      };
      const asked = request(`${url}follow`, { method: "POST", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on("error", reject);
      for (let at = 0; at < 40; at += 1) asked.write("address=".padEnd(1_000, "a"));
      asked.end();
    });
    expect(status).toBe(413);
    await close();
  });

  test("a port that is taken is named", async () => {
    const { app } = new TestService(library);
    const { url, close } = await listen(app, { host: "127.0.0.1", port: 0 });
    const port = Number(new URL(url).port);
    const again = listen(app, { host: "127.0.0.1", port });
    await expect(again).rejects.toThrow(expect.objectContaining({ code: "LISTEN" }));
    await expect(again).rejects.toThrow(`port ${port}`);
    await close();
  });

  test("nothing is answered once it is closed", async () => {
    const { app } = new TestService(library);
    const { url, close } = await listen(app, { host: "127.0.0.1", port: 0 });
    await close();
    await expect(ask(url)).rejects.toThrow();
  });
});

test.each(["deleted", "replaced"])(
  "a database whose file was %s is not well, though it answers",
  async (how) => {
    const folder = mkdtempSync(join(tmpdir(), "rs-harvest-web-"));
    const file = join(folder, "harvest.sqlite");
    const store = await openSqlite(folder);
    await using harvester = new TestHarvester(store, library.transport);
    const service = new TestService(harvester);
    expect((await service.ask("/healthz")).status).toBe(200);
    renameSync(file, `${file}.old`);
    if (how === "replaced") copyFileSync(`${file}.old`, file);
    const answer = await service.ask("/healthz");
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("restart")]);
    renameSync(`${file}.old`, file);
    expect((await service.ask("/healthz")).status).toBe(200);
    rmSync(folder, { recursive: true });
  },
);

test("without its database the service says so: to monitors, and to readers without details", async () => {
  const lost = await TestLibrary.start();
  const service = new TestService(lost);
  await lost[Symbol.asyncDispose]();
  expect((await service.ask("/healthz")).status).toBe(503);
  const answer = await service.ask("/");
  const page = await answer.text();
  expect([answer.status, service.problems.length]).toEqual([500, 1]);
  expect(page).toContain("Something went wrong");
  expect(page).not.toMatch(/PGlite|select/i);
});

describe("the operator is told of each round of checks", () => {
  const HOUR = 3600;
  const QUIET = { code: "NO_SOURCE", problem: "This site publishes no ResourceSync documents." };
  const BROKEN = { code: "MISSING", problem: "https://x.example/list.xml is not there." };

  /** A log of a service with three sites, of which one could never be read. */
  async function follow(format: "text" | "json" = "text") {
    const service = await TestLibrary.start();
    const collections = [{ path: "", changes: [] }];
    for (const name of ["a", "b"])
      await service.follow(`https://${name}.example/`, { collections });
    await service.fail(
      await service.follow("https://c.example/"),
      new MissingError("https://c.example/"),
    );
    const lines: string[] = [];
    const write = eventWriter(format, (line) => lines.push(line));
    const { database, now } = service;
    const log = new RoundLog({ database, write, interval: 24 * HOUR, now });
    const checkAll = () => {
      const condition = "no-change-log";
      log.checked({ address: "https://a.example/", changes: 4 });
      log.checked({ address: "https://q.example/", changes: 0, problem: QUIET, condition });
      for (let at = 0; at < 80; at += 1) {
        log.checked({ address: `https://${at}.example/`, changes: 0, problem: BROKEN });
      }
    };
    /** Puts off all checks to so many seconds from now. */
    const dueIn = (seconds: number) =>
      database
        .updateTable("host")
        .set({ due_at: service.now() + seconds })
        .execute();
    return { service, lines, log, checkAll, dueIn };
  }

  test("when it is over, once an hour at most, and failures by their cause", async () => {
    const { service, lines, log, checkAll, dueIn } = await follow();
    await log.look();
    expect(lines).toEqual([]);
    checkAll();
    await dueIn(0);
    await log.look();
    expect(lines).toEqual([]);
    await dueIn(5 * HOUR);
    await log.look();
    const time = new Date(service.now() * 1000).toISOString().replace(/\.\d+/, "");
    const next = new Date((service.now() + 5 * HOUR) * 1000).toISOString().replace(/\.\d+/, "");
    const reported = [
      `${time} Checked 82 sites: 4 changes. 2 sites are followed by their change logs; 1 site could not be read. Next check: ${next}.\n`,
      `${time} 80 sites: a document that the site names is missing (404) (0.example, 1.example, 2.example and 77 more)\n`,
    ];
    expect(lines).toEqual(reported);
    checkAll();
    service.time += HOUR - 1;
    await log.look();
    expect(lines).toEqual(reported);
    service.time += 1;
    await log.look();
    expect(lines).toHaveLength(4);
    await service[Symbol.asyncDispose]();
  });

  test("or after its time, where some source is always due; as JSON for collectors", async () => {
    const { service, lines, log, checkAll, dueIn } = await follow("json");
    await dueIn(0);
    checkAll();
    service.time += 24 * HOUR - 1;
    await log.look();
    expect(lines).toEqual([]);
    service.time += 1;
    await log.look();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: "round", checked: 82, changes: 4, sources: 3, health: { well: 2, "not-read": 1 } },
      {
        event: "trouble",
        cause: "a document that the site names is missing (404)",
        sites: 80,
        names: ["0.example", "1.example", "2.example"],
      },
    ]);
    await service[Symbol.asyncDispose]();
  });
});
