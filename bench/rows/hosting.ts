import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Server } from "../inputs/server.ts";
import type { Line } from "../line.ts";
import { INPUTS, ROOT, sized } from "../places.ts";
import { program } from "../programs.ts";
import { memories } from "./harvest.ts";

const COMMAND = join(ROOT, "packages/harvester/bin/rs-harvest.js");

/** Publications, as many as an archive takes, and the changes of each. */
const PUBLICATIONS = sized(500, 101);
const CHANGES = sized(2_000, 20);
const TAKEN = { lists: sized(4), entries: sized(50_000) };

/** What the answers of a service are aimed at, in seconds. */
const PAGE = 0.1;
const UNCHANGED = 0.01;

const NAMES: Readonly<Record<string, string>> = {
  home: "the first page",
  source: "its page",
  entry: "half-way through an entry",
  feed: "its feed",
  all: "all.atom",
  archive: "an archive",
  unchanged: "a 304",
};

/** How soon a service answers that follows a site of 1,000,000 changes. */
export async function hosting(rounds: number): Promise<readonly Line[]> {
  const lines = memories().flatMap(({ name, make }) => {
    const place = make("large");
    fill(place);
    return pages(place, name, rounds);
  });
  const folder = join(INPUTS, "large-service");
  rmSync(folder, { recursive: true, force: true });
  fill(folder);
  return [...lines, await crowd(folder), ...(await health(folder)), ...(await rest())];
}

function fill(place: string): void {
  const [node = "", ...args] = program(
    "serve-pages",
    place,
    `${PUBLICATIONS}`,
    `${CHANGES}`,
    "fill",
  );
  execFileSync(node, args, { stdio: ["ignore", "ignore", "inherit"] });
}

function pages(place: string, database: string, rounds: number): Line[] {
  const figures = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    const [node = "", ...args] = program("serve-pages", place, `${PUBLICATIONS}`, `${CHANGES}`);
    const medians: Record<string, number> = JSON.parse(execFileSync(node, args).toString());
    for (const [name, seconds] of Object.entries(medians)) {
      figures.set(name, [...(figures.get(name) ?? []), seconds]);
    }
  }
  return [...figures].map(([name, ours]) => ({
    what: `a site of ${PUBLICATIONS * CHANGES} changes, ${NAMES[name]}, ${database}`,
    unit: "s",
    ours,
    aim: { of: "figure", most: name === "unchanged" ? UNCHANGED : PAGE },
  }));
}

/** Clients that ask for a large feed, each again as soon as it is answered. */
const CLIENTS = sized(50);
const ASKED = sized(100);

/** The first page while many clients ask for a large feed without its entity tag, beside that of a service at rest. */
async function crowd(folder: string): Promise<Line> {
  const args = ["serve", "--data", folder, "--port", "0", "--role", "web"];
  const service = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(service.stdout, "data");
  const [url = ""] = /http:\S+/.exec(String(line)) ?? [];
  await secondsOf(url, ASKED);
  const alone = await secondsOf(url, ASKED);
  const [node = "", ...asker] = program("ask-feed", `${url}feeds/all.atom`, String(CLIENTS));
  const clients = spawn(node, asker, { stdio: ["ignore", "pipe", "inherit"] });
  await once(clients.stdout, "data");
  const beside = await secondsOf(url, ASKED);
  for (const process of [clients, service]) {
    process.kill("SIGTERM");
    await once(process, "close");
  }
  return {
    what: `the first page, ${CLIENTS} clients ask for all.atom without its ETag`,
    unit: "s",
    ours: beside,
    yardstick: { name: "at rest", figures: alone },
    aim: { of: "ratio", most: 10 },
  };
}

/** How long a page's answers take, one after another. */
async function secondsOf(url: string, times: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const began = performance.now();
    const answer = await fetch(url);
    if ((await answer.text()).length < 2_000) throw new Error(`${url}: ${answer.status}`);
    seconds.push((performance.now() - began) / 1000);
  }
  return seconds;
}

