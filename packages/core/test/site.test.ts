import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { NO_LOG } from "../src/model/layout.ts";
import { SiteStore } from "../src/recall/live-site.ts";
import { leaveNoLogFile } from "../src/write/no-log-file.ts";
import { bytes, page, redirect, serve, status, type TestHost } from "./support/server.ts";
import { filesOf, isDocument, logOf, TestSite, temporaryFolder } from "./support/site.ts";

/** A host with two publications of a site, and the next build of it. */
async function deployed(base = "/"): Promise<{ host: TestHost; live: TestSite; next: TestSite }> {
  const host = await serve(temporaryFolder(), base);
  const live = new TestSite({ url: host.url, collections: ["", "shrine"] }, {}, host.folder);
  live.page("index.html", "Home").page("shrine/index.html", "Shrine");
  await live.publish("2026-10-05T12:00:00Z", { first: true });
  live.page("index.html", "Home again");
  await live.publish("2026-11-05T12:00:00Z");
  return { host, live, next: live.build({ previous: "site" }) };
}

describe("the live site as memory", () => {
  test("is copied whole and byte for byte when nothing changed", async () => {
    const { live, next } = await deployed();
    expect(await next.publish("2026-11-20T12:00:00Z")).toMatchObject({ status: "unchanged" });
    expect(next.files()).toEqual(live.files());
  });

  test("is empty: a log in the output folder is about to be deployed, and is continued", async () => {
    const host = await serve(temporaryFolder());
    const site = new TestSite({ url: host.url }).page("index.html", "Home");
    await site.publish("2026-10-05T12:00:00Z");
    const before = site.files();
    const again = await site.publish("2026-11-05T12:00:00Z", { previous: "site" });
    expect(again.status).toBe("unchanged");
    expect(site.files()).toEqual(before);
    site.remove("resourcelist.xml", "changelist.xml", "changelist/2026-09.xml");
    const lost = await site.publish("2026-11-06T12:00:00Z", { previous: "site" });
    expect(lost.first).toBe(true);
  });

  test("is continued", async () => {
    const { host, live, next } = await deployed();
    next.page("shrine/index.html", "Shrine again");
    await next.publish("2026-11-20T12:00:00Z");
    expect(logOf(next.folder, host.url)).toEqual(logOf(live.folder, host.url));
    expect(logOf(next.folder, host.url, "shrine/")).toEqual([
      "2026-09-01T08:00:00Z created /shrine/",
      "2026-11-20T12:00:00Z updated /shrine/",
    ]);
  });

  test("may stand below a base path", async () => {
    const { host, live, next } = await deployed("/project/");
    await next.publish("2026-11-20T12:00:00Z");
    expect(next.files()).toEqual(live.files());
    expect(host.requests.every(({ path }) => path.startsWith("/project/"))).toBe(true);
    const elsewhere = { previous: "none", collections: ["shrine/"] };
    const { notes } = await next.build().publish("2026-11-21T12:00:00Z", elsewhere);
    const link = `<link rel="resourcesync" href="${host.url}shrine/capabilitylist.xml">`;
    expect(notes).toContainEqual(
      expect.objectContaining({ code: "NOT_WELL_KNOWN", message: expect.stringContaining(link) }),
    );
    const options = { ...elsewhere, link: true };
    const linked = await next.build().publish("2026-11-21T12:00:00Z", options);
    expect(linked.notes.map(({ code }) => code)).not.toContain("NOT_WELL_KNOWN");
  });

  test("is read past caches", async () => {
    const { host, next } = await deployed();
    await next.publish("2026-11-20T12:00:00Z");
    const queries = host.requests.map(({ query }) => query);
    expect(new Set(queries).size).toBe(queries.length);
    for (const { query, headers } of host.requests) {
      expect(query).toMatch(/^\?rs-emit=[\w-]{36}$/);
      expect(headers).toMatchObject({ "cache-control": "no-cache", pragma: "no-cache" });
    }
  });

  test("is asked for a closed list once", async () => {
    const { host, next } = await deployed();
    const isClosed = ({ path }: { path: string }) => path === "/changelist/2026-09.xml";
    await next.publish("2026-11-20T12:00:00Z");
    expect(host.requests.filter(isClosed)).toHaveLength(1);
    await next.publish("2026-11-21T12:00:00Z");
    expect(host.requests.filter(isClosed)).toHaveLength(1);
  });

  test("is asked again for a closed list whose copy was damaged", async () => {
    const { live, next } = await deployed();
    await next.publish("2026-11-20T12:00:00Z");
    const cache = next.environment.cacheFolder ?? "";
    const [copy = ""] = [...filesOf(cache).keys()].filter((path) =>
      /\/changelist\/2026-09/.test(path),
    );
    writeFileSync(join(cache, copy), "damaged");
    const again = live.build({ previous: "site" });
    await again.publish("2026-11-21T12:00:00Z");
    expect(again.files()).toEqual(live.files());
  });

  test("cannot be read where its documents cannot be kept", async () => {
    const { next } = await deployed();
    const cacheFolder = temporaryFolder();
    const environment = { cacheFolder };
    await next.publish("2026-11-20T12:00:00Z", {}, environment);
    const [copies = ""] = readdirSync(cacheFolder);
    rmSync(join(cacheFolder, copies, "changelist.xml"));
    mkdirSync(join(cacheFolder, copies, "changelist.xml"));
    const run = next.run("2026-11-21T12:00:00Z", {}, environment);
    await expect(run).rejects.toMatchObject({ code: "WRITE_FAILED" });
    expect(readdirSync(join(cacheFolder, copies)).filter((name) => /-.*-.*-/.test(name))).toEqual(
      [],
    );
  });

  test("is copied to a place that others can neither guess nor read where the cache is not the user's own", () => {
    const [cache, temporary] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(cache, "rs-emit"));
    chmodSync(join(cache, "rs-emit"), 0o777);
    vi.stubEnv("XDG_CACHE_HOME", cache);
    vi.stubEnv("TMPDIR", temporary);
    const options = { first: false, cacheFolder: undefined };
    const [one, other] = ["https://moss.example/", "https://fern.example/"].map(
      (site) => new SiteStore({ ...options, site }).folder,
    );
    vi.unstubAllEnvs();
    expect(one).not.toBe(other);
    expect(filesOf(cache).size).toBe(0);
    const [made = "", ...others] = readdirSync(temporary);
    expect([one?.startsWith(join(temporary, made)), others]).toEqual([true, []]);
    expect(made).toMatch(/^rs-emit-\w{6}$/);
    expect(statSync(join(temporary, made)).mode & 0o777).toBe(0o700);
  });

  test("keeps the description of a collection that is no longer configured", async () => {
    const { live, next } = await deployed();
    next.remove("shrine");
    await next.publish("2026-11-20T12:00:00Z", { collections: [""], allowMassDelete: true });
    expect(next.read("shrine/about.xml")).toBe(live.read("shrine/about.xml"));
  });

  test("may compress, and redirect on its own host", async () => {
    const { host, live, next } = await deployed();
    const index = readFileSync(join(live.folder, "changelist.xml"));
    host.answers.set("changelist.xml", redirect("/elsewhere/index.xml"));
    host.answers.set("elsewhere/index.xml", bytes(gzipSync(index), { "content-encoding": "gzip" }));
    await next.publish("2026-11-20T12:00:00Z");
    expect(next.files()).toEqual(live.files());
  });

  test("may answer everything else with a web page", async () => {
    const { host, live, next } = await deployed();
    for (const path of live.files().keys()) {
      if (isDocument(path)) host.answers.set(path, bytes(readFileSync(join(live.folder, path))));
    }
    host.answers.set("*", page);
    next.page("gallery/index.html", "Gallery");
    await next.publish("2026-11-20T12:00:00Z", { collections: ["", "shrine", "gallery"] });
    expect(logOf(next.folder, host.url, "gallery/")).toEqual([
      "2026-11-20T12:00:00Z created /gallery/",
    ]);
  });

  test("tells that this machine's clock is more than a day ahead", async () => {
    const { host, next } = await deployed();
    host.date = "2026-11-19T11:00:00Z";
    const before = next.files();
    await expect(next.run("2026-11-20T12:00:00Z")).rejects.toMatchObject({ code: "CLOCK" });
    expect(next.files()).toEqual(before);
    host.date = "2026-11-20T11:00:00Z";
    await next.publish("2026-11-20T12:00:00Z");
  });
});

