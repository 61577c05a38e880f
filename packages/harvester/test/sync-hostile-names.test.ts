import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CopiedSite } from "./support/copied-site.ts";

/** What makes a folder a repository whose configuration runs a command at `git status`. */
function repository(at: string, witness: string): Record<string, string> {
  return {
    [`${at}HEAD`]: "ref: refs/heads/main\n",
    [`${at}config`]: `[core]\n\tfsmonitor = "touch '${witness}'; false"\n`,
    [`${at}objects/a`]: "a",
    [`${at}refs/a`]: "a",
  };
}

describe("git status in the copy of a hostile site runs nothing", () => {
  test.each([
    ["a repository", "/.git/"],
    ["one in a folder", "/shrine/.git/"],
    ["one in a folder of another case", "/.GIT/"],
    ["one behind a name that is too long", `/${"x".repeat(200)}.git/`],
    ["one without a working tree", "/"],
    ["one without a working tree in a folder", "/shrine/"],
  ])("%s: %s", async (_, at) => {
    await using garden = await CopiedSite.start();
    const witness = join(dirname(garden.folder), "witness");
    garden.edit({ "/": "home", "/shrine/": "shrine", ...repository(at, witness) }).publish();
    expect((await garden.sync()).problems).toEqual([]);
    const folders = new Set(Object.keys(garden.copy()).map((path) => dirname(path)));
    for (const folder of folders) {
      const { stderr } = spawnSync("git", ["status"], { cwd: join(garden.folder, folder) });
      expect(String(stderr)).toContain("not a git repository");
    }
    expect(existsSync(witness)).toBe(false);
    expect((await garden.sync()).counts).toMatchObject({ created: 0, updated: 0, unchanged: 6 });
  });
});

test("a name that is longer than the system allows fails alone", async () => {
  await using garden = await CopiedSite.start();
  const long = `/${"*".repeat(1500)}`;
  garden.edit({ "/": "home", [long]: "long", "/moss.html": "moss" }).publish();
  const { problems } = await garden.sync();
  expect(problems).toMatchObject([{ url: garden.site.urlOf(long), code: "LONG_NAME" }]);
  expect(garden.copy()).toEqual({ "index.html": "home", "moss.html": "moss" });
  expect((await garden.sync({ exclude: ["[*]*"] })).isInSync).toBe(true);
});
