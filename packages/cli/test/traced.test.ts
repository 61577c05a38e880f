import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { rsEmitProcess } from "./support/command.ts";
import { commitAll, folderOf, page, SITE, temporaryFolder, write } from "./support/folder.ts";
import { host, serve } from "./support/host.ts";

/** Loaded before the command: writes down each process that it starts, and each place that it connects to. */
const TRACE = `
import childProcess from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { basename } from "node:path";

const say = (line) => appendFileSync(process.env.TRACED, line + "\\n");
function watch(owner, name, describe) {
  const original = owner[name];
  owner[name] = function (...args) {
    say(describe(...args));
    return original.apply(this, args);
  };
}
watch(childProcess.ChildProcess.prototype, "spawn", ({ file }) => "process " + basename(file));
for (const name of ["spawnSync", "execSync", "execFileSync"])
  watch(childProcess, name, (file) => "process " + basename(file));
watch(net.Socket.prototype, "connect", (...args) => {
  const [options] = args.flat();
  return "connection " + (options.path ?? options.host + ":" + options.port);
});
watch(dgram.Socket.prototype, "send", () => "datagram");
for (const name of ["lookup", "resolve"]) watch(dns, name, (host) => "name " + host);
syncBuiltinESMExports();
`;

/** What a run started and asked; each once. */
async function traced(args: readonly string[]): Promise<readonly string[]> {
  const place = temporaryFolder();
  const log = join(place, "traced");
  const module = join(place, "trace.mjs");
  writeFileSync(log, "");
  writeFileSync(module, TRACE);
  const env = { TRACED: log, NODE_OPTIONS: `--import=${pathToFileURL(module)}` };
  expect(await rsEmitProcess(args, { env })).toMatchObject({ exit: 0 });
  const lines = readFileSync(log, "utf8").split("\n");
  return [...new Set(lines)].filter((line) => line !== "").sort();
}

test("SECURITY.md: what a run starts, and whom it asks", async () => {
  const folder = folderOf(SITE);
  const live = temporaryFolder();
  const url = await host(serve(live));
  const site = `connection 127.0.0.1:${new URL(url).port}`;
  commitAll(folder);
  const args = [folder, "--url", url];

  // The first run asks whether anything is published, and git for the past.
  expect(await traced(args)).toEqual([site, "process git"]);
  const first = [folderOf(SITE), "--url", url, "--previous", "output", "--first"];
  expect(await traced(first)).toEqual(["process git"]);

  // From then on the folder has the documents.
  expect(await traced(args)).toEqual([]);
  write(folder, { "moss.html": page("Moss", "Two ferns came up between the stones") });
  expect(await traced([...args, "--history", "files"])).toEqual([]);
  write(folder, { "moss.html": page("Moss", "Three ferns came up, and a beetle") });
  expect(await traced(args)).toEqual(["process git"]);

  // Where the author says so, the live site's host is asked, and no other.
  expect(await traced([...args, "--previous", "site"])).toEqual([site]);
});
