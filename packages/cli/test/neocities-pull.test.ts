import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { download } from "../src/neocities/download.ts";
import { isFetchable, refuseTwins } from "../src/neocities/files.ts";
import { COMMAND } from "./support/command.ts";
import { commitAll, contentsOf, folderOf, page, temporaryFolder, write } from "./support/folder.ts";
import { run, siteForEachTest } from "./support/neocities.ts";
import { Terminal } from "./support/terminal.ts";

const given = siteForEachTest();

const PAGES = {
  "index.html": page("Home"),
  "moss.html": page("Moss"),
  "night/bus.html": page("Night bus"),
  "b/été & co.html": page("Été"),
  "style.css": "p {}",
};

let days = 0;

/** Publishes a folder, each time some days after the last one. */
function emit(folder: string, ...args: readonly string[]) {
  days += 1;
  const now = new Date(Date.UTC(2026, 0, 1 + days)).toISOString();
  return run(
    ...[folder, "--url", given.site.url, "--history", "files", "--clean-urls"],
    ...[...["--now", now], ...args],
  );
}

async function publish(folder: string, ...args: readonly string[]): Promise<void> {
  expect(await emit(folder)).toMatchObject({ exit: 0 });
  expect(await run("neocities", given.site.url, folder, ...args)).toMatchObject({ exit: 0 });
}

function pull(folder: string, ...args: readonly string[]) {
  return run("neocities", given.site.url, "--pull", folder, ...args);
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
  const { stdout } = await new Terminal().run(["log", given.site.url, "--json", "--minor"]);
  const changes = stdout.split("\n").filter((line) => line !== "");
  return changes.reverse().map((line) => {
    const { kind, url }: { kind: string; url: string } = JSON.parse(line);
    return `${kind} ${decodeURI(url.slice(given.site.url.length))}`;
  });
}

function contentsOfSite(): Record<string, string> {
  const files = [...given.site.files].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    files.map(([path, { bytes }]) => [path, Buffer.from(bytes).toString("latin1")]),
  );
}

/** Without what a fetch that failed keeps for the next one. */
function withoutStage(files: Readonly<Record<string, string>>): Record<string, string> {
  const paths = Object.entries(files).filter(([path]) => !path.startsWith(".rs-emit"));
  return Object.fromEntries(paths);
}

