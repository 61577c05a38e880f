import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { rsEmit } from "../packages/cli/test/support/command.ts";
import { Workspace } from "../packages/eleventy/test/support/workspace.ts";
import { Listener } from "./hosts/listener.ts";
import { Neocities } from "./hosts/neocities.ts";
import { GitHubPages } from "./hosts/pages.ts";
import { readAction, runAction } from "./support/steps.ts";
import { sample } from "./thorough.ts";

const ROOT = mkdtempSync(join(tmpdir(), "rs-emit-deploy-"));
afterAll(() => rmSync(ROOT, { recursive: true, force: true, maxRetries: 3 }));

const LINK = '<link rel="resourcesync" href="/capabilitylist.xml">';

/** The site at each of its four publications. */
const SITES: readonly Readonly<Record<string, string>>[] = [
  { "index.html": "Home", "moss.html": "Moss", "old.html": "Old" },
  { "index.html": "Home", "moss.html": "Moss, more", "old.html": "Old" },
  { "index.html": "Home", "moss.html": "Moss, more", "night/index.html": "Night" },
  { "index.html": "Home, new", "moss.html": "Moss, more", "night/index.html": "Night" },
];

/** The changes that those are, oldest first; paths without `.html`. */
const LOG = [
  "created ",
  "created moss",
  "created old",
  "updated moss",
  "created night/",
  "deleted old",
  "updated ",
];