/** A build that emptied the folder, a cache that was lost, a copy that holds no log. */
describe.each(["auto", "output", "a path"])("previous: %s", (memory) => {
  const previousOf = ({ folder }: TestSite) => (memory === "a path" ? folder : memory);

  test("reads the folder where it holds a publication, and asks nobody", async () => {
    const { host, live } = await deployed();
    await live.publish("2026-11-20T12:00:00Z", { previous: previousOf(live) });
    expect(host.requests).toEqual([]);
  });

  test.each([
    ["nothing", []],
    ["only its description", ["about.xml"]],
    ["only the dot folder", [".well-known/resourcesync"]],
  ])("reads the live site where the folder holds %s", async (_, left) => {
    const { live, next } = await deployed();
    for (const path of left) next.write(path, live.read(path));
    await next.publish("2026-11-20T12:00:00Z", { previous: previousOf(next) });
    expect(next.files()).toEqual(live.files());
  });

  test("reads the live site where the folder's build went on without the log", async () => {
    const { live, next } = await deployed();
    leaveNoLogFile(next.folder, next.url);
    await next.publish("2026-11-20T12:00:00Z", { previous: previousOf(next) });
    expect(next.files()).toEqual(live.files());
  });

  test("does not start over where only the dot folder is left, and the site holds nothing", async () => {
    const { host, live, next } = await deployed();
    next.write(".well-known/resourcesync", live.read(".well-known/resourcesync"));
    host.answers.set("*", status(404));
    const run = next.run("2026-11-20T12:00:00Z", { previous: previousOf(next) });
    await expect(run).rejects.toMatchObject({ code: "LOST_LOG" });
  });

  describe("where the folder's build went on without the log,", () => {
    const built = async (address?: string) => {
      const host = await serve(temporaryFolder());
      const site = new TestSite({ url: host.url }).page("index.html", "Home");
      leaveNoLogFile(site.folder, address ?? host.url);
      return { host, site, previous: previousOf(site) };
    };

    test.each([
      ["its address", undefined],
      ["an address whose host does not exist", `http://${"x".repeat(64)}.org/`],
      ["an example's address", "https://moss.example/a&b/"],
      ["what is no address", "moss"],
    ])("starts where nothing is live at %s", async (_, address) => {
      const { site, previous } = await built(address);
      const first = await site.publish("2026-10-05T12:00:00Z", { previous });
      expect(first).toMatchObject({ first: true });
      expect(existsSync(join(site.folder, NO_LOG))).toBe(false);
    });

    test("asks the address that it was built for, which may have the log", async () => {
      const { host: former } = await deployed();
      const { host, site, previous } = await built(former.url);
      const at = "2026-11-20T12:00:00Z";
      await expect(site.run(at, { previous })).rejects.toMatchObject({
        code: "OTHER_SITE",
        cure: expect.stringContaining(`movedFrom: "${former.url}"`),
      });
      former.answers.set("*", status(503));
      await expect(site.run(at, { previous })).rejects.toMatchObject({
        code: "SITE_STATUS",
        cure: expect.stringContaining("first: true"),
      });
      former.answers.set("*", status(404));
      expect(await site.publish(at, { previous })).toMatchObject({ first: true, site: host.url });
    });
  });

  test("does not start over where the live site does not answer", async () => {
    const { host, next } = await deployed();
    host.answers.set("*", status(503));
    const run = next.run("2026-11-20T12:00:00Z", { previous: previousOf(next) });
    await expect(run).rejects.toMatchObject({
      code: "SITE_STATUS",
      cure: expect.stringContaining("first"),
    });
  });

  test("starts where both are empty, and where the address is one of an example", async () => {
    for (const url of [(await serve(temporaryFolder())).url, "https://moss.example/"]) {
      const site = new TestSite({ url }).page("index.html", "Home");
      const first = await site.publish("2026-10-05T12:00:00Z", { previous: previousOf(site) });
      expect(first).toMatchObject({ first: true });
    }
  });
});

