import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { SiteServer } from "../../reader/test/support/site-server.ts";
import { CommandProcess, rsHarvest, Workshop } from "./support/command.ts";
import { sitemap } from "./support/sitemaps.ts";

const SEEN = "Seen by comparing lists, not reported by the author.";

/** The service as it is installed, as a browser without scripts uses it. */
class Service {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }

  async text(path: string): Promise<string> {
    return (await fetch(this.url + path)).text();
  }

  async post(path: string, form: Readonly<Record<string, string>> = {}): Promise<string> {
    const headers = { "sec-fetch-site": "same-origin", origin: this.url.slice(0, -1) };
    const body = new URLSearchParams(form);
    const init = { method: "POST", headers, body, redirect: "manual" } as const;
    return (await fetch(this.url + path, init)).headers.get("location")?.slice(1) ?? "";
  }

  /** Resolves with a page when it says something. */
  async says(path: string, words: string): Promise<string> {
    for (let turn = 0; turn < 200; turn += 1) {
      const text = await this.text(path);
      if (text.includes(words)) return text;
      await pause(50);
    }
    throw new Error(`${path} does not say ${words}: ${await this.text(path)}`);
  }
}

test("the service follows a site by its sitemap, then by its Change List, and tells nothing twice", async () => {
  using workshop = new Workshop();
  await using server = await SiteServer.start();
  const site = server.site("127.0.0.1").answer("/", "<!doctype html><title>Moss</title>");
  const data = await workshop.memory(join(workshop.folder(), "data"));
  const options = [
    "--data",
    data,
    "--port",
    "0",
    "--allow-private",
    "--entries",
    "check",
    "--log",
    "json",
  ];
  const command = new CommandProcess(["serve", ...options]);
  const [, url = ""] = await command.says(/"event":"start","address":"([^"]+)",/);
  const service = new Service(url);

  site.answer("/sitemap.xml", sitemap(["a 09-01", "b 09-02", "c 09-03"]));
  const source = (await service.post("follow", { address: site.url })).replace(/\?.*/, "");
  const feed = `feeds/${source}.atom`;
  await service.says(source, "Follow it by its sitemap instead?");
  await service.post(`${source}/lists`);
  await service.says(source, "Followed by its sitemap");

  const seenAt = new Date().toISOString();
  site.answer("/sitemap.xml", sitemap(["a 09-04", "b 09-02", "c 09-03", "d"]));
  await service.post(`${source}/check`);
  expect(await service.says(feed, "New: d; 1 page has news")).toContain(SEEN);

  const log = ["created a 2026-09-01T00:00:00Z", `created d ${seenAt}`, `updated a ${seenAt}`];
  site
    .answer("/.well-known/resourcesync", sourceDescription(["/capabilitylist.xml"]))
    .answer("/capabilitylist.xml", capabilityList({ changelist: "/changelist.xml" }))
    .answer("/changelist.xml", changeList([...log, `updated b ${new Date().toISOString()}`]));
  await service.post(`${source}/check`);
  const reported = await service.says(feed, "Updated: b");
  // What is polled, what was seen by comparing, and what its author tells.
  expect(reported.match(/<entry>/g)).toHaveLength(3);
  expect(await service.says(source, "no longer compared")).not.toContain("Followed by its list");

  const before = server.requests.length;
  await service.post(`${source}/check`);
  while (server.requests.length < before + 3) await pause(50);
  expect(await service.text(feed)).toBe(reported);
  expect(server.requests.slice(before).map(({ path }) => path)).not.toContain("/sitemap.xml");
  await command.says(/"event":"round","checked":1,/);
  command.signal("SIGTERM");
  const { stdout, ...ended } = await command.end();
  expect(ended).toMatchObject({ exit: 0, stderr: "" });
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { event: "start", address: url, database: data, sources: 0 },
    { event: "round", sources: 1 },
  ]);
});

test("with --poll-sitemaps all sites are watched, those too that are followed already, and it is said how many", async () => {
  using workshop = new Workshop();
  await using server = await SiteServer.start();
  const [one, two] = ["127.0.0.1", "localhost"].map((host) =>
    server.site(host).answer("/sitemap.xml", sitemap(["a", "b"])),
  );
  const data = await workshop.memory(join(workshop.folder(), "data"));
  await rsHarvest("import", workshop.file(one?.url ?? ""), "--data", data);
  const options = ["--data", data, "--port", "0", "--allow-private", "--poll-sitemaps"];
  const command = new CommandProcess(["serve", ...options]);
  const [, url = ""] = await command.says(/Open (\S+) to follow/);
  await command.says(/Z 1 site is still to be checked\.\n/);
  const service = new Service(url);
  await service.says("sources/1", "Followed by its sitemap");
  const added = await service.post("follow", { address: two?.url ?? "" });
  await service.says(added, "Followed by its sitemap");
  command.signal("SIGTERM");
  expect(await command.end()).toMatchObject({ exit: 0, stderr: "" });
});
