import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMAND, rsEmit } from "./support/command.ts";
import { folderOf, page, temporaryFolder, write } from "./support/folder.ts";
import { host, serve } from "./support/host.ts";
import { Terminal } from "./support/terminal.ts";

const SITE = "https://example.org/base/";

interface Logged {
  readonly url: string;
  readonly kind: string;
  readonly datetime: string;
  readonly collection?: string;
  readonly minor?: boolean;
  readonly quotes?: unknown;
}

/** A site with two collections and four publications in three months. */
const folder = folderOf({
  "moss/index.html": page("Moss"),
  "moss/old.html": page("Old moss"),
  "gallery/index.html": page("Small windows"),
});
const published: Logged[] = [];

async function publish(now: string): Promise<void> {
  const args = [folder, "--url", SITE, "--collection", "moss/", "--collection", "gallery/"];
  const { exit, stdout } = await rsEmit([
    ...[...args, "--previous", "output", "--history", "files"],
    ...["--now", now, "--json"],
  ]);
  expect(exit).toBe(0);
  const { collections } = JSON.parse(stdout);
  for (const { url: collection, changes } of collections) {
    for (const change of changes) published.push({ ...change, collection });
  }
}

beforeAll(async () => {
  await publish("2026-08-01T10:00:00Z");
  write(folder, { "moss/index.html": page("Moss", "Greener"), "moss/new.html": page("New moss") });
  await publish("2026-09-01T10:00:00Z");
  rmSync(join(folder, "moss/old.html"));
  write(folder, {
    "gallery/index.html": page("Small windows", "Small windows<p>A window", "Other footer"),
  });
  await publish("2026-10-05T10:00:00Z");
  write(folder, {
    "gallery/index.html": page("Small windows", "Small windows<p>A window", "New footer"),
  });
  await publish("2026-10-06T10:00:00Z");
});

function byTime(one: Logged, other: Logged): number {
  return Date.parse(other.datetime) - Date.parse(one.datetime);
}

