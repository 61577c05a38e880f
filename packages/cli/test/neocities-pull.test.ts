import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Neocities } from "../../../test/hosts/neocities.ts";
import { contentsOf, folderOf, page, temporaryFolder, write } from "./support/folder.ts";
import { Terminal } from "./support/terminal.ts";

let site: Neocities;
beforeEach(async () => {
  site = await new Neocities().start();
  site.now = () => Date.now() / 1000 - 3600; // No update has to wait for its minute.
  vi.stubEnv("NEOCITIES_API_URL", site.api);
  vi.stubEnv("NEOCITIES_API_KEY", site.key);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await site[Symbol.asyncDispose]();
});

const PAGES = {
  "index.html": page("Home"),
  "moss.html": page("Moss"),
  "night/bus.html": page("Night bus"),
  "b/été & co.html": page("Été"),
  "style.css": "p {}",
};

/** What a run said, without the line breaks of a terminal. */
async function run(...args: readonly string[]) {
  const { exit, stdout, stderr } = await new Terminal().run(args);
  const unwrapped = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  return { exit, stdout: unwrapped(stdout), stderr: unwrapped(stderr) };
}

let days = 0;

/** Publishes a folder, each time some days after the last one. */
function emit(folder: string, ...args: readonly string[]) {
  days += 1;
  const now = new Date(Date.UTC(2026, 0, 1 + days)).toISOString();
  return run(
    ...[folder, "--url", site.url, "--history", "files", "--clean-urls"],
    ...[...["--now", now], ...args],
  );
}

async function publish(folder: string, ...args: readonly string[]): Promise<void> {
  expect(await emit(folder)).toMatchObject({ exit: 0 });
  expect(await run("neocities", site.url, folder, ...args)).toMatchObject({ exit: 0 });
}

function pull(folder: string, ...args: readonly string[]) {
  return run("neocities", site.url, "--pull", folder, ...args);
}

async function pulled(folder: string, ...args: readonly string[]) {
  const { exit, stdout } = await pull(folder, "--json", ...args);
  return { exit, ...JSON.parse(stdout) };
}

/** The site as two machines have it. */
async function machines(
  pages: Readonly<Record<string, string>> = PAGES,
): Promise<{ laptop: string; computer: string }> {
  const laptop = folderOf(pages);
  await publish(laptop);
  const computer = temporaryFolder();
  cpSync(laptop, computer, { recursive: true });
  return { laptop, computer };
}

/** What the log tells, oldest first: `updated moss`. */
async function told(): Promise<string[]> {
  const { stdout } = await new Terminal().run(["log", site.url, "--json"]);
  const changes = stdout.split("\n").filter((line) => line !== "");
  return changes.reverse().map((line) => {
    const { kind, url }: { kind: string; url: string } = JSON.parse(line);
    return `${kind} ${decodeURI(url.slice(site.url.length))}`;
  });
}

describe("two machines", () => {
  test("the older one is refused, fetches, and loses nothing", async () => {
    const { laptop, computer } = await machines();
    const before = await told();
    write(laptop, { "moss.html": page("Moss", "From the laptop"), "new.html": page("New") });
    rmSync(join(laptop, "night/bus.html"));
    await publish(laptop, "--delete");
    write(computer, { "b/été & co.html": page("Été", "From the computer") });
    expect(await run("neocities", site.url, computer)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/published from elsewhere .* Nothing was sent\. .*--pull/),
    });
    const documents = contentsOf(computer);
    expect(await emit(computer, "--previous", "site")).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/3 pages are as before it \(moss, night\/bus, new\).*--pull/),
    });
    expect(contentsOf(computer)).toEqual(documents);
    expect(await pulled(computer, "--dry-run")).toMatchObject({
      exit: 0,
      edited: [expect.anything()],
    });
    expect(contentsOf(computer)).toEqual(documents);
    expect(await pulled(computer)).toMatchObject({
      exit: 0,
      fetched: expect.arrayContaining(["moss.html", "new.html", "resourcelist.xml"]),
      removed: ["night/bus.html"],
      edited: ["b/été & co.html"],
      surplus: [],
    });
    await publish(computer);
    expect((await told()).slice(before.length)).toEqual([
      "updated moss",
      "created new",
      "deleted night/bus",
      "updated b/été & co",
    ]);
    expect(await pulled(laptop)).toMatchObject({ exit: 0, edited: [], surplus: [] });
    expect(contentsOf(laptop)).toEqual(contentsOf(computer));
  });
});
