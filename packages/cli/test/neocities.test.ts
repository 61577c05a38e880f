import { hash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { leaveNoLogFile } from "../../core/src/write/no-log-file.ts";
import { NeocitiesApi } from "../src/neocities/api.ts";
import { download } from "../src/neocities/download.ts";
import type { LocalFile } from "../src/neocities/files.ts";
import { push } from "../src/neocities/push.ts";
import { FREE, planUpload } from "../src/neocities/upload-plan.ts";
import { contentsOf, folderOf, page, temporaryFolder, write } from "./support/folder.ts";
import { run, siteForEachTest } from "./support/neocities.ts";
import { answering, Terminal } from "./support/terminal.ts";

const given = siteForEachTest();

const PAGES = {
  "index.html": page("Home"),
  "moss.html": page("Moss"),
  "night/bus.html": page("Night bus"),
  "style.css": "p {}",
};

/** Publishes a folder for the site's address. */
async function emit(folder: string, now: string): Promise<void> {
  const args = [folder, "--url", given.site.url, "--previous", "output", "--history", "files"];
  expect(await run(...args, "--clean-urls", "--now", now)).toMatchObject({ exit: 0 });
}

async function published(): Promise<string> {
  const folder = folderOf(PAGES);
  await emit(folder, "2026-10-01T12:00:00Z");
  return folder;
}

function contentsOfSite(): Record<string, string> {
  const files = [...given.site.files].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    files.map(([path, { bytes }]) => [path, Buffer.from(bytes).toString("latin1")]),
  );
}