function parsed(stdout: string): Logged[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("rs-emit log", () => {
  test("shows every change that was published, newest first", async () => {
    const { exit, stdout, stderr } = await rsEmit(["log", folder, "--minor", "--json"]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    const shown = parsed(stdout);
    expect(shown.toSorted(byTime)).toEqual(shown);
    // Later changes took quoted words away.
    const facts = ({ quotes: _, ...one }: Logged) => JSON.stringify(one);
    expect(new Set(shown.map(facts))).toEqual(new Set(published.map(facts)));
    expect(shown).toHaveLength(published.length);
  });

  test("prints date, kind and title on one line, and whether a change is minor", async () => {
    const { stdout, stderr } = await rsEmit(["log", folder, "--since", "2026-09-01", "--minor"]);
    expect(stderr).toBe("");
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      "2026-10-06 updated Home page (minor)",
      "2026-10-05 updated Home page – New: “A window”",
      "2026-10-05 deleted Old moss",
      "2026-09-01 created New moss",
    ]);
    expect(stdout).not.toContain("2026-08");
  });

  test("calls pages as the feed does, without what all titles share", async () => {
    const site = folderOf({
      "index.html": page("My garden"),
      "ami.html": page("Ami – My garden"),
      "fan.html": page("Fan – My garden"),
      "moss.html": page("Moss – My garden"),
      "plain.txt": "No title",
    });
    const args = ["--url", SITE, "--previous", "output", "--history", "files"];
    await rsEmit([site, ...args, "--include", "**/*.txt", "--any-folder"]);
    const { stdout, stderr } = await rsEmit(["log", site]);
    const names = stdout.split("\n").map((line) => line.replace(/^\S+ created /, ""));
    expect(stderr).toBe("");
    expect(names.toSorted()).toEqual(["", "Ami", "Fan", "Home page", "Moss", "plain.txt"]);
  });

  test("hides minor changes unless asked for them, and says how many", async () => {
    const { stdout, stderr } = await rsEmit(["log", folder]);
    expect(stdout).not.toContain("minor");
    expect(stdout.split("\n")).toHaveLength(published.filter(({ minor }) => !minor).length + 1);
    expect(stderr).toBe("1 minor change is not shown: --minor shows it.\n");
    const json = await rsEmit(["log", folder, "--json"]);
    expect(parsed(json.stdout)).toEqual(
      parsed((await rsEmit(["log", folder, "--minor", "--json"])).stdout).filter(
        (one) => !one.minor,
      ),
    );
    expect(json.stderr).toBe("");
  });

  test("reads the live site, from its address or a collection's", async () => {
    const root = temporaryFolder();
    const url = await host((request, response) => {
      request.url = request.url?.replace(/^\/base/, "");
      serve(folder)(request, response);
    });
    const { stdout } = await rsEmit(["log", folder, "--json"], { cwd: root });
    expect((await rsEmit(["log", `${url}base/`, "--json"])).stdout).toBe(stdout);
    const moss = await rsEmit(["log", `${url}base/moss`, "--json"]);
    expect(parsed(moss.stdout)).toEqual(
      parsed(stdout).filter(({ collection }) => collection === `${SITE}moss/`),
    );
  });

  test("gives no advice on publishing where the live site cannot be read", async () => {
    const url = await host((_, response) => response.writeHead(503, { "retry-after": "0" }).end());
    const { exit, stderr } = await rsEmit(["log", url]);
    expect(exit).toBe(1);
    expect(stderr).toContain("503");
    expect(stderr).toContain("try again later");
    expect(stderr).not.toMatch(/--|written|first publication/);
  });

  test("reads one collection, by its path or its own folder", async () => {
    const one = await rsEmit(["log", folder, "--collection", "gallery/", "--json"]);
    expect(parsed(one.stdout).map(({ url }) => url)).toEqual(
      Array.from(parsed(one.stdout), () => `${SITE}gallery/`),
    );
    expect((await rsEmit(["log", join(folder, "gallery"), "--json"])).stdout).toBe(one.stdout);
    const wrong = await rsEmit(["log", folder, "--collection", "galery/"]);
    expect(wrong).toMatchObject({ exit: 2, stdout: "" });
    expect(wrong.stderr).toContain("There are: gallery/, moss/.");
  });

  test("reads the folder of the config where none is named", async () => {
    const project = folderOf({ "rs-emit.config.json": JSON.stringify({ folder }) });
    const { stdout } = await rsEmit(["log", "--minor"], { cwd: project });
    expect(stdout.split("\n")).toHaveLength(published.length + 1);
  });

  test("cuts a line at the width of a terminal", async () => {
    const { stdout } = await new Terminal(30).run(["log", folder]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the terminal's colours
    const lines = stdout.replaceAll(/\x1b\[\d+m/g, "").split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
  });

  test.for([
    [["log", "nowhere"], 1, "There is no change log in nowhere"],
    [["log", "."], 1, "There is no change log in this folder."],
    [["log"], 2, "Whose log?"],
    [["log", ".", "--sinc", "2026"], 2, "rs-emit log --help"],
  ] as const)("says what is missing: %j", async ([args, exit, words]) => {
    const outcome = await rsEmit(args);
    expect(outcome).toMatchObject({ exit, stdout: "" });
    expect(outcome.stderr).toContain(words);
  });

  test("says what a date must be, and names a list that is damaged", async () => {
    expect((await rsEmit(["log", folder, "--since", "yesterday"])).stderr).toContain("2026-10-05");
    const copy = folderOf({});
    cpSync(folder, copy, { recursive: true });
    write(copy, { "moss/changelist/2026-10.xml": "<urlset>" });
    const outcome = await rsEmit(["log", copy]);
    expect(outcome.exit).toBe(1);
    expect(outcome.stderr).toContain("moss/changelist/2026-10.xml");
  });

  test("ends quietly when a pager is left early", async () => {
    const many = Array.from({ length: 3000 }, (_, n) => [`page-${n}.html`, page(`Page ${n}`)]);
    const site = folderOf(Object.fromEntries(many));
    await rsEmit([site, "--url", SITE, "--previous", "output", "--any-folder", "--quiet"]);
    const child = spawn(process.execPath, [COMMAND, "log", site, "--json"], { stdio: "pipe" });
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += chunk));
    await once(child.stdout, "data");
    child.stdout.destroy();
    expect(await once(child, "close")).toEqual([0, null]);
    expect(errors).toBe("");
  });
});