describe("two machines", () => {
  test("the older one is refused, fetches, and loses nothing", async () => {
    const { laptop, computer } = await machines();
    const before = await told();
    write(laptop, { "moss.html": page("Moss", "From the laptop"), "new.html": page("New") });
    rmSync(join(laptop, "night/bus.html"));
    await publish(laptop, "--delete");
    write(computer, { "b/été & co.html": page("Été", "From the computer") });
    expect(await run("neocities", given.site.url, computer)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/published from elsewhere .* Nothing was sent\. .*--pull/),
    });
    const documents = contentsOf(computer);
    expect(await emit(computer, "--previous", "site")).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(
        /3 pages are still as before \(moss, night\/bus, new\).*--pull/,
      ),
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

  test("a page edited on both sides stays and is named; nothing is sent before one is chosen", async () => {
    const { laptop, computer } = await machines();
    write(laptop, { "moss.html": page("Moss", "From the laptop"), "new.html": page("New") });
    await publish(laptop);
    write(computer, { "moss.html": page("Moss", "From the computer") });
    const live = contentsOfSite();
    const { exit, stderr } = await pull(computer);
    expect([exit, stderr]).toEqual([
      1,
      expect.stringMatching(
        /edits: moss\.html\. .* 1 other file was fetched\. .*--mine .*--theirs/,
      ),
    ]);
    expect(contentsOf(computer)["moss.html"]).toContain("From the computer");
    expect(contentsOf(computer)["new.html"]).toBe(live["new.html"]);
    for (const previous of ["auto", "site"]) {
      await emit(computer, "--previous", previous);
      expect(await run("neocities", given.site.url, computer)).toMatchObject({ exit: 1 });
    }
    expect(contentsOfSite()).toEqual(live);
    const theirs = temporaryFolder();
    cpSync(computer, theirs, { recursive: true });
    expect(await pull(theirs, "--theirs")).toMatchObject({ exit: 0 });
    expect(contentsOf(theirs)).toEqual(live);
    expect(await pull(computer, "--mine")).toMatchObject({ exit: 0 });
    await publish(computer);
    expect(contentsOfSite()["moss.html"]).toContain("From the computer");
    expect((await told()).slice(-3)).toEqual(["updated moss", "created new", "updated moss"]);
  });

  test("new on both sides: the same page is the same, another one is named", async () => {
    const { laptop, computer } = await machines();
    write(laptop, { "same.html": page("Same"), "other.html": page("Other", "1") });
    await publish(laptop);
    write(computer, { "same.html": page("Same"), "other.html": page("Other", "2") });
    expect((await pull(computer)).stderr).toMatch(/1 file differs .*: other\.html\./);
    expect(await pulled(computer, "--theirs")).toMatchObject({ exit: 0, surplus: [] });
    expect(contentsOf(computer)).toEqual(contentsOfSite());
  });

  test("deleted on one side, edited on the other", async () => {
    const { laptop, computer } = await machines();
    rmSync(join(laptop, "moss.html"));
    write(laptop, { "night/bus.html": page("Night bus", "Later") });
    await publish(laptop, "--delete");
    write(computer, { "moss.html": page("Moss", "More") });
    rmSync(join(computer, "night/bus.html"));
    expect(await emit(computer, "--previous", "site")).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/2 pages were edited in both \(moss, night\/bus\)/),
    });
    expect((await pull(computer)).stderr).toMatch(
      /2 files differ .*: moss\.html, night\/bus\.html\./,
    );
    expect(await pulled(computer, "--theirs")).toMatchObject({ exit: 0, removed: ["moss.html"] });
    expect(contentsOf(computer)).toEqual(contentsOf(laptop));
  });

  test("a page whose file was left on the site does not come back", async () => {
    const { laptop, computer } = await machines();
    write(laptop, { "moss.html": page("Moss", "More") });
    await publish(laptop);
    await pull(computer);
    rmSync(join(laptop, "moss.html"));
    await publish(laptop);
    expect(given.site.files.has("moss.html")).toBe(true);
    expect(await emit(computer, "--previous", "site")).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/1 page is still as before \(moss\)/),
    });
    expect(await pulled(computer)).toMatchObject({ exit: 0, removed: ["moss.html"] });
    expect(await pulled(laptop)).toMatchObject({ fetched: [], leftOver: ["moss.html"] });
    given.site.edit("moss.html", page("Moss", "A new one, made in the browser"));
    const unclear = await pull(laptop);
    expect(unclear).toMatchObject({ exit: 1, stderr: expect.stringContaining("moss.html") });
    expect(await pulled(laptop, "--theirs")).toMatchObject({
      fetched: ["moss.html"],
      leftOver: [],
    });
  });

  test("an author who goes back to an older page edits it", async () => {
    const { laptop, computer } = await machines();
    write(computer, { "moss.html": page("Moss", "More") });
    await publish(computer);
    write(laptop, { "new.html": page("New") });
    await pull(laptop);
    await publish(laptop);
    write(computer, { "moss.html": PAGES["moss.html"] });
    expect(await pulled(computer)).toMatchObject({ exit: 0, edited: ["moss.html"] });
    await publish(computer, "--delete");
    expect((await told()).slice(-3)).toEqual(["updated moss", "created new", "updated moss"]);
    expect(contentsOfSite()["moss.html"]).toBe(PAGES["moss.html"]);
  });

  test("what rs-emit writes into pages is no edit", async () => {
    const home = page("Home", '<ul data-rs-emit="changes"></ul>Home');
    const { laptop, computer } = await machines({ ...PAGES, "index.html": home });
    write(laptop, { "moss.html": page("Moss", "From the laptop") });
    await publish(laptop);
    const { fetched } = await pulled(computer);
    expect(fetched).toEqual(expect.arrayContaining(["moss.html", "index.html"]));
    expect(contentsOf(computer)).toEqual(contentsOf(laptop));
    write(computer, { "moss.html": page("Moss", "From the computer") });
    write(laptop, { "b/été & co.html": page("Été", "From the laptop") });
    await publish(laptop);
    expect(await pulled(computer)).toMatchObject({ exit: 0, edited: ["moss.html"] });
    await publish(computer);
    expect((await told()).slice(-3)).toEqual([
      "updated moss",
      "updated b/été & co",
      "updated moss",
    ]);
    expect(await run("check", given.site.url, "--sample", "all")).toMatchObject({ exit: 0 });
  });

  test("files that are in no log are named where they differ", async () => {
    const { laptop, computer } = await machines();
    write(laptop, { "style.css": "p { margin: 0 }", "new.png": "png" });
    write(laptop, { "moss.html": page("Moss", "From the laptop") });
    await publish(laptop);
    write(computer, { "moss.html": page("Moss", "From the computer") });
    expect((await pull(computer)).stderr).toMatch(
      /2 files differ .* edits: moss\.html\. In no log, .*: style\.css\./,
    );
    expect(existsSync(join(computer, "new.png"))).toBe(true);
    expect((await pull(computer, "--theirs", "style.css")).stderr).toMatch(/1 file differs .*moss/);
    expect(await pulled(computer, "--mine", "moss.html")).toMatchObject({
      exit: 0,
      fetched: expect.arrayContaining(["resourcelist.xml"]),
      edited: ["moss.html"],
    });
    const { "moss.html": moss, ...others } = contentsOfSite();
    expect(contentsOf(computer)).toMatchObject(others);
    expect(contentsOf(computer)["moss.html"]).not.toBe(moss);
  });

  test("logged files that are no pages are told apart by their hashes", async () => {
    const laptop = folderOf({ ...PAGES, "a.txt": "a", "b.txt": "b" });
    expect(await emit(laptop, "--include", "*.txt")).toMatchObject({ exit: 0 });
    await run("neocities", given.site.url, laptop);
    const computer = temporaryFolder();
    cpSync(laptop, computer, { recursive: true });
    write(laptop, { "a.txt": "a, later" });
    await emit(laptop, "--include", "*.txt");
    await run("neocities", given.site.url, laptop);
    write(computer, { "b.txt": "b, later" });
    expect(await pulled(computer)).toMatchObject({
      exit: 0,
      fetched: expect.arrayContaining(["a.txt"]),
      edited: ["b.txt"],
    });
  });
});