/** A fresh checkout, or a fresh build, of the site at one of its publications. */
function checkout(at: number): string {
  const folder = mkdtempSync(join(ROOT, "site-"));
  for (const [path, text] of Object.entries(SITES[at] ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const page = `<!doctype html><html lang="en"><head>${LINK}<title>${text}</title></head><body><main>${text}</main></body></html>`;
    writeFileSync(join(folder, path), page);
  }
  return folder;
}

/** What the live site's log says, oldest first: kind and path. */
async function logOf(url: string): Promise<string[]> {
  const { exit, stdout } = await rsEmit(["log", url, "--json"]);
  expect(exit).toBe(0);
  const changes = stdout
    .trim()
    .split("\n")
    .map((line): { kind: string; url: string } => JSON.parse(line));
  return changes
    .map((change) => `${change.kind} ${change.url.slice(url.length).replace(/\.html$/, "")}`)
    .reverse();
}

/** The same changes in each publication may stand in any order. */
function sorted(log: readonly string[]): string[] {
  return [
    ...log.slice(0, 3).sort(),
    ...log.slice(3, 4),
    ...log.slice(4, 6).sort(),
    ...log.slice(6),
  ];
}

async function check(url: string): Promise<{ rule: string; level: string; cure: string }[]> {
  const { stdout } = await rsEmit(["check", url, "--sample", "all", "--json"]);
  const { findings }: { findings: { rule: string; level: string; cure: string }[] } =
    JSON.parse(stdout);
  return findings;
}

const OPTIONS = ["--history", "files"];

const ODD_FOLDERS = [
  "moss rock",
  "a#b",
  "a?b",
  "50%",
  "a%20b",
  "[1-3]",
  "{a,b}",
  "$(touch x)",
  "-o",
];

const WRONG_INPUTS: readonly (readonly [input: string, value: string])[] = [
  ["wait", "SECONDS[$(touch made)]-9"],
  ["wait", "-1"],
  ["wait", "5m"],
  ["wait", "1\n2"],
  ["wait", ""],
  ["url", "-omade"],
  ["url", "https://moss.example"],
  ["sample", "--config=made"],
  ["strict", "yes"],
  ["version", "file:made"],
];

describe("GitHub Pages, by the actions", () => {
  const tools = join(ROOT, "tools");

  async function emit(site: GitHubPages, at: number, time: string): Promise<string> {
    const folder = checkout(at);
    const options = [...OPTIONS, "--now", time].join("\n");
    const { exit, output } = await runAction(
      "emit",
      { folder, url: site.url, options },
      ROOT,
      tools,
    );
    expect(output).not.toMatch(/rs-emit:/);
    expect(exit).toBe(0);
    return folder;
  }

  const runAfter = (site: GitHubPages, folder: string, wait = "0") =>
    runAction("after", { folder, url: site.url, wait, sample: "all", strict: "true" }, ROOT, tools);

  test("deploy, edit and redeploy three times; forget the dot folder once; a deploy that fails", async () => {
    await using site = await new GitHubPages().start();
    const first = await emit(site, 0, "2026-10-01T12:00:00Z");
    site.deploy(first, true);
    expect(await runAfter(site, first)).toEqual({ exit: 0, output: "" });

    const second = await emit(site, 1, "2026-10-02T12:00:00Z");
    site.deploy(second, false);
    const forgotten = await runAfter(site, second);
    expect(forgotten).toMatchObject({
      exit: 1,
      output: expect.stringMatching(/^::error title=dot-folder::.*include-hidden-files: true/),
    });
    site.deploy(second, true);
    expect(await runAfter(site, second)).toEqual({ exit: 0, output: "" });

    const failed = await emit(site, 2, "2026-10-03T12:00:00Z");
    expect(await runAfter(site, failed)).toMatchObject({
      exit: 1,
      output: expect.stringMatching(/^::error title=not live::.*resourcelist\.xml is not the one/),
    });
    const third = await emit(site, 2, "2026-10-03T12:10:00Z");
    site.deploy(third, false);
    const fourth = await emit(site, 3, "2026-10-04T12:00:00Z");
    site.deploy(fourth, true);
    expect(await runAfter(site, fourth)).toEqual({ exit: 0, output: "" });
    expect(sorted(await logOf(site.url))).toEqual(sorted(LOG));
  });

  test("a run twice, and a site that was changed by a later step", async () => {
    await using site = await new GitHubPages().start();
    const folder = await emit(site, 0, "2026-10-01T12:00:00Z");
    site.deploy(folder, true);
    const again = await emit(site, 0, "2026-10-02T12:00:00Z");
    writeFileSync(join(again, "moss.html"), "<!doctype html><title>Minified</title>");
    site.deploy(again, true);
    const { exit, output } = await runAfter(site, again);
    expect([exit, output]).toEqual([
      1,
      expect.stringMatching(/title=resource-bytes::.*moss\.html.*after that step/),
    ]);
    expect((await logOf(site.url)).sort()).toEqual(LOG.slice(0, 3).sort());
  });

  test("followers are notified once the deploy is live", async () => {
    await using site = await new GitHubPages().start();
    await using listener = await new Listener().start();
    const folder = await emit(site, 0, "2026-10-01T12:00:00Z");
    site.deploy(folder, true);
    const inputs = { folder, url: site.url, wait: "0", hub: `${listener.url}hub` };
    const pings = `${listener.url}ping\n`;
    const { exit, output } = await runAction("after", { ...inputs, pings }, ROOT, tools);
    expect(output).toContain(`${listener.url}hub was notified of`);
    expect(exit).toBe(0);
    expect(listener.requests).toEqual([
      expect.stringMatching(/^POST \/hub .*hub\.mode=publish.*changes\.atom/),
      expect.stringMatching(/^POST \/ping /),
    ]);
  });

  test("search engines are told of what the deploy changed", async () => {
    await using site = await new GitHubPages().start();
    await using listener = await new Listener().start();
    const key = "3f1c9a4e7b2d5086";
    const project = mkdtempSync(join(ROOT, "project-"));
    const config = { indexNow: key, indexNowEndpoint: [`${listener.url}indexnow`] };
    writeFileSync(join(project, "rs-emit.config.json"), JSON.stringify(config));
    const after = { url: site.url, wait: "0", "index-now": key };
    for (const at of [0, 1]) {
      const folder = checkout(at);
      const options = [...OPTIONS, "--now", `2026-10-0${at + 1}T12:00:00Z`].join("\n");
      const emitted = { folder, url: site.url, options };
      expect(await runAction("emit", emitted, project, tools)).toMatchObject({ exit: 0 });
      site.deploy(folder, true);
      const told = await runAction("after", { ...after, folder }, project, tools);
      expect(told.exit, told.output).toBe(0);
    }
    expect(listener.requests).toEqual([expect.stringMatching(/^POST \/indexnow .*moss/)]);
    const [told = ""] = listener.requests;
    expect(JSON.parse(told.replace("POST /indexnow ", ""))).toEqual({
      host: new URL(site.url).host,
      key,
      keyLocation: `${site.url}${key}.txt`,
      urlList: [`${site.url}moss.html`],
    });
  });

  test("a build that went on without the log is deployed over it: the next one stops until it is restored", async () => {
    await using site = await new GitHubPages().start();
    using workspace = new Workspace();
    const output = workspace.site.path("_site");
    const build = async (previous: string) => {
      rmSync(output, { recursive: true, force: true });
      workspace.configure(
        `{ url: "${site.url}", testAddress: true, link: true, previous: ${JSON.stringify(previous)}, ` +
          'history: "files", onUnreachable: process.env.CI ? "fail" : "warn" }',
      );
      const { code, out, err } = await workspace.eleventy();
      return { code, said: out + err };
    };
    workspace.site.write("index.html", "<title>Home</title>").write("moss.md", "# Moss");
    expect(await build("site")).toMatchObject({ code: 0 });
    const kept = join(ROOT, "kept");
    cpSync(output, kept, { recursive: true });
    site.deploy(output, true);

    site.isDown = true;
    workspace.site.write("night.md", "# Night");
    const without = await build("site");
    expect(without.code).toBe(0);
    expect(without.said).toMatch(/do not deploy it\. .*answers 503.*Nothing is lost/s);
    expect(readdirSync(output).sort()).toEqual([
      ".well-known",
      "index.html",
      "moss",
      "night",
      "no-changelog.xml",
    ]);
    expect(readFileSync(join(output, "index.html"), "utf8")).toBe("<title>Home</title>");
    const home = join(ROOT, "home");
    cpSync(output, home, { recursive: true });

    site.isDown = false;
    for (const hidden of [true, false]) {
      site.deploy(home, hidden);
      const stopped = await build("site");
      expect(stopped.code).toBe(1);
      expect(stopped.said.match(/Deploy the last publication/g)).toHaveLength(1);
      expect(await check(site.url)).toMatchObject([{ rule: "no-log" }]);
    }
    expect(await build(kept)).toMatchObject({ code: 0 });
    site.deploy(output, true);
    expect(await check(site.url)).toEqual([]);
    expect(await logOf(site.url)).toEqual(["created ", "created moss/", "created night/"]);
  });

  test("a collection's address with signs that mean something to a shell, curl or a URL is live", async () => {
    await using site = await new GitHubPages().start();
    const folder = checkout(0);
    for (const name of ODD_FOLDERS) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "resourcelist.xml"), name);
    }
    site.deploy(folder, true);
    const inputs = { folder, url: site.url, wait: "0", version: "none" };
    const { output } = await runAction("after", inputs, ROOT, tools);
    expect(output).not.toContain("not live");
    site.files.delete("50%/resourcelist.xml");
    const missing = await runAction("after", inputs, ROOT, tools);
    expect(missing.exit).toBe(1);
    // A runner reads %25 as a percent sign.
    const address = `${site.url}50%2525/resourcelist.xml`;
    expect(missing.output).toContain(`::error title=not live::${address} is not`);
  });

  test.each(WRONG_INPUTS)("the input %s is refused where it is %j", async (input, value) => {
    const folder = checkout(0);
    const given = { folder, url: "https://moss.example/", wait: "0", [input]: value };
    for (const name of input === "version" ? (["emit", "after"] as const) : (["after"] as const)) {
      expect(await runAction(name, given, folder, tools)).toEqual({
        exit: 2,
        output: expect.stringMatching(
          new RegExp(`^::error title=wrong input::${input} needs .*\n$`),
        ),
      });
    }
    expect(readdirSync(folder).sort()).toEqual(Object.keys(SITES[0] ?? {}).sort());
  });

  test("inputs reach the shell by the environment only, and versions are pinned", () => {
    for (const name of ["emit", "after"] as const) {
      const { runs, inputs } = readAction(name);
      for (const { run, shell } of runs.steps) {
        expect(run).not.toContain("${{");
        expect(shell).toBe("bash");
      }
      expect(inputs.version?.default).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });
});