describe("rs-emit neocities", () => {
  test("refuses a build that went on without the log", async () => {
    const folder = await published();
    await run("neocities", given.site.url, folder);
    const before = contentsOfSite();
    const without = folderOf(PAGES);
    leaveNoLogFile(without, given.site.url);
    expect(await run("neocities", given.site.url, without)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/built without its change log.*Nothing was sent/),
    });
    expect(contentsOfSite()).toEqual(before);
    for (const command of ["check", "log"]) {
      expect((await run(command, without)).stderr).toMatch(/built without its change log/);
    }
  });

  test("sends pages, then documents in one request, the Resource List last; then nothing", async () => {
    const folder = await published();
    const first = await run("neocities", given.site.url, folder);
    expect(first).toMatchObject({ exit: 0 });
    expect(contentsOfSite()).toEqual(contentsOf(folder));
    const documents = given.site.story.findIndex((one) => one.includes("changelist/2026-10.xml"));
    expect(given.site.requests).toHaveLength(2);
    expect(given.site.story.slice(0, documents).sort()).toEqual(
      Object.keys(PAGES)
        .map((path) => `+ ${path}`)
        .sort(),
    );
    expect(given.site.story.at(-1)).toBe("+ resourcelist.xml");
    const again = await run("neocities", given.site.url, folder);
    expect(again.stdout).toMatch(/^Nothing to send: \d+ files on .* are the same\.$/);
    expect(given.site.requests).toHaveLength(2);
    expect(await run("check", given.site.url, "--sample", "all")).toMatchObject({
      exit: 0,
    });
  });

  test("sends what differs, and deletes only where that is asked for", async () => {
    const folder = await published();
    await run("neocities", "example", folder).catch(() => undefined);
    await run("neocities", given.site.url, folder);
    rmSync(join(folder, "moss.html"));
    rmSync(join(folder, "index.html"));
    rmSync(join(folder, "style.css"));
    write(folder, { "night/bus.html": page("Night bus", "Later") });
    const story = given.site.story.length;
    given.site.now = () => Date.now() / 1000 - 1800;
    const dry = await run("neocities", given.site.url, folder, "--delete", "--dry-run", "--json");
    expect(JSON.parse(dry.stdout)).toMatchObject({
      sent: ["night/bus.html"],
      deleted: ["moss.html", "style.css"],
    });
    expect(given.site.story.slice(story)).toEqual([]);
    const kept = await run("neocities", given.site.url, folder);
    expect(kept.stdout).toMatch(/^1 file was sent .*On the site only: .*style\.css.*--delete/);
    expect(given.site.story.slice(story)).toEqual(["+ night/bus.html"]);
    const { exit, stderr } = await run("neocities", given.site.url, folder, "--delete");
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/^To be deleted: moss\.html, style\.css/),
    ]);
    expect(given.site.story.slice(story + 1)).toEqual(["- moss.html", "- style.css"]);
    expect(given.site.files.has("index.html")).toBe(true);
  });

  test("does not delete what was written in the browser and never fetched", async () => {
    const folder = await published();
    const minutes = (number: number) => {
      given.site.now = () => Date.now() / 1000 - 7200 + 60 * number;
    };
    const upload = (...more: readonly string[]) =>
      run("neocities", given.site.url, folder, ...more);
    const refused = async (...names: readonly string[]) => {
      const live = contentsOfSite();
      for (const more of [[], ["--dry-run"]]) {
        const { exit, stderr } = await upload("--delete", ...more);
        expect([exit, stderr]).toEqual([1, expect.stringMatching(/Nothing was sent\..* --pull /)]);
        expect(stderr).toContain(`by other means: ${names.join(", ")}.`);
      }
      expect(contentsOfSite()).toEqual(live);
    };
    minutes(0);
    given.site.edit("before.css", "i {}");
    await refused("before.css");
    expect(await upload("--delete", "--mine", "before.css")).toMatchObject({ exit: 0 });
    expect(given.site.files.has("before.css")).toBe(false);
    minutes(1);
    given.site.edit("by-hand.html", "in the browser");
    given.site.edit("by-hand.png", "in the browser");
    await refused("by-hand.html", "by-hand.png");
    minutes(2);
    write(folder, { "index.html": page("Home", "Later") });
    await emit(folder, "2026-10-02T12:00:00Z");
    const kept = await upload();
    expect(kept.stdout).toMatch(/On the site only: by-hand\.html, by-hand\.png\./);
    // A picture is in no log: it may have been sent from here.
    await refused("by-hand.html");
    await run("neocities", given.site.url, "--pull", folder);
    expect(contentsOf(folder)).toMatchObject({ "by-hand.html": "in the browser" });
    rmSync(join(folder, "by-hand.html"));
    await emit(folder, "2026-10-03T12:00:00Z");
    minutes(3);
    await refused("by-hand.html");
  });

  test("deletes a page for no reader without a question, since no log would have it", async () => {
    const folder = await published();
    write(folder, {
      "draft.html": page("Draft").replace("<head>", '<head><meta name="robots" content="noindex">'),
    });
    await emit(folder, "2026-10-02T12:00:00Z");
    await run("neocities", given.site.url, folder);
    expect(given.site.files.has("draft.html")).toBe(true);
    rmSync(join(folder, "draft.html"));
    given.site.now = () => Date.now() / 1000 - 1800;
    await run("neocities", given.site.url, folder);
    expect(await run("neocities", given.site.url, folder, "--delete")).toMatchObject({ exit: 0 });
    expect(given.site.files.has("draft.html")).toBe(false);
  });

  test("does not delete what the folder has, and does not send", async () => {
    const folder = await published();
    write(folder, { "song.mp3": "a song" });
    symlinkSync("/etc/passwd", join(folder, "passwd.txt"));
    symlinkSync("/etc", join(folder, "linked"));
    const here = ["song.mp3", "passwd.txt", "linked/hosts.txt", ".env"];
    for (const path of here) given.site.edit(path, "an older one");
    given.site.now = () => Date.now() / 1000 - 1800;
    const { stdout } = await run(
      ...["neocities", given.site.url, folder, "--delete", "--skip-refused", "--json"],
    );
    expect(JSON.parse(stdout)).toMatchObject({
      deleted: [],
      refused: ["song.mp3"],
      leftOut: ["linked", "passwd.txt", ".env"],
    });
    for (const path of here) expect(given.site.files.has(path)).toBe(true);
  });

  test("what is the author's own is left out: dot files, configs, links", async () => {
    const folder = await published();
    write(folder, {
      ".env": "SECRET=1",
      "rs-emit.config.json": "{}",
      ".git/config": "",
      ".htaccess": "",
      "pictures/Thumbs.db": "",
      "Desktop.ini": "",
      ".DS_Store": "",
    });
    symlinkSync("/etc/passwd", join(folder, "passwd.txt"));
    const { stdout } = await run("neocities", given.site.url, folder, "--json");
    expect(JSON.parse(stdout).leftOut.sort()).toEqual([".env", ".htaccess", "passwd.txt"]);
    expect(
      [...given.site.files.keys()].filter((path) =>
        /env|config|git|passwd|htaccess|thumbs|desktop|ds_store/i.test(path),
      ),
    ).toEqual([]);
  });

  test("files it would refuse are named before anything is sent", async () => {
    const folder = await published();
    write(folder, { "song.mp3": "la", "old.zip": "PK" });
    const { exit, stderr } = await run("neocities", given.site.url, folder);
    expect([exit, stderr]).toEqual([
      1,
      expect.stringMatching(/refuse old\.zip, song\.mp3.*--skip-refused/),
    ]);
    expect(given.site.story).toEqual([]);
    const skipped = await run("neocities", given.site.url, folder, "--skip-refused");
    expect(skipped.stdout).toMatch(/Not sent, since Neocities refuses it: old\.zip, song\.mp3/);
    expect(given.site.files.has("resourcelist.xml")).toBe(true);
  });

  test("packages of dumps go without the option", async () => {
    const folder = await published();
    write(folder, { "resourcedump/1.zip": "PK" });
    const { stderr } = await run("neocities", given.site.url, folder);
    expect(stderr).toMatch(/refuse resourcedump\/1\.zip.*without --dump/);
  });

  test("a wrong key, the key of another site, and no key", async () => {
    const folder = await published();
    vi.stubEnv("NEOCITIES_API_KEY", "wrong");
    expect(await run("neocities", given.site.url, folder)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/refuses the key.*neocities\.org\/settings/),
    });
    for (const key of ["s3cret-key", "s3cret-\nkey"]) {
      vi.stubEnv("NEOCITIES_API_KEY", key);
      const { exit, stderr } = await run("neocities", given.site.url, folder, "--verbose");
      expect([exit, stderr]).toEqual([1, expect.stringContaining("Bearer …")]);
      expect(stderr).not.toContain("s3cret");
    }
    vi.stubEnv("NEOCITIES_API_KEY", given.site.key);
    expect(await run("neocities", "another", folder)).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/key is of the site example, not of another/),
    });
    vi.stubEnv("NEOCITIES_API_KEY", undefined);
    const terminal = new Terminal();
    terminal.stdin.end(`${given.site.key}\n`);
    const asked = await terminal.run(["neocities", given.site.url, folder]);
    expect(asked).toMatchObject({ exit: 0 });
    expect(asked.stdout + asked.stderr).not.toContain(given.site.key);
    expect(given.site.story.length).toBeGreaterThan(0);
  });

  test("the key is kept among the user's configs, for this user alone, never in the site's folder", async () => {
    const folder = await published();
    const configs = temporaryFolder();
    const kept = join(configs, "rs-emit/neocities/example.key");
    vi.stubEnv("XDG_CONFIG_HOME", configs);
    vi.stubEnv("APPDATA", configs);
    vi.stubEnv("NEOCITIES_API_KEY", undefined);
    const typing = async (key: string, ...options: readonly string[]) => {
      const terminal = new Terminal(200);
      terminal.stdin.end(`${key}\n`);
      const { exit, stdout, stderr } = await terminal.run([
        "neocities",
        "example",
        folder,
        ...options,
      ]);
      return { exit, said: stdout + stderr };
    };
    const wrong = await typing("wrong", "--save-key");
    expect(wrong).toMatchObject({
      exit: 1,
      said: expect.stringContaining("paste it when you are"),
    });
    expect(wrong.said).toContain("what you type stays hidden");
    expect(wrong.said).not.toContain("NEOCITIES_API_KEY");
    expect(existsSync(kept)).toBe(false);
    expect(await typing(given.site.key)).toMatchObject({ exit: 0 });
    expect(existsSync(kept)).toBe(false);
    for (const [answer, isKept] of [
      ["n", false],
      ["y", true],
    ] as const) {
      const { exit, stderr } = await answering(
        [given.site.key, answer],
        ["neocities", "example", folder],
      );
      expect([exit, stderr]).toEqual([
        0,
        expect.stringContaining("Keep this key for the next time"),
      ]);
      expect(existsSync(kept)).toBe(isKept);
    }
    rmSync(kept);
    const first = await typing(given.site.key, "--save-key");
    expect(first).toMatchObject({ exit: 0, said: expect.stringContaining(kept) });
    expect(first.said).not.toContain(given.site.key);
    expect(readFileSync(kept, "utf8")).toBe(`${given.site.key}\n`);
    if (process.platform !== "win32") expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(await run("neocities", "https://Example.neocities.org", folder)).toMatchObject({
      exit: 0,
    });

    chmodSync(kept, 0o644);
    writeFileSync(kept, "outdated");
    expect(await run("neocities", "example", folder)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/--save-key: the old one is kept in .*example\.key/),
    });
    expect(await typing(given.site.key, "--save-key")).toMatchObject({ exit: 0 });
    if (process.platform !== "win32") expect(statSync(kept).mode & 0o777).toBe(0o600);

    vi.stubEnv("XDG_CONFIG_HOME", join(folder, "configs"));
    vi.stubEnv("APPDATA", join(folder, "configs"));
    expect(await typing(given.site.key, "--save-key")).toMatchObject({
      exit: 2,
      said: expect.stringContaining("in the site's folder"),
    });
    expect(existsSync(join(folder, "configs"))).toBe(false);
  });

  test("a full site, before and while it is sent", async () => {
    const folder = await published();
    given.site.limit = 3000;
    const { exit, stderr } = await run("neocities", given.site.url, folder);
    expect([exit, stderr]).toEqual([
      1,
      expect.stringMatching(/no room.*files that were sent stay/i),
    ]);
    given.site.edit("huge.txt", "x");
    given.site.files.set("huge.txt", { bytes: new Uint8Array(1_000_000_000), stored: 0 });
    const before = given.site.requests.length;
    const refused = await run("neocities", given.site.url, folder);
    expect(refused.stderr).toMatch(/would be 1 MB too large.*Nothing was sent/);
    expect(given.site.requests.length).toBe(before);
  });

  test("a 200 is believed only when the site lists the files", async () => {
    const folder = await published();
    given.site.forgets = true;
    const { exit, stderr } = await run("neocities", given.site.url, folder);
    expect([exit, stderr]).toEqual([1, expect.stringMatching(/took the files, but does not list/)]);
  });

  test.for([0, 1])(
    "cut in request %i, the next run goes on, and the log is never ahead",
    async (after) => {
      const folder = await published();
      await run("neocities", given.site.url, folder);
      write(folder, { "moss.html": page("Moss", "More"), "new.html": page("New") });
      await emit(folder, "2026-11-03T12:00:00Z");
      given.site.breaksAfter = given.site.requests.length + after;
      const list = contentsOfSite()["resourcelist.xml"];
      const { exit, stderr } = await run("neocities", given.site.url, folder);
      expect([exit, stderr]).toEqual([
        1,
        expect.stringMatching(/cannot be reached.*same command again/s),
      ]);
      expect(contentsOfSite()["resourcelist.xml"]).toBe(list);
      given.site.breaksAfter = Number.POSITIVE_INFINITY;
      expect(await run("neocities", given.site.url, folder)).toMatchObject({ exit: 0 });
      expect(contentsOfSite()).toEqual(contentsOf(folder));
    },
  );

  test("a folder whose log is older than the site's is not sent", async () => {
    const folder = await published();
    const old = folderOf({});
    for (const [path, text] of Object.entries(contentsOf(folder))) {
      mkdirSync(join(old, path, ".."), { recursive: true });
      writeFileSync(join(old, path), text, "latin1");
    }
    write(folder, { "moss.html": page("Moss", "More") });
    await emit(folder, "2026-11-03T12:00:00Z");
    await run("neocities", given.site.url, folder);
    const before = contentsOfSite();
    for (const stale of [old, folderOf(PAGES)]) {
      const { exit, stderr } = await run("neocities", given.site.url, stale, "--delete");
      expect([exit, stderr]).toEqual([
        1,
        expect.stringMatching(/published from elsewhere.*--pull/),
      ]);
    }
    expect(contentsOfSite()).toEqual(before);
  });

  test("at most one publication a minute", async () => {
    given.site.now = () => 1_700_000_000;
    const folder = await published();
    const api = new NeocitiesApi({ value: given.site.key }, given.site.api);
    const waits: number[] = [];
    const request = {
      ...{ api, folder, url: given.site.url, limits: FREE },
      ...{ deletes: false, skipsRefused: false, dryRun: false, tell: () => {} },
      wait: async (seconds: number) => void waits.push(seconds),
    };
    await push({ ...request, now: () => 1_700_000_000 });
    expect(waits).toEqual([]);
    writeFileSync(join(folder, "style.css"), "p { margin: 0 }");
    await push({ ...request, now: () => 1_700_000_020 });
    writeFileSync(join(folder, "style.css"), "p { margin: 1px }");
    await push({ ...request, now: () => 1_700_000_090 });
    expect(waits).toEqual([40]);
  });

  test("pull, emit, push: for those who edit in the browser", async () => {
    for (const [path, text] of Object.entries({
      ...PAGES,
      "not_found.html": page("Lost"),
      "b/été & co.html": page("Été"),
    })) {
      given.site.edit(path, text);
    }
    const folder = temporaryFolder();
    expect(await run("neocities", given.site.url, "--pull", folder)).toMatchObject({ exit: 0 });
    expect(contentsOf(folder)).toEqual(contentsOfSite());
    await emit(folder, "2026-10-01T12:00:00Z");
    expect(await run("neocities", given.site.url, folder)).toMatchObject({ exit: 0 });
    given.site.edit("moss.html", page("Moss", "Edited in the browser"));
    const { stdout } = await run("neocities", given.site.url, "--pull", folder, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ fetched: ["moss.html"], surplus: [] });
    await emit(folder, "2026-11-03T12:00:00Z");
    await run("neocities", given.site.url, folder);
    expect(readFileSync(join(folder, "changelist/2026-11.xml"), "utf8")).toContain(
      `${given.site.url}moss<`,
    );
    expect(contentsOfSite()).toEqual(contentsOf(folder));
  });

  test("what was edited on the site is in no log, and is never sent over unseen", async () => {
    const folder = await published();
    await run("neocities", given.site.url, folder);
    const edits = { "moss.html": page("Moss", "In the browser"), "style.css": "i {}" };
    given.site.now = () => Date.now() / 1000 + 60;
    for (const [path, text] of Object.entries(edits)) given.site.edit(path, text);
    write(folder, { "index.html": page("Home", "Here") });
    rmSync(join(folder, "night/bus.html"));
    await emit(folder, "2026-11-03T12:00:00Z");
    const live = contentsOfSite();
    for (const more of [[], ["--dry-run"], ["--mine", "style.css"]]) {
      const { exit, stderr } = await run("neocities", given.site.url, folder, ...more);
      expect([exit, stderr]).toEqual([
        1,
        expect.stringMatching(/edited on the site .*: moss\.html.*Nothing was sent\..*--pull/),
      ]);
    }
    expect(contentsOfSite()).toEqual(live);
    given.site.now = () => Date.now() / 1000 - 3600;
    expect(await run("neocities", given.site.url, "--pull", folder)).toMatchObject({ exit: 1 });
    await run("neocities", given.site.url, "--pull", folder, "--theirs", "style.css");
    await emit(folder, "2026-11-04T12:00:00Z");
    expect(await run("neocities", given.site.url, folder)).toMatchObject({ exit: 0 });
    expect(contentsOfSite()).toMatchObject(edits);
    // What was published since it was fetched is one's own.
    write(folder, { "moss.html": page("Moss", "More") });
    await emit(folder, "2026-11-05T12:00:00Z");
    expect(await run("neocities", given.site.url, folder)).toMatchObject({ exit: 0 });
    given.site.edit("moss.html", page("Moss", "Again"));
    rmSync(join(folder, "moss.html"));
    await emit(folder, "2026-11-06T12:00:00Z");
    expect(await run("neocities", given.site.url, folder)).toMatchObject({ exit: 1 });
    const mine = await run("neocities", given.site.url, folder, "--mine", "moss.html", "--delete");
    expect(mine).toMatchObject({ exit: 0 });
    expect(contentsOfSite()).toEqual(contentsOf(folder));
  });

  test("a page that was deleted here and written anew on the site is fetched, and not deleted there", async () => {
    const folder = await published();
    await run("neocities", given.site.url, folder);
    rmSync(join(folder, "moss.html"));
    await emit(folder, "2026-11-03T12:00:00Z");
    await run("neocities", given.site.url, folder);
    expect((await run("neocities", given.site.url, "--pull", folder)).stdout).toMatch(/moss\.html/);
    expect(existsSync(join(folder, "moss.html"))).toBe(false);
    const anew = page("Moss", "Anew, in the browser");
    given.site.edit("moss.html", anew);
    write(folder, { "index.html": page("Home", "Here") });
    await emit(folder, "2026-11-04T12:00:00Z");
    await run("neocities", given.site.url, folder);
    expect(await run("neocities", given.site.url, folder, "--delete")).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("moss.html"),
    });
    expect(await run("neocities", given.site.url, "--pull", folder)).toMatchObject({ exit: 0 });
    expect(readFileSync(join(folder, "moss.html"), "utf8")).toBe(anew);
  });

  test("wrong usage", async () => {
    for (const args of [
      [],
      ["example", "a", "--pull", "b"],
      ["example", "/nowhere"],
      ["example", ".", "--deleet"],
    ]) {
      expect(await run("neocities", ...args)).toMatchObject({ exit: 2 });
    }
  });
});