describe("logs that part", () => {
  test("a publication that was not sent gives way to the site's, and its pages are told once", async () => {
    const { laptop, computer } = await machines();
    write(computer, { "moss.html": page("Moss", "From the computer") });
    await emit(computer);
    write(computer, { "new.html": page("New") });
    await emit(computer);
    write(laptop, { "night/bus.html": page("Night bus", "Later") });
    await publish(laptop);
    await emit(computer); // Later than the site's, which it does not continue.
    write(computer, { "new.html": page("New", "Newer") });
    await emit(computer);
    const live = contentsOfSite();
    expect(await run("neocities", given.site.url, computer)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/which is not in the folder's log.*--pull/),
    });
    expect(contentsOfSite()).toEqual(live);
    expect(await pulled(computer)).toMatchObject({
      exit: 0,
      fetched: expect.arrayContaining(["night/bus.html"]),
      edited: ["moss.html"],
      surplus: ["new.html"],
    });
    await publish(computer);
    expect((await told()).slice(-3)).toEqual(["updated night/bus", "updated moss", "created new"]);
  });

  test("several publications that were not sent yet go on, and fetching changes nothing", async () => {
    const { computer } = await machines();
    for (const text of ["1", "2", "3"]) {
      write(computer, { "moss.html": page("Moss", text) });
      await emit(computer);
    }
    const before = contentsOf(computer);
    expect(await pulled(computer)).toMatchObject({ exit: 0, fetched: [], edited: ["moss.html"] });
    expect(contentsOf(computer)).toEqual(before);
    expect(await run("neocities", given.site.url, computer)).toMatchObject({ exit: 0 });
    expect((await told()).slice(-3)).toEqual(["updated moss", "updated moss", "updated moss"]);
  });

  test("what an upload that was cut brought to the site is known as one's own", async () => {
    const { laptop, computer } = await machines();
    write(computer, { "moss.html": page("Moss", "From the computer") });
    await emit(computer);
    given.site.breaksAfter = given.site.requests.length + 1;
    expect(await run("neocities", given.site.url, computer)).toMatchObject({ exit: 1 });
    given.site.breaksAfter = Number.POSITIVE_INFINITY;
    write(laptop, { "new.html": page("New") });
    expect(await pulled(laptop)).toMatchObject({
      exit: 0,
      fetched: expect.arrayContaining(["moss.html"]),
    });
    write(laptop, { "moss.html": page("Moss", "From both") });
    await publish(laptop);
    expect(await pulled(computer)).toMatchObject({ exit: 0, edited: [] });
    expect(contentsOf(computer)).toEqual(contentsOf(laptop));
    expect((await told()).slice(-2)).toEqual(["updated moss", "created new"]);
  });

  test("what one's own upload brought there before it was cut, and was edited again here, stays", async () => {
    const { laptop, computer } = await machines();
    write(computer, { "moss.html": page("Moss", "1") });
    await emit(computer);
    given.site.edit("moss.html", page("Moss", "1")); // The documents did not arrive.
    write(computer, { "moss.html": page("Moss", "2") });
    await emit(computer);
    await pull(laptop);
    await publish(laptop);
    expect(await pulled(computer)).toMatchObject({ exit: 0, edited: ["moss.html"] });
    await publish(computer);
    expect((await told()).slice(-2)).toEqual(["updated moss", "updated moss"]);
  });

  test("a log without changes is a log", async () => {
    const project = folderOf({ "notes.txt": "" });
    commitAll(project);
    const laptop = join(project, "site");
    write(laptop, PAGES);
    const args = ["--url", given.site.url, "--clean-urls"];
    await run(laptop, ...args, "--now", "2026-01-01T00:00:00Z");
    await run("neocities", given.site.url, laptop);
    expect(await told()).toEqual([]);
    const computer = temporaryFolder();
    cpSync(laptop, computer, { recursive: true });
    given.site.edit("moss.html", page("Moss", "From the browser"));
    expect(await pulled(computer)).toMatchObject({ exit: 0, fetched: ["moss.html"] });
  });

  test.for(["no documents", "damaged ones", "those of another first publication"])(
    "with %s, nothing tells which page is older",
    async (documents) => {
      const { laptop, computer } = await machines();
      write(laptop, { "moss.html": page("Moss", "From the laptop"), "new.html": page("New") });
      await publish(laptop);
      if (documents === "damaged ones") write(computer, { "resourcelist.xml": "<urlset" });
      else {
        for (const path of Object.keys(contentsOf(computer))) {
          if (/\.(?:xml|atom)$|resourcesync$/.test(path)) rmSync(join(computer, path));
        }
      }
      if (documents.startsWith("those")) await emit(computer, "--previous", "none");
      const live = contentsOfSite();
      expect(await run("neocities", given.site.url, computer)).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining("--pull"),
      });
      expect(contentsOfSite()).toEqual(live);
      expect((await pull(computer)).stderr).toMatch(/files? differs? .*: moss\.html[.,]/);
      expect(await pull(computer, "--theirs")).toMatchObject({ exit: 0 });
      expect(contentsOf(computer)).toEqual(live);
    },
  );

  test("a damaged log on the site stops a folder that has a log, and no other one", async () => {
    const { computer } = await machines();
    given.site.edit("resourcelist.xml", "<!-- Written by rs-emit. --><urlset");
    const before = contentsOf(computer);
    expect(await pull(computer)).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("resourcelist.xml"),
    });
    expect(withoutStage(contentsOf(computer))).toEqual(before);
    const empty = join(temporaryFolder(), "new");
    expect(await pull(empty)).toMatchObject({ exit: 0 });
    expect(contentsOf(empty)).toEqual(contentsOfSite());
  });

  test("a fresh build has no older documents", async () => {
    const { laptop } = await machines();
    write(laptop, { "moss.html": page("Moss", "From the laptop") });
    await publish(laptop);
    const build = folderOf({ ...PAGES, "night/bus.html": page("Night bus", "Later") });
    expect(await emit(build, "--previous", "site")).toMatchObject({ exit: 0 });
    expect(await run("neocities", given.site.url, build)).toMatchObject({ exit: 0 });
  });
});