describe("Neocities, by rs-emit neocities", () => {
  const environment = (site: Neocities) => ({
    NEOCITIES_API_KEY: site.key,
    NEOCITIES_API_URL: site.api,
  });

  async function emit(
    site: Neocities,
    at: number,
    time: string,
    ...more: string[]
  ): Promise<string> {
    const folder = checkout(at);
    const args = [
      folder,
      "--url",
      site.url,
      "--previous",
      "site",
      "--now",
      time,
      ...OPTIONS,
      ...more,
    ];
    expect(await rsEmit(args)).toMatchObject({ exit: 0, stderr: "" });
    return folder;
  }

  const upload = (site: Neocities, folder: string) =>
    rsEmit(["neocities", site.url, folder, "--delete"], { env: environment(site) });

  async function start(): Promise<Neocities> {
    const site = await new Neocities().start();
    site.now = () => Date.now() / 1000 - 3600;
    return site;
  }

  test("deploy, edit and redeploy three times; a clean-up by an action; an upload that is cut", async () => {
    await using site = await start();
    expect(
      await upload(site, await emit(site, 0, "2026-10-01T12:00:00Z", "--clean-urls")),
    ).toMatchObject({ exit: 0 });
    expect(await check(site.url)).toEqual([]);

    const second = await emit(site, 1, "2026-10-02T12:00:00Z", "--clean-urls");
    expect(await upload(site, second)).toMatchObject({ exit: 0 });
    site.cleanUp((path) => /\.[a-z]+$/.test(path));
    expect(await check(site.url)).toMatchObject([
      { rule: "dot-folder", cure: expect.stringMatching(/Upload/) },
    ]);
    await upload(site, second);
    expect(await check(site.url)).toEqual([]);
    site.cleanUp((path) => /\.[a-z]+$/.test(path));

    const third = await emit(site, 2, "2026-10-03T12:00:00Z", "--clean-urls");
    site.breaksAfter = site.requests.length + 1;
    const cut = await upload(site, third);
    expect([cut.exit, cut.stderr]).toEqual([1, expect.stringMatching(/same command again/)]);
    const findings = await check(site.url);
    expect(findings.some(({ level }) => level === "error")).toBe(true);
    site.breaksAfter = Number.POSITIVE_INFINITY;
    await upload(site, third);
    expect(await check(site.url)).toEqual([]);

    await upload(site, await emit(site, 3, "2026-10-04T12:00:00Z", "--clean-urls"));
    expect(await check(site.url)).toEqual([]);
    expect(sorted(await logOf(site.url))).toEqual(sorted(LOG));
  });

  test("addresses that are redirected: the advice of check cures them", async () => {
    await using site = await start();
    await upload(site, await emit(site, 0, "2026-10-01T12:00:00Z"));
    const findings = await check(site.url);
    expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(["redirect"]));
    expect(findings[0]?.cure).toContain("--clean-urls");
    await upload(site, await emit(site, 0, "2026-10-02T12:00:00Z", "--clean-urls"));
    expect(await check(site.url)).toEqual([]);
  });

  test("an upload cut at any request, then a fresh checkout: the log is whole", async () => {
    for (const cutAt of sample([1, 0], 1)) {
      await using site = await start();
      await upload(site, await emit(site, 0, "2026-10-01T12:00:00Z", "--clean-urls"));
      const folder = await emit(site, 1, "2026-10-02T12:00:00Z", "--clean-urls");
      site.breaksAfter = site.requests.length + cutAt;
      expect(await upload(site, folder)).toMatchObject({ exit: 1 });
      site.breaksAfter = Number.POSITIVE_INFINITY;
      const fresh = mkdtempSync(join(ROOT, "fresh-"));
      cpSync(checkout(1), fresh, { recursive: true });
      const args = [fresh, "--url", site.url, "--previous", "site", "--clean-urls", ...OPTIONS];
      expect(await rsEmit([...args, "--now", "2026-10-02T12:10:00Z"])).toMatchObject({ exit: 0 });
      await upload(site, fresh);
      expect(await check(site.url)).toEqual([]);
      expect(sorted(await logOf(site.url))).toEqual(sorted(LOG.slice(0, 4)));
    }
  });
});