/** The longest wait for `/healthz` while much is written, beside that of a service at rest. */
async function health(folder: string): Promise<Line[]> {
  const hosts = await Promise.all(
    Array.from({ length: TAKEN.lists }, () => Server.start("serve-sources", String(TAKEN.entries))),
  );
  const [, watcher = ""] = program("watch-turns");
  const turns = join(INPUTS, "turns");
  const args = ["serve", "--data", folder, "--port", "0", "--allow-private"];
  const service = spawn(process.execPath, ["--import", watcher, COMMAND, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TURNS: turns },
  });
  const [line] = await once(service.stdout, "data");
  const [url = ""] = /http:\S+/.exec(String(line)) ?? [];
  const post = async (path: string, form: Record<string, string>) => {
    const headers = { origin: new URL(url).origin };
    const body = new URLSearchParams(form);
    const answer = await fetch(url + path, { method: "POST", headers, body, redirect: "manual" });
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  // This process must not be busy itself while it measures: what it needs is loaded, and has run.
  const { readSqlite } = await import("../../packages/harvester/dist/store/open-store.js");
  const { database, close } = readSqlite(folder);
  await longestWait(url, () => pause(sized(1_000, 50)));
  const resting = await longestWait(url, () => pause(sized(3_000, 50)));
  const taking = await longestWait(url, async () => {
    const list = hosts.map(({ port }) => `http://127.0.0.1:${port}/`).join("\n");
    await post("import", { list });
    while ((await metric(url, "rs_harvest_checks_total")) < hosts.length) await pause(200);
  });
  const leaving = await longestWait(url, async () => {
    await post("sources/1/unfollow", {});
    const isLeft = () =>
      database.selectFrom("source").select("id").where("id", "=", 1).executeTakeFirst();
    while ((await isLeft()) !== undefined) await pause(200);
  });
  await close();
  service.kill("SIGTERM");
  await once(service, "close");
  for (const host of hosts) await host[Symbol.asyncDispose]();
  const yardstick = { name: "at rest", figures: [resting] };
  const aim = { of: "figure", most: PAGE } as const;
  const what = "longest wait for /healthz";
  return [
    {
      what: `${what}, ${TAKEN.lists * TAKEN.entries} changes taken`,
      unit: "s",
      ours: [taking],
      yardstick,
      aim,
    },
    {
      what: `${what}, ${PUBLICATIONS * CHANGES} unfollowed`,
      unit: "s",
      ours: [leaving],
      yardstick,
      aim,
    },
    {
      what: "most CPU of the web thread in one turn meanwhile",
      unit: "ms",
      ours: [Number(readFileSync(turns, "utf8"))],
      aim: { of: "figure", most: PAGE * 1000 },
    },
  ];
}

/** Sites that a service at rest follows, and seconds after their first checks. */
const RESTING = { sites: sized(10), seconds: sized(10) };

/** The memory of a service with default options that follows a few sites. */
async function rest(): Promise<Line[]> {
  const folder = join(INPUTS, "resting-service");
  rmSync(folder, { recursive: true, force: true });
  const hosts = await Promise.all(
    Array.from({ length: RESTING.sites }, () => Server.start("serve-sources", "20")),
  );
  const args = ["serve", "--data", folder, "--port", "0", "--allow-private"];
  const service = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(service.stdout, "data");
  const [url = ""] = /http:\S+/.exec(String(line)) ?? [];
  const list = hosts.map(({ port }) => `http://127.0.0.1:${port}/`).join("\n");
  await fetch(`${url}import`, {
    method: "POST",
    headers: { origin: new URL(url).origin },
    body: new URLSearchParams({ list }),
  });
  while ((await metric(url, "rs_harvest_checks_total")) < hosts.length) await pause(200);
  await pause(RESTING.seconds * 1000);
  const status = readFileSync(`/proc/${service.pid}/status`, "utf8");
  const memory = (name: string) =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
  service.kill("SIGTERM");
  await once(service, "close");
  for (const host of hosts) await host[Symbol.asyncDispose]();
  return [
    {
      what: `memory of a service at rest that follows ${RESTING.sites} sites`,
      unit: "MiB",
      ours: [memory("VmRSS")],
      aim: { of: "figure", most: 120 },
    },
    { what: "its peak memory", unit: "MiB", ours: [memory("VmHWM")] },
  ];
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}metrics`)).text();
  return [...text.matchAll(new RegExp(`^${name}\\{.*\\} (\\d+)$`, "gm"))].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

/** Asks again and again while something is done; gives the seconds of the longest wait. */
async function longestWait(url: string, work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  let longest = 0;
  while (!isDone) {
    const began = performance.now();
    const answer = await fetch(`${url}healthz`);
    if (!answer.ok) throw new Error("the service is not well");
    await answer.body?.cancel();
    longest = Math.max(longest, (performance.now() - began) / 1000);
    await pause(20);
  }
  await done;
  return longest;
}