test("requests are small, whatever the files; documents are the last, the Resource List at the end", () => {
  const file = fc.record({
    path: fc.stringMatching(/^[a-z]{1,8}\.html$/),
    size: fc.integer({ min: 0, max: 95_000_000 }),
    isDocument: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.uniqueArray(file, { selector: ({ path }) => path }), (some) => {
      const local: LocalFile[] = [
        ...some,
        { path: "resourcelist.xml", size: 10, isDocument: true },
      ].map((one) => ({ ...one, sha1: one.path, written: 0 }));
      const { requests, unchanged } = planUpload(local, []);
      const sent = requests.flat();
      expect([sent.length, unchanged]).toEqual([local.length, 0]);
      expect(sent.at(-1)?.path).toBe("resourcelist.xml");
      expect(sent.findLastIndex((one) => !one.isDocument)).toBeLessThan(
        sent.findIndex((one) => one.isDocument),
      );
      for (const request of requests) {
        const size = request.reduce((sum, one) => sum + one.size, 0);
        expect(request.length === 1 || size <= 90_000_000).toBe(true);
      }
    }),
  );
});

test("many small files go in several requests", async () => {
  const folder = await published();
  const names = Array.from({ length: 250 }, (_, number) => `${number}.css`);
  write(folder, Object.fromEntries(names.map((name) => [name, "p {}"])));
  expect(await run("neocities", given.site.url, folder)).toMatchObject({ exit: 0 });
  expect(contentsOfSite()).toEqual(contentsOf(folder));
  expect(given.site.requests.length).toBe(4);
});

