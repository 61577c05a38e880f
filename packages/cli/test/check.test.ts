import { createHash } from "node:crypto";
import { cpSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { check as judge } from "@rs-emit/check";
import { emit } from "@rs-emit/core";
import { describe, expect, test } from "vitest";
import { PublishedFolder } from "../src/published-folder.ts";
import { rsEmit } from "./support/command.ts";
import { folderOf, page, temporaryFolder, write } from "./support/folder.ts";
import { host, serve } from "./support/host.ts";
import { run } from "./support/neocities.ts";
import { Terminal } from "./support/terminal.ts";

const URL_OF_SITE = "https://example.neocities.org/";
const LINK = '<link rel="resourcesync" href="/capabilitylist.xml">';

/** Pages that link to their log. */
function linked(title: string, text = title): string {
  return page(title, text).replace("<title>", `${LINK}<title>`);
}

const PAGES = {
  "index.html": linked("Home"),
  "moss.html": linked("Moss"),
  "night/bus.html": linked("Night bus"),
  "old.html": linked("Old"),
};

/** What was published, by the site's address. */
const sites = new Map<string, Promise<string>>();

/** A published site: four pages, then one updated and one deleted. */
async function published(url: string): Promise<string> {
  const site = sites.get(url) ?? publishTwice(url);
  sites.set(url, site);
  const folder = temporaryFolder();
  cpSync(await site, folder, { recursive: true, preserveTimestamps: true });
  return folder;
}

async function publishTwice(url: string): Promise<string> {
  const folder = folderOf(PAGES);
  const publish = async (now: string) => {
    const args = [
      folder,
      "--url",
      url,
      "--previous",
      "output",
      "--first",
      "--now",
      now,
      "--history",
      "files",
    ];
    expect(await rsEmit(args)).toMatchObject({ exit: 0 });
  };
  await publish("2026-10-01T12:00:00Z");
  write(folder, { "moss.html": linked("Moss", "More of it") });
  rmSync(join(folder, "old.html"));
  await publish("2026-11-03T12:00:00Z");
  return folder;
}

interface Shown {
  readonly rule: string;
  readonly level: string;
  readonly document: string;
  readonly file?: string;
  readonly line?: number;
  readonly what: string;
  readonly why: string;
  readonly cure: string;
}

async function check(...args: readonly string[]): Promise<{ exit: number; findings: Shown[] }> {
  const terminal = new Terminal();
  const { exit, stdout } = await terminal.run(["check", ...args, "--json"]);
  const { findings }: { findings: Shown[] } = JSON.parse(stdout);
  return { exit, findings };
}

function edit(folder: string, file: string, change: (text: string) => string): void {
  const path = join(folder, file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

/** The line of a text in a file, counted from 1. */
function lineOf(folder: string, file: string, text: string): number {
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  return lines.findIndex((line) => line.includes(text)) + 1;
}

describe("a published folder", () => {
  test("as rs-emit leaves it has nothing wrong", async () => {
    const folder = await published(URL_OF_SITE);
    expect(await check(folder, "--strict")).toEqual({ exit: 0, findings: [] });
    const terminal = new Terminal();
    const { stdout } = await terminal.run(["check", folder]);
    expect(stdout).toMatch(/documents and 3 pages and files were checked\. Nothing is wrong\.\n$/);
  });

  test.for<[rule: string, damage: (folder: string) => void, file: string, text: string]>([
    [
      "datetime",
      (folder) =>
        edit(folder, "changelist/2026-11.xml", (xml) =>
          xml.replace(/datetime="[^"]*"/, 'datetime="soon"'),
        ),
      "changelist/2026-11.xml",
      "<url>",
    ],
    [
      "unreadable",
      (folder) => edit(folder, "changelist/2026-11.xml", (xml) => xml.replace("</loc>", "<loc>")),
      "changelist/2026-11.xml",
      "</url>",
    ],
    [
      "target-missing",
      (folder) => rmSync(join(folder, "changelist/2026-10.xml")),
      "changelist.xml",
      "<sitemap>",
    ],
    [
      "document-bytes",
      (folder) => edit(folder, "changelist/2026-10.xml", (xml) => `${xml}<!-- by hand -->`),
      "changelist.xml",
      "<sitemap>",
    ],
    [
      "resource-missing",
      (folder) => renameSync(join(folder, "index.html"), join(folder, "home.html")),
      "resourcelist.xml",
      "<url>",
    ],
    [
      "resource-bytes",
      (folder) => edit(folder, "index.html", (html) => `${html}<!-- built again -->`),
      "resourcelist.xml",
      "<url>",
    ],
    [
      "snapshot-agrees",
      (folder) =>
        edit(folder, "changelist/2026-11.xml", (xml) =>
          xml.replace('change="deleted"', 'change="updated"'),
        ),
      "changelist/2026-11.xml",
      "<url>",
    ],
  ])("%s: the file, the line and the cure are named", async ([rule, damage, file, text]) => {
    const folder = await published(URL_OF_SITE);
    damage(folder);
    const { exit, findings } = await check(folder);
    expect(exit).toBe(1);
    const found = findings.find((one) => one.rule === rule);
    expect(found).toMatchObject({ level: "error", file: join(folder, file) });
    expect(found?.line).toBeGreaterThanOrEqual(lineOf(folder, file, text));
    expect(readFileSync(join(folder, file), "utf8").split("\n")[(found?.line ?? 0) - 1]).toMatch(
      text,
    );
    for (const part of [found?.what, found?.why, found?.cure]) expect(part).toMatch(/\S\.$/);
  });

  test("without its dot folder: the advice works", async () => {
    const folder = await published(URL_OF_SITE);
    rmSync(join(folder, ".well-known"), { recursive: true });
    const { exit, findings } = await check(folder);
    expect(exit).toBe(1);
    expect(findings).toMatchObject(
      [{ rule: "dot-folder", cure: /Run rs-emit again/ }].map(({ rule }) => ({ rule })),
    );
    await rsEmit([folder, "--url", URL_OF_SITE, "--previous", "output"]);
    expect(await check(folder)).toEqual({ exit: 0, findings: [] });
  });

  test("with documents that nothing links to, and with links that lead nowhere", async () => {
    const folder = await published(URL_OF_SITE);
    write(folder, {
      "moss.html": page("Moss").replace(
        "<title>",
        '<link href=/moss/list.xml rel="alternate ResourceSync"><title>',
      ),
    });
    await rsEmit([folder, "--url", URL_OF_SITE, "--previous", "output"]);
    const left = readFileSync(join(folder, "changelist/2026-10.xml"));
    writeFileSync(join(folder, "changelist/2025-10.xml"), left);
    writeFileSync(join(folder, "changelist/2025-11.xml.gz"), gzipSync(left));
    writeFileSync(join(folder, "feed.xml.gz"), gzipSync("<rss/>").fill(0, 10));
    const { findings } = await check(folder);
    expect(findings.map(({ rule, level }) => [rule, level])).toEqual([
      ["page-link-target", "error"],
      ["orphan", "warning"],
      ["orphan", "warning"],
    ]);
    expect(findings[0]?.what).toContain(`${URL_OF_SITE}moss/list.xml`);
    const orphans = ["changelist/2025-10.xml", "changelist/2025-11.xml.gz"];
    expect(findings.slice(1).map(({ file }) => file)).toEqual(
      orphans.map((name) => join(folder, name)),
    );
  });

  test("with a hub has nothing wrong: its notification is judged too", async () => {
    const folder = await published(URL_OF_SITE);
    write(folder, { "moss.html": linked("Moss", "Even more of it") });
    const options = { folder, url: URL_OF_SITE, previous: "output", history: "files" };
    const config = JSON.stringify({ ...options, hub: "https://hub.example/" });
    const cwd = folderOf({ "rs-emit.config.json": config });
    expect(await rsEmit(["--now", "2026-11-04T12:00:00Z"], { cwd })).toMatchObject({ exit: 0 });
    expect(await check(folder)).toEqual({ exit: 0, findings: [] });
    edit(folder, "notification.xml", (xml) => xml.replace(/change="updated"/, 'change="moved"'));
    expect(await check(folder)).toMatchObject({ exit: 1, findings: [{ rule: "change" }] });
  });

  test("whose pages do not link to the log", async () => {
    const folder = folderOf({ "index.html": page("Home"), "moss.html": page("Moss") });
    await rsEmit([folder, "--url", URL_OF_SITE, "--previous", "output"]);
    expect(await check(folder)).toMatchObject({ exit: 0, findings: [{ rule: "page-link" }] });
    const { exit, findings } = await check(folder, "--strict");
    expect(exit).toBe(1);
    expect(findings[0]?.what).toMatch(/^2 of 2 pages/);
    expect(findings[0]?.cure).toContain(LINK);
  });

  test("that names what is in no folder: another site's list, the author's own description", async () => {
    const folder = folderOf({ "index.html": linked("Home") });
    const url = "https://garden.example/";
    const alsoLists = ["/project/capabilitylist.xml"];
    const describedby = "https://author.example/";
    await emit({
      folder,
      url,
      testAddress: true,
      first: true,
      previous: "output",
      alsoLists,
      describedby,
    });
    expect(await check(folder, "--strict")).toEqual({ exit: 0, findings: [] });
    // Of a site in a folder of it, whose own Source Description is below the root.
    const project = join(folder, "project");
    write(project, { "index.html": linked("Project").replaceAll('"/cap', '"/project/cap') });
    const own = { folder: project, url: `${url}project/`, testAddress: true } as const;
    await emit({ ...own, first: true, previous: "output" });
    expect(await check(folder, "--strict")).toEqual({ exit: 0, findings: [] });
  });

  test("with links that lead round in a circle, and with documents in UTF-16", async () => {
    const folder = await published(URL_OF_SITE);
    symlinkSync(".", join(folder, "round"));
    expect(await check(folder, "--strict")).toEqual({ exit: 0, findings: [] });
    for (const name of [".well-known/resourcesync", "capabilitylist.xml"]) {
      const text = readFileSync(join(folder, name), "utf8");
      writeFileSync(join(folder, name), `\ufeff${text}`, "utf16le");
    }
    const { findings } = await check(folder);
    // Strict programs refuse what says UTF-8; the next run writes them again.
    expect(findings.map(({ rule }) => rule)).toEqual(["unreadable", "unreadable"]);
    await rsEmit([folder, "--url", URL_OF_SITE, "--previous", "output", "--history", "files"]);
    expect(await check(folder, "--strict")).toEqual({ exit: 0, findings: [] });
  });

  test.each([
    [{ url: 5, feed: 7 }, /option feed is 7/],
    [{ collections: "x" }, /option collections is "x"/],
    [{ urll: "x" }, /"urll" is not known/],
  ])("with the config %j: the file is named", async (options, words) => {
    const folder = await published(URL_OF_SITE);
    const config = join(folderOf({ "c.json": JSON.stringify(options) }), "c.json");
    for (const command of ["check", "notify"]) {
      const args = [command, folder, "--url", URL_OF_SITE, "--config", config];
      const { exit, stderr } = await run(...args);
      expect([exit, stderr]).toEqual([2, expect.stringMatching(words)]);
      expect(stderr).toContain("c.json: The option");
    }
  });

  test("that was never published, or is not there", async () => {
    const terminal = new Terminal();
    const { exit, stderr } = await terminal.run(["check", folderOf(PAGES)]);
    expect([exit, stderr]).toEqual([1, expect.stringMatching(/Publish it first/)]);
    expect(await new Terminal().run(["check", "/nowhere"])).toMatchObject({ exit: 2 });
    expect(await new Terminal().run(["check", ".", "--sample", "some"])).toMatchObject({ exit: 2 });
  });

  test("as GitHub shows it: at the line of the file", async () => {
    const folder = await published(URL_OF_SITE);
    edit(folder, "index.html", (html) => `${html} 100%`);
    const { exit, stdout } = await rsEmit(["check", ".", "--format", "github"], { cwd: folder });
    expect(exit).toBe(1);
    const line = lineOf(folder, "resourcelist.xml", "<url>");
    expect(stdout).toMatch(
      new RegExp(`^::error file=resourcelist.xml,line=${line},title=resource-bytes::index.html is`),
    );
  });
});

let answer: RequestListener | undefined;
let address: Promise<string> | undefined;

/** The live site of a folder, and what its host does to it; one at a time. */
async function live(hostOf: (folder: string) => RequestListener): Promise<string> {
  address ??= host((request, response) => answer?.(request, response));
  const url = await address;
  answer = hostOf(await published(url));
  return url;
}

const TYPES: readonly [RegExp, string][] = [
  [/\.xml$/, "application/xml"],
  [/\.html$|\/$/, "text/html"],
  [/./, "application/octet-stream"],
];

/** A host that does nothing wrong. */
function proper(folder: string): RequestListener {
  const files = serve(folder);
  return (request, response) => {
    const { pathname: path } = new URL(request.url ?? "/", "http://host");
    const type = TYPES.find(([pattern]) => pattern.test(path))?.[1] ?? "";
    response.setHeader("content-type", type);
    request.url = path.endsWith("/") ? `${path}index.html` : path;
    files(request, response);
  };
}

describe("a live site", () => {
  test("that is served as it was uploaded has nothing wrong", async () => {
    const url = await live(proper);
    expect(await check(url, "--strict", "--sample", "all")).toEqual({ exit: 0, findings: [] });
  });

  test("that is not there, and one with nothing published", async () => {
    expect(await check("http://127.0.0.1:18/")).toMatchObject({
      exit: 1,
      findings: [{ rule: "no-answer" }],
    });
    const url = await host(serve(folderOf(PAGES)));
    const { exit, findings } = await check(url);
    expect([exit, findings.map(({ rule }) => rule)]).toEqual([1, ["nothing-published"]]);
  });

  test("from any of its pages, only some of which are compared", async () => {
    const url = await live(proper);
    for (const at of ["index.html", "?a=b#c", ".well-known/resourcesync", "changelist.xml"]) {
      expect(await check(url + at)).toEqual({ exit: 0, findings: [] });
    }
    const { stdout } = await new Terminal().run(["check", url, "--sample", "2"]);
    expect(stdout).toContain("2 of 3 pages and files were checked");
  });
});

describe("packages of dumps", () => {
  async function dumped(url: string): Promise<string> {
    const folder = folderOf(PAGES);
    const publish = async (now: string) => {
      const args = [folder, "--url", url, "--previous", "output", "--now", now];
      const run = await rsEmit([...args, "--history", "files", "--dump-changes", "2"]);
      expect(run).toMatchObject({ exit: 0 });
    };
    await publish("2026-10-01T12:00:00Z");
    write(folder, { "moss.html": linked("Moss", "More of it") });
    await publish("2026-11-03T12:00:00Z");
    return folder;
  }
  const CHANGES = "changedump/20261103T120000Z-part1.zip";

  test("are found to be as their dumps say", async () => {
    const folder = await dumped(URL_OF_SITE);
    expect(await check(folder)).toMatchObject({ exit: 0, findings: [] });
    rmSync(join(folder, CHANGES));
    edit(folder, "resourcedump/1.zip", (bytes) => `${bytes} and more`);
    const { exit, findings } = await check(folder);
    expect(exit).toBe(1);
    expect(findings.map(({ rule, document }) => [rule, document])).toEqual([
      ["package-bytes", `${URL_OF_SITE}resourcedump.xml`],
      ["package-missing", `${URL_OF_SITE}changedump.xml`],
    ]);
  });

  test("have manifests that are read beside them", async () => {
    const folder = await dumped(URL_OF_SITE);
    const manifest = CHANGES.replace(/\.zip$/, "-manifest.xml");
    edit(folder, manifest, (text) => text.replace(/ path="[^"]*"/, ""));
    rmSync(join(folder, "resourcedump/1-manifest.xml"));
    const { exit, findings } = await check(folder);
    expect(exit).toBe(1);
    expect(findings.map(({ rule, document }) => [rule, document])).toEqual([
      ["target-missing", `${URL_OF_SITE}resourcedump.xml`],
      ["bitstream-path", `${URL_OF_SITE}${manifest}`],
      ["package-manifest", `${URL_OF_SITE}changedump.xml`],
    ]);
  });

  test("have manifests that are those beside them, and are judged without", async () => {
    const folder = await dumped(URL_OF_SITE);
    edit(folder, "resourcedump/1-manifest.xml", (text) => `${text}\n`);
    edit(folder, "changedump.xml", (text) => text.replace(/<rs:ln rel="contents"[^>]*>/, ""));
    rmSync(join(folder, CHANGES.replace(/\.zip$/, "-manifest.xml")));
    const broken = readFileSync(join(folder, CHANGES), "latin1").replace(
      'change="updated"',
      'change="updatex"',
    );
    writeFileSync(join(folder, CHANGES), broken, "latin1");
    const hash = createHash("sha256").update(broken, "latin1").digest("hex");
    edit(folder, "changedump.xml", (text) => text.replace(/sha-256:\w+/, `sha-256:${hash}`));
    const { exit, findings } = await check(folder);
    expect(exit).toBe(1);
    expect(findings.map(({ rule, document }) => [rule, document])).toEqual([
      ["package-manifest", `${URL_OF_SITE}resourcedump.xml`],
      ["change", URL_OF_SITE + CHANGES],
    ]);
  });
});

describe("a feed of digests", () => {
  /** A site whose second publication is not in a digest yet, two hours after it, and later. */
  async function staleness(
    entries: "publication" | "day" | "week" | "month",
    more: readonly string[],
  ) {
    const folder = folderOf(PAGES);
    const options = {
      folder,
      url: URL_OF_SITE,
      testAddress: true,
      history: "files",
      previous: "output",
    } as const;
    const publish = (now: string) => emit({ ...options, first: true, feed: { entries }, now });
    await publish("2025-10-06T12:00:00Z");
    for (const day of more) {
      write(folder, { "moss.html": linked("Moss", `More of it on ${day}`) });
      await publish(`${day}T12:00:00Z`);
    }
    const site = new PublishedFolder(folder, URL_OF_SITE);
    const description = `${URL_OF_SITE}.well-known/resourcesync`;
    const rulesAt = async (now: string) => {
      const request = { site, description, sample: 0, now: Date.parse(now) / 1000 };
      const { findings } = await judge(request);
      return findings.map(({ rule }) => rule).includes("feed-stale");
    };
    const feed = readFileSync(join(folder, "changes.atom"), "utf8");
    const last = more.at(-1) ?? "";
    write(folder, { "moss.html": linked("Moss", "Another day") });
    const fresh = await rulesAt(`${last}T14:00:00Z`);
    await publish("2026-03-01T12:00:00Z");
    write(folder, { "changes.atom": feed });
    return [fresh, await rulesAt("2026-06-01T12:00:00Z")];
  }

  test.each(["publication", "day", "week", "month"] as const)(
    "is not stale while its %s is not over, and is afterwards",
    async (entries) => {
      expect(await staleness(entries, ["2025-10-07"])).toEqual([false, true]);
      const days = ["2025-10-07", "2025-11-17", "2025-12-29"];
      expect(await staleness(entries, days)).toEqual([false, true]);
    },
  );
});

test.each(["utf16le", "utf8"] as const)(
  "an index that another program saved as %s",
  async (encoding) => {
    const folder = await published(URL_OF_SITE);
    const file = join(folder, "changelist.xml");
    const xml = readFileSync(file, "utf8");
    writeFileSync(file, `\ufeff${xml}`, encoding);
    const { findings } = await check(folder, "--url", URL_OF_SITE);
    expect(findings.filter(({ rule }) => rule === "unreadable")).toHaveLength(
      encoding === "utf8" ? 0 : 1,
    );
    await rsEmit([folder, "--url", URL_OF_SITE, "--previous", "output", "--history", "files"]);
    expect(readFileSync(file, "utf8")).toBe(xml);
  },
);