test("the author may give up the log of the live site", async () => {
  const { host, next } = await deployed();
  const anew = await next.publish("2026-11-20T12:00:00Z", { previous: "output", first: true });
  expect(anew).toMatchObject({ first: true });
  expect(host.requests).toEqual([]);
});

describe("a live site whose log is out of reach does not start over:", () => {
  /** A site that was published once, with links, and its documents as they are served. */
  async function publishedOnce() {
    const host = await serve(temporaryFolder());
    const live = new TestSite({ url: host.url, link: true }, {}, host.folder);
    live.write(
      "index.html",
      '<!doctype html><title>Home</title><main>Home</main><ul data-rs-emit="changes"></ul>',
    );
    await live.publish("2026-10-05T12:00:00Z", { first: true });
    return { host, live, next: live.build({ previous: "site" }) };
  }

  test.each([{}, { first: true }])("its Resource List is missing, %j", async (options) => {
    const { host, next } = await publishedOnce();
    host.answers.set("resourcelist.xml", status(404));
    await expect(next.run("2026-11-20T12:00:00Z", options)).rejects.toMatchObject({
      code: "MISSING_DOCUMENT",
      about: "resourcelist.xml",
    });
  });

  const without = (html: string, ...parts: readonly RegExp[]) =>
    parts.reduce((text, part) => text.replace(part, ""), html);
  const [LINKS, ITEMS] = [/<link[^>]*data-rs-emit="link">/g, /<li class.*<\/li>/s];

  test.each<[string, (live: TestSite) => readonly [path: string, text: string]]>([
    ["links", (live) => ["", without(live.read("index.html"), ITEMS)]],
    ["a list of changes", (live) => ["", without(live.read("index.html"), LINKS)]],
    ["a feed", (live) => ["changes.atom", live.read("changes.atom")]],
  ])("all its documents are missing, and it has %s", async (_, left) => {
    const { host, live, next } = await publishedOnce();
    const [path, text] = left(live);
    host.answers.set("*", status(404)).set(path, bytes(text));
    const at = "2026-11-20T12:00:00Z";
    await expect(next.run(at)).rejects.toMatchObject({
      code: "LOST_LOG",
      about: host.url + path,
      cure: expect.stringMatching(/Deploy the last publication again.*first: true/),
    });
    expect(await next.publish(at, { first: true })).toMatchObject({ first: true });
  });

  test.each([
    ["", "links or a list of changes"],
    ["changes.atom", "a feed"],
  ])("nor where a collection is given in place of the whole site: %j has %s", async (path) => {
    const { host, live, next } = await publishedOnce();
    host.answers.set("*", status(404)).set(path, bytes(live.read(path || "index.html")));
    next.page("moss/index.html", "Moss");
    const run = next.run("2026-11-20T12:00:00Z", { collections: ["moss/"] });
    await expect(run).rejects.toMatchObject({ code: "LOST_LOG", about: host.url + path });
  });

  test("but a new site has none of these, or somebody else's", async () => {
    const { host, live, next } = await publishedOnce();
    const html = without(live.read("index.html"), LINKS, ITEMS);
    const shown = '&lt;link data-rs-emit="link"&gt;';
    host.answers.set("*", status(404)).set("", bytes(html.replace("Home", shown)));
    host.answers.set("changes.atom", bytes('<?xml version="1.0"?><feed/>'));
    expect(await next.publish("2026-11-20T12:00:00Z")).toMatchObject({ first: true });
  });

  test("but a new site whose empty folder answers 403 starts", async () => {
    const { host, next } = await publishedOnce();
    host.answers.set("*", status(404)).set("", status(403));
    expect(await next.publish("2026-11-20T12:00:00Z")).toMatchObject({ first: true });
  });

  test("but a site in a folder of another one, whose links its home page has, starts", async () => {
    const { host, live } = await publishedOnce();
    const project = new TestSite({ url: `${host.url}project/`, previous: "site" });
    host.answers
      .set("*", status(404))
      .set("project/", bytes(without(live.read("index.html"), ITEMS)));
    await project.page("index.html", "Project").publish("2026-11-20T12:00:00Z");
  });

  test("nor where its home page does not say whether it has them", async () => {
    const { host, next } = await publishedOnce();
    host.answers.set("*", status(404)).set("", status(503));
    const run = next.run("2026-11-20T12:00:00Z");
    await expect(run).rejects.toMatchObject({ code: "SITE_STATUS", about: host.url });
  });
});

