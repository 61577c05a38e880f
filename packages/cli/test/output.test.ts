import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMAND, rsEmit, rsEmitProcess } from "./support/command.ts";
import { contentsOf, folderOf, page, SITE, siteFolder, write } from "./support/folder.ts";

const SET_UP = ["--url", "https://example.org/", "--previous", "output"];

describe("--json", { concurrent: true }, () => {
  test("is one object on standard output, and nothing else", async () => {
    const folder = siteFolder();
    await rsEmit([folder, ...SET_UP, "--now", "2026-10-05T18:30:00Z"]);
    write(folder, { "moss.html": page("Moss", "Moss", "By foot"), "new.html": page("New") });
    rmSync(join(folder, "night/bus.html"));
    const now = "2026-10-19T07:45:00Z";
    const outcome = await rsEmit([folder, ...SET_UP, "--json", "--now", now]);
    expect(outcome).toMatchObject({ exit: 0, stderr: "" });
    expect(outcome.stdout).toMatch(/^\{\n[\s\S]*\n\}\n$/);
    const result = JSON.parse(outcome.stdout);
    expect(result).toMatchObject({
      status: "published",
      first: false,
      dryRun: false,
      datetime: now,
      site: "https://example.org/",
      folder,
      sourceDescription: "https://example.org/.well-known/resourcesync",
      collections: [{ url: "https://example.org/", resources: 3, undated: [] }],
      notes: [],
    });
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(result.collections[0].changes).toEqual([
      {
        url: "https://example.org/moss.html",
        kind: "updated",
        datetime: now,
        lastmod: now,
        minor: true,
        title: "Moss",
        hash,
        length: expect.any(Number),
        type: "text/html",
      },
      {
        url: "https://example.org/new.html",
        kind: "created",
        datetime: now,
        lastmod: now,
        title: "New",
        hash,
        length: expect.any(Number),
        type: "text/html",
      },
      {
        url: "https://example.org/night/bus.html",
        kind: "deleted",
        datetime: now,
        lastmod: now,
        title: "Night bus",
      },
    ]);
    const documents: { path: string; status: string; length: number }[] = result.documents;
    expect(documents.find(({ path }) => path === "resourcelist.xml")?.status).toBe("written");
    expect(documents.find(({ path }) => path === "about.xml")?.status).toBe("unchanged");
  });
});

describe("what is printed", { concurrent: true }, () => {
  test("--quiet: nothing", async () => {
    const folder = siteFolder();
    const quiet = [folder, ...SET_UP, "--quiet"];
    expect(await rsEmit(quiet)).toEqual({ exit: 0, stdout: "", stderr: "" });
    expect(contentsOf(folder)).toHaveProperty(["resourcelist.xml"]);
  });

  test("--quiet: errors all the same, one paragraph without a stack", async () => {
    const outcome = await rsEmit([folderOf({}), ...SET_UP, "--quiet"]);
    expect(outcome).toMatchObject({ exit: 1, stdout: "" });
    expect(outcome.stderr).toMatch(/^rs-emit: There are no pages in [^\n]+\n$/);
  });

  test("--verbose: where an error came from", async () => {
    const { stderr } = await rsEmit([folderOf({}), ...SET_UP, "--verbose"]);
    expect(stderr).toMatch(/^rs-emit: There are no pages in [^\n]+\n\nEmitError: [\s\S]+\n +at /);
  });

  test("--dry-run: what would be, and nothing is written", async () => {
    const folder = siteFolder();
    const { exit, stdout } = await rsEmit([folder, ...SET_UP, "--dry-run"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^A dry run: nothing was written\./);
    expect(stdout).toContain("documents would be written");
    expect(stdout).not.toContain("Upload");
    expect(contentsOf(folder)).toEqual(SITE);
  });

  test("a second run: that there is nothing to do", async () => {
    const folder = siteFolder();
    await rsEmit([folder, ...SET_UP, "--now", "2026-10-05T18:30:00Z"]);
    const before = contentsOf(folder);
    const { exit, stdout } = await rsEmit([folder, ...SET_UP]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^Nothing changed since 5 October 2026, 18:30 UTC\.\n/);
    expect(contentsOf(folder)).toEqual(before);
  });

  test("only minor changes: one line, with their pages", async () => {
    const folder = siteFolder();
    await rsEmit([folder, ...SET_UP, "--now", "2026-10-05T18:30:00Z"]);
    write(folder, { "moss.html": page("Moss", "Moss", "By foot") });
    const now = ["--now", "2026-10-06T18:30:00Z"];
    const { stdout } = await rsEmit([folder, ...SET_UP, ...now]);
    expect(stdout).toBe(
      "1 minor change, published 6 October 2026, 18:30 UTC; feeds leave it out: /moss.html.\n",
    );
  });

  test("--version and --help", async ({ expect }) => {
    const manifest = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");
    const stated = `${JSON.parse(manifest).version}\n`;
    expect(await rsEmit(["--version"])).toEqual({ exit: 0, stdout: stated, stderr: "" });
    const { exit, stdout, stderr } = await rsEmit(["--help"]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: rs-emit <dir> --url <site>/);
    const tooLong = stdout.split("\n").filter((line) => line.length > 80);
    expect(tooLong).toEqual([]);
    expect(stdout.split("\n").length).toBeLessThanOrEqual(40);
    expect(stdout).toMatchSnapshot();
    const { stdout: all } = await rsEmit(["--help", "all"]);
    expect(all).toMatchSnapshot();
    expect(all.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect((await rsEmit(["help", "all"])).stdout).toBe(all);
  });
});

test("two runs at once publish once", async () => {
  const folder = siteFolder();
  const run = () => rsEmitProcess([folder, ...SET_UP, "--json"]);
  const outcomes = await Promise.all([run(), run()]);
  expect(outcomes).toMatchObject([{ exit: 0 }, { exit: 0 }]);
  const results = outcomes.map(({ stdout }) => JSON.parse(stdout).status);
  expect(results.sort()).toEqual(["published", "unchanged"]);
  expect(Object.keys(contentsOf(folder)).filter((file) => file.includes("rs-emit"))).toEqual([]);
});

test("--force takes over a foreign file", async () => {
  const folder = folderOf({ ...SITE, "capabilitylist.xml": "<mine/>" });
  expect(await rsEmit([folder, ...SET_UP])).toMatchObject({ exit: 1 });
  expect(await rsEmit([folder, ...SET_UP, "--force"])).toMatchObject({ exit: 0 });
  expect(contentsOf(folder)["capabilitylist.xml"]).toContain("Written by rs-emit.");
});

test("--allow-mass-delete lets most pages go", async () => {
  const names = Array.from({ length: 30 }, (_, number) => `page-${number}.html`);
  const folder = folderOf(Object.fromEntries(names.map((name) => [name, page(name)])));
  await rsEmit([folder, ...SET_UP]);
  for (const name of names.slice(5)) rmSync(join(folder, name));
  const { exit, stdout } = await rsEmit([folder, ...SET_UP, "--allow-mass-delete"]);
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^25 changes, published /);
  expect(stdout.match(/^ {2}deleted /gm)).toHaveLength(20);
  expect(stdout).toContain("\n  and 5 more changes\n");
});

test("a reader that leaves early is no failure", () => {
  const run = `"${process.execPath}" "${COMMAND}" "${siteFolder()}" ${SET_UP.join(" ")} --test-address`;
  const { stderr } = spawnSync("sh", ["-c", `${run} | true`], { encoding: "utf8" });
  expect(stderr).toBe("");
});
