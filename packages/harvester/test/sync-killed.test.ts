import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { CommandProcess, rsHarvest } from "./support/command.ts";
import { CopiedSite } from "./support/copied-site.ts";

const PRELOAD = pathToFileURL(join(import.meta.dirname, "support/kill-at-rename.ts")).href;
const NUMBERS = Array.from({ length: 6 }, (_, at) => at);

test.each([
  ["before its first file", { version: 1, renames: 0, after: "" }],
  ["before a file in between", { version: 1, renames: 3, after: "" }],
  ["after its first file is replaced", { version: 2, renames: 0, after: "1" }],
  ["after its last file is replaced", { version: 2, renames: 5, after: "1" }],
])("a sync that is killed %s is ended by the next one", { timeout: 30_000 }, async (_, kill) => {
  await using garden = await CopiedSite.start();
  garden.serveAt("127.0.0.1");
  const address = garden.addressAt("127.0.0.1");
  const pages = (version: number) =>
    Object.fromEntries(NUMBERS.map((at) => [`/${at}.html`, `page ${at}, version ${version}`]));
  const expected = (version: number) =>
    Object.fromEntries(NUMBERS.map((at) => [`${at}.html`, `page ${at}, version ${version}`]));
  const args = ["sync", address, garden.folder, "--allow-private", "--delete"];
  if (kill.version === 2) {
    garden.edit(pages(1)).publish();
    garden.serveAt("127.0.0.1");
    await rsHarvest(...args);
  }
  garden.edit(pages(kill.version)).publish();
  garden.serveAt("127.0.0.1");
  const killed = new CommandProcess(args, {
    NODE_OPTIONS: `--import ${PRELOAD}`,
    RENAMES: String(kill.renames),
    AFTER: kill.after,
  });
  expect((await killed.end()).signal).toBe("SIGKILL");
  const held = Object.entries(garden.copy());
  const possible = [expected(kill.version), expected(kill.version - 1)];
  for (const [path, text] of held) expect(possible.map((one) => one[path])).toContain(text);
  const next = await rsHarvest(...args);
  expect(next).toMatchObject({ stderr: "", exit: 0 });
  expect(garden.copy()).toEqual(expected(kill.version));
});
