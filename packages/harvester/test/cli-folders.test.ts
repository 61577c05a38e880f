import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeFolder } from "../src/folders.ts";
import { openSqlite } from "../src/store/open-store.ts";
import { COMMAND, CommandProcess } from "./support/command.ts";

const PLACE = mkdtempSync(join(tmpdir(), "rs-harvest-folders-"));
afterAll(() => rmSync(PLACE, { recursive: true }));

/** Nobody listens there: a run that asks first names it. */
const SITE = "http://127.0.0.1:9/";

/** `/proc` has no room for folders, and answers that they are missing: a recursive `mkdir` of Node tries forever. */
describe("a folder that cannot be made is named at once", () => {
  test.each([
    [["sync", SITE, "/proc/x"], "/proc/x cannot hold a copy"],
    [["serve", "--data", "/proc/x", "--port", "0"], "/proc/x cannot be opened"],
    [[SITE, "--out", "/proc/x"], "/proc/x cannot be written"],
    [[SITE, "--out", "/proc/x/y/z"], "/proc/x/y/z cannot be written"],
    [[SITE, "--out", join(PLACE, "feeds"), "--data", "/proc/x"], "/proc/x cannot be opened"],
    [["import", "/dev/null", "--data", "/proc/x"], "/proc/x cannot be opened"],
  ])("%j", async (args, words) => {
    const { exit, stderr } = await new CommandProcess(args, {
      XDG_STATE_HOME: PLACE,
    }).end();
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(exit).toBe(1);
  });
});

/** A number without a name and without rights. */
const STRANGER = 54_321;
const asStranger = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, [COMMAND, ...args], {
    uid: STRANGER,
    encoding: "utf8",
    env: { ...process.env, ...more },
  });

describe.skipIf(process.getuid?.() !== 0)("what belongs to another user (needs root)", () => {
  const place = mkdtempSync(join(PLACE, "of-others-"));
  for (const folder of [PLACE, place]) chmodSync(folder, 0o755);
  const of = "belongs to the user 0, and rs-harvest runs as the user 54321.";

  test.each([
    ["its database", "database", (folder: string) => chownSync(folder, STRANGER, STRANGER)],
    ["its folder", "folder", () => {}],
  ])("is said, and the way to give it away: %s", async (_, name, change) => {
    const folder = join(place, name);
    await (await openSqlite(folder)).close();
    change(folder);
    const { stderr, status } = asStranger(["export", "--data", folder]);
    expect(stderr).toContain(`The database in ${folder} cannot be opened: ${folder}`);
    expect(stderr).toContain(`${of} Nothing in it is damaged.`);
    expect(stderr).toContain(`chown -R 54321 ${folder}\n`);
    expect(stderr).not.toMatch(/backup|start again/);
    expect(status).toBe(1);
  });

  test("is never to be given away where it is only above the folder", () => {
    const { stderr } = asStranger(["import", "/dev/null", "--data", join(place, "new/data")]);
    expect(stderr).toContain(`${place} ${of} Make the folder`);
    expect(stderr).not.toContain("chown");
  });
});

test.each(["file", "harvest.sqlite"])(
  "--data that is a file is said to be one: %s",
  async (name) => {
    const file = join(mkdtempSync(join(PLACE, "file-")), name);
    writeFileSync(file, "");
    const { exit, stderr } = await new CommandProcess(["export", "--data", file]).end();
    expect(stderr).toContain(
      `The database in ${file} cannot be opened: it is a file, and no folder.`,
    );
    expect(stderr).not.toContain("backup");
    expect(exit).toBe(1);
  },
);

test("a damaged database is to be restored", async () => {
  const folder = mkdtempSync(join(PLACE, "damaged-"));
  writeFileSync(join(folder, "harvest.sqlite"), "no database".repeat(1_000));
  const { stderr } = await new CommandProcess(["export", "--data", folder]).end();
  expect(stderr).toContain("Restore it from a backup.");
});

describe("a folder is made", () => {
  test("with those above it, or is there already", () => {
    const folder = join(PLACE, "a/b/c");
    makeFolder(folder);
    makeFolder(folder);
    writeFileSync(join(folder, "file"), "");
    symlinkSync(folder, join(PLACE, "link"));
    makeFolder(join(PLACE, "link"));
    makeFolder(join(PLACE, "link/d"));
  });

  test.each([
    ["in place of a file", "file", "EEXIST"],
    ["below a file", "file/a", "ENOTDIR"],
    ["behind a link to nothing", "broken/a", "EEXIST"],
  ])("%s is an error", (_, path, code) => {
    const place = mkdtempSync(join(PLACE, "taken-"));
    writeFileSync(join(place, "file"), "");
    symlinkSync(join(place, "nowhere"), join(place, "broken"));
    expect(() => makeFolder(join(place, path))).toThrow(code);
  });
});
