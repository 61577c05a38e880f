import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { linkSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { findSystemNode } from "../../core/test/support/system-node.ts";
import { COMMAND, rsEmitProcess } from "./support/command.ts";
import { contentsOf, folderOf, page, SITE, siteFolder } from "./support/folder.ts";
import { host } from "./support/host.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

const systemNode = findSystemNode();

test.skipIf(typeof systemNode !== "string")(
  typeof systemNode === "string" ? "runs with the system's Node" : systemNode.why,
  async () => {
    const node = String(systemNode);
    const config = `export default { url: "https://example.org/" } satisfies object;`;
    const folder = folderOf({ ...SITE, "rs-emit.config.ts": config });
    const args = [folder, "--previous", "output", "--json"];
    const outcome = await rsEmitProcess(args, { node });
    expect(outcome).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ status: "published", first: true });
    const again = await rsEmitProcess(args, { node });
    expect(JSON.parse(again.stdout)).toMatchObject({ status: "unchanged" });
    expect(await rsEmitProcess(["--version"], { node })).toMatchObject({ exit: 0, stderr: "" });
  },
);

test("npx rs-emit works in the root of the repository", () => {
  const command = join(ROOT, "node_modules/.bin/rs-emit");
  const version = execFileSync(command, ["--version"], { cwd: ROOT, encoding: "utf8" });
  const manifest = readFileSync(join(ROOT, "packages/cli/package.json"), "utf8");
  expect(version).toBe(`${JSON.parse(manifest).version}\n`);
});

describe.for(["SIGINT", "SIGTERM"] as const)("%s ends a run at once", (signal) => {
  test("that waits for the live site, and the next one is not held up by its lock", async () => {
    const folder = siteFolder();
    const asked = new EventEmitter();
    const url = await host(() => asked.emit("request"));
    const child = spawn(process.execPath, [COMMAND, folder, "--url", url, "--test-address"], {
      stdio: "ignore",
    });
    await once(asked, "request");
    expect(contentsOf(folder)).toHaveProperty([".rs-emit.lock"]);
    await expectEnd(child, signal);
    const began = Date.now();
    const next = await rsEmitProcess([
      folder,
      "--url",
      url,
      "--previous",
      "output",
      "--first",
      "--json",
    ]);
    expect(JSON.parse(next.stdout)).toMatchObject({ status: "published" });
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(contentsOf(folder)).not.toHaveProperty([".rs-emit.lock"]);
  });

  test("that is busy with large pages for long", async () => {
    const folder = folderOf({ "index.html": page("Home", "<p>Moss</p>".repeat(600_000)) });
    const copies = Array.from({ length: 100 }, (_, number) => join(folder, `${number}.html`));
    for (const copy of copies) linkSync(join(folder, "index.html"), copy);
    const args = [COMMAND, folder, "--url", "https://moss.example/", "--previous", "output"];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    await setTimeout(1_500);
    expect(child.exitCode).toBe(null);
    await expectEnd(child, signal);
  });
});

/** A signal whose default is not replaced ends a process even while it is busy. */
async function expectEnd(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const began = Date.now();
  const closed = once(child, "close");
  child.kill(signal);
  expect(await closed).toEqual([null, signal]);
  expect(Date.now() - began).toBeLessThan(10_000);
}
