import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { CommandProcess } from "./support/command.ts";
import { CopiedSite } from "./support/copied-site.ts";

const PRELOAD = pathToFileURL(join(import.meta.dirname, "support/kill-at-rename.ts")).href;
const NUMBERS = Array.from({ length: 6 }, (_, at) => at);

test.each([
  ["before its first file", 0, ""],
  ["after its first file", 0, "1"],
  ["before a file in between", 3, ""],
  ["after its last file", 5, "1"],
])("a sync that is killed %s is ended by the next one", async (_, renames, after) => {
  await using garden = await CopiedSite.start();
  garden.serveAt("127.0.0.1");
  const pages = (version: number) =>
    Object.fromEntries(NUMBERS.map((at) => [`/${at}.html`, `page ${at}, version ${version}`]));
  const expected = (version: number) =>
    Object.fromEntries(NUMBERS.map((at) => [`${at}.html`, `page ${at}, version ${version}`]));
  const args = [
    "sync",
    garden.addressAt("127.0.0.1"),
    garden.folder,
    "--allow-private",
    "--delete",
  ];
  for (const version of [1, 2]) {
    garden.edit(pages(version)).publish();
    garden.serveAt("127.0.0.1");
    const killed = new CommandProcess(args, {
      NODE_OPTIONS: `--import ${PRELOAD}`,
      RENAMES: String(renames),
      AFTER: after,
    });
    expect((await killed.end()).signal).toBe("SIGKILL");
    const held = Object.entries(garden.copy());
    const possible = [expected(version), expected(version - 1)];
    for (const [path, text] of held) expect(possible.map((one) => one[path])).toContain(text);
    const next = await new CommandProcess(args).end();
    expect(next.stderr).toBe("");
    expect(next.exit).toBe(0);
    expect(garden.copy()).toEqual(expected(version));
  }
});
