import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeFolder } from "../src/make-folder.ts";
import { CommandProcess } from "./support/command.ts";

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