describe("a fetch", () => {
  /** What differs on the site, so that there is something to fetch. */
  async function behind(files: Readonly<Record<string, string>> = {}) {
    const both = await machines();
    write(both.laptop, { "moss.html": page("Moss", "From the laptop"), "new.html": page("New") });
    write(both.laptop, files);
    await publish(both.laptop);
    return both;
  }

  test.for([
    [404, "Not found"],
    [500, "Sorry"],
    [200, "<!doctype html><title>We are busy</title>"],
  ] as const)(
    "with a page answering %i in between changes nothing, and goes on",
    async ([status, text]) => {
      const { computer } = await behind();
      const before = contentsOf(computer);
      given.site.answers.set("new.html", { status, text });
      const { exit, stderr } = await pull(computer);
      expect([exit, stderr]).toEqual([
        1,
        expect.stringMatching(/new\.html could not be fetched from the site: it .*again/),
      ]);
      expect(withoutStage(contentsOf(computer))).toEqual(before);
      given.site.answers.clear();
      given.site.served.length = 0;
      expect(await pull(computer)).toMatchObject({ exit: 0 });
      expect(given.site.served).not.toContain("moss");
      expect(contentsOf(computer)).toEqual(contentsOfSite());
    },
  );

  test("gives files the time of their last update, which the first log then has", async () => {
    for (const [index, [path, text]] of Object.entries(PAGES).entries()) {
      given.site.now = () => Date.UTC(2019, index) / 1000;
      given.site.edit(path, text);
    }
    const folder = temporaryFolder();
    await pull(folder);
    const times = Object.keys(PAGES).map((path) => statSync(join(folder, path)).mtimeMs);
    expect(times).toEqual(Object.keys(PAGES).map((_, index) => Date.UTC(2019, index)));
    await emit(folder, "--previous", "output", "--first");
    expect(contentsOf(folder)["changelist/2019-02.xml"]).toMatch(
      /moss<.*change="created" datetime="2019-02-01T00:00:00Z"/s,
    );
  });

  test("says why where nothing answers", async () => {
    await expect(download("http://127.0.0.1:9/", "new.html", "")).rejects.toThrow(
      /^new\.html could not be fetched from the site: bad port\./,
    );
  });

  test("that is killed goes on with what is not there yet", async () => {
    const { laptop, computer } = await behind();
    write(computer, { "b/été & co.html": page("Été", "From the computer") });
    rmSync(join(laptop, "night/bus.html"));
    await publish(laptop, "--delete");
    const before = contentsOf(computer);
    given.site.answers.set("new.html", "never");
    const env = { NEOCITIES_API_URL: given.site.api, NEOCITIES_API_KEY: given.site.key };
    const args = ["neocities", given.site.url, "--pull", computer];
    const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: "ignore" });
    await vi.waitUntil(() => given.site.served.includes("new"), { timeout: 60_000 });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(withoutStage(contentsOf(computer))).toEqual(before);
    given.site.answers.clear();
    given.site.served.length = 0;
    expect(await pulled(computer)).toMatchObject({
      exit: 0,
      removed: ["night/bus.html"],
      edited: ["b/été & co.html"],
    });
    expect(given.site.served).not.toContain("moss");
  });

  test("takes no name that leaves the folder, and none that rs-emit would obey", async () => {
    const { computer } = await behind();
    const names = [
      ...["../out.html", "b/../../out.html", "b//out.html", "b\\..\\out.html"],
      ...[
        "rs-emit.config.mjs",
        "b/.git/config",
        ".rs-emit.lock",
        "node_modules/x.js",
        "./out.html",
      ],
    ];
    for (const name of names) given.site.edit(name, "x");
    const { exit, leftOut } = await pulled(computer);
    expect([exit, leftOut.length]).toEqual([0, names.length]);
    expect(existsSync(join(computer, "../out.html"))).toBe(false);
    for (const name of names.slice(4)) expect(existsSync(join(computer, name))).toBe(false);
  });

  test("names with spaces, signs and odd letters", async () => {
    const odd = [
      "a b/c&d=e;f.html",
      "100%25 +.html",
      "#1?.html",
      "日本/é'(x).html",
      "con.html",
      "-.html",
    ];
    const { computer } = await behind(Object.fromEntries(odd.map((name) => [name, page(name)])));
    expect(await pull(computer)).toMatchObject({ exit: 0 });
    expect(contentsOf(computer)).toEqual(contentsOfSite());
  });

  test("writes through no link, and over nothing but files", async () => {
    const { computer } = await behind({ "pictures/a.png": "png", "c.html": page("C") });
    const before = contentsOf(computer);
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(computer, "pictures"));
    mkdirSync(join(computer, "c.html"));
    expect(await pull(computer)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(
        /a link, or a folder for a file: .*(?:pictures, c\.html|c\.html, pictures)/,
      ),
    });
    expect(contentsOf(elsewhere)).toEqual({});
    expect(withoutStage(contentsOf(computer))).toEqual(before);
    unlinkSync(join(computer, "pictures"));
    rmSync(join(computer, "c.html"), { recursive: true });
    expect(await pull(computer)).toMatchObject({ exit: 0 });
    expect(contentsOf(computer)).toEqual(contentsOfSite());
  });

  test.each(["file", "file/below"])("makes no folder of a file: %s", async (path) => {
    const computer = folderOf({ file: "mine" });
    expect(await pull(join(computer, path))).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/file is a file\. Name a folder with --pull/),
    });
    expect(contentsOf(computer)).toEqual({ file: "mine" });
  });

  test("of a site that was emptied asks before it empties the folder", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`${at}.html`, page(`${at}`)]),
    );
    const { computer } = await machines({ ...PAGES, ...many });
    for (const path of Object.keys(many)) given.site.files.delete(path);
    const before = contentsOf(computer);
    expect(await pull(computer)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/8 files of 13 would be removed here.*--theirs/),
    });
    expect(withoutStage(contentsOf(computer))).toEqual(before);
    expect(await pull(computer, "--theirs")).toMatchObject({ exit: 0 });
    expect(existsSync(join(computer, "0.html"))).toBe(false);
  });

  test("waits for another run, and two at once end alike", async () => {
    const { computer } = await behind();
    const both = await Promise.all([pull(computer), pull(computer)]);
    expect(both.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(contentsOf(computer)).toEqual(contentsOfSite());
  });

  test("wrong usage of --mine and --theirs", async () => {
    for (const args of [
      ["a", "--mine"],
      ["--pull", "a", "--mine", "--theirs"],
    ]) {
      expect(await run("neocities", given.site.url, ...args)).toMatchObject({ exit: 2 });
    }
  });
});

test("names that one disk or another cannot hold", () => {
  const names = ["a:b.html", "con.html", "COM1", "a.", "x/nul.txt/y", "a?.html"];
  expect(names.filter((name) => isFetchable(name, "win32"))).toEqual([]);
  expect(names.filter((name) => isFetchable(name, "linux"))).toEqual(names);
  expect(() => refuseTwins(["moss.html", "a/Moss.html"])).not.toThrow();
  expect(() => refuseTwins(["moss.html", "Moss.html"])).toThrow(/moss\.html and Moss\.html/);
  expect(() => refuseTwins(["\u00e9.html", "e\u0301.html"])).toThrow("one file");
});