describe("a site that is busy", () => {
  test("is asked again for what is only read", async () => {
    const folder = await published();
    given.site.busy = 3;
    expect(await run("neocities", given.site.url, folder)).toMatchObject({ exit: 0 });
    const bytes = given.site.files.get("moss.html")?.bytes ?? new Uint8Array();
    given.site.busy = 3;
    const downloaded = await download(given.site.url, "moss.html", hash("sha1", bytes, "hex"));
    expect(Buffer.from(downloaded).equals(bytes)).toBe(true);
  });

  test("for long ends the command, and the next one goes on", async () => {
    const folder = await published();
    given.site.busy = 4;
    const { exit, stderr } = await run("neocities", given.site.url, folder);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("answers 503")]);
    expect(await run("neocities", given.site.url, folder)).toMatchObject({ exit: 0 });
  });

  test("is asked once to store files", async () => {
    const folder = await published();
    const api = new NeocitiesApi({ value: given.site.key }, given.site.api);
    given.site.busy = 1;
    await expect(api.upload([{ path: "a.css", bytes: new Uint8Array() }])).rejects.toThrow("503");
    expect([given.site.busy, given.site.files.size]).toEqual([0, 0]);
    expect(await run("neocities", given.site.url, folder)).toMatchObject({ exit: 0 });
  });
});