describe("a site that was deployed without its log", () => {
  const replaced = async (...dropped: readonly string[]) => {
    const { host, live, next } = await deployed();
    const copy = temporaryFolder();
    cpSync(live.folder, copy, { recursive: true });
    for (const path of live.files().keys()) if (isDocument(path)) live.remove(path);
    leaveNoLogFile(live.folder, live.url);
    live.remove(...dropped);
    return { host, copy, live, next };
  };

  test.each([[], [".well-known"]])(
    "stops the run, whatever is left out: %j",
    async (...dropped) => {
      const { next } = await replaced(...dropped);
      for (const options of [{}, { previous: "auto" }, { first: true }]) {
        const run = next.run("2026-11-20T12:00:00Z", options);
        await expect(run).rejects.toMatchObject({
          code: "LOG_ELSEWHERE",
          cure: expect.stringMatching(/Deploy the last publication .*previous: "copy"/),
        });
      }
    },
  );

  test("is continued from a copy of the log, or begun anew by the author's word", async () => {
    const { copy, next, live } = await replaced();
    expect(await next.publish("2026-11-20T12:00:00Z", { previous: copy })).toMatchObject({
      status: "unchanged",
    });
    const anew = live.build({ previous: "output" }).page("index.html", "Home");
    leaveNoLogFile(anew.folder, anew.url);
    const stopped = anew.run("2026-11-20T12:00:00Z", {});
    await expect(stopped).rejects.toMatchObject({ code: "LOG_ELSEWHERE" });
    expect(await anew.publish("2026-11-20T12:00:00Z", { first: true })).toMatchObject({
      first: true,
    });
  });

  test("goes on by itself where an upload deleted nothing", async () => {
    const { live, next } = await deployed();
    const before = live.files();
    leaveNoLogFile(live.folder, live.url);
    expect(await next.publish("2026-11-20T12:00:00Z")).toMatchObject({ status: "unchanged" });
    expect(next.files()).toEqual(before);
  });
});
