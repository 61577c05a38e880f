import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { DISK, type FileSystem } from "../src/model/file-system.ts";
import { logOf, TestSite } from "./support/site.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

let site: TestSite;
beforeEach(async () => {
  site = new TestSite({ url: "https://example.org/", previous: "output" });
  await site.page("index.html", "Home").publish("2026-10-05T12:00:00Z");
  site.page("moss.html", "Moss");
});

test("handlers stand from the first rename to the last only", async () => {
  const before = listeners();
  const seen: Record<string, boolean> = {};
  const noted = (what: string) => {
    seen[what] = listeners() > before;
  };
  const fileSystem: FileSystem = {
    ...DISK,
    write(path, bytes) {
      noted("write");
      DISK.write(path, bytes);
    },
    rename(from, to) {
      noted("rename");
      DISK.rename(from, to);
    },
  };
  const at = "2026-10-06T12:00:00Z";
  const onProgress = () => noted("progress");
  await site.publish(at, {}, { fileSystem, onProgress });
  expect(seen).toEqual({ progress: false, write: false, rename: true });
  expect(listeners()).toBe(before);
});

describe.each(SIGNALS)("%s", (signal) => {
  test("between two renames lets the publication finish", async () => {
    expect(await run("rename", signal)).toEqual([0, null]);
    expect(readdirSync(site.folder).filter((name) => name.startsWith("."))).toEqual([
      ".well-known",
    ]);
    expect(logOf(site.folder, site.url).at(-1)).toContain("created /moss.html");
  });

  test("before the first rename ends the run; the next one publishes", async () => {
    expect(await run("write", signal)).toEqual([null, signal]);
    expect(existsSync(join(site.folder, ".rs-emit.lock"))).toBe(true);
    expect(logOf(site.folder, site.url).at(-1)).toContain("created /");
    await site.publish("2026-10-07T12:00:00Z", {}, { lockMilliseconds: 0 });
    expect(logOf(site.folder, site.url).at(-1)).toBe("2026-10-07T12:00:00Z created /moss.html");
  });
});

function listeners(): number {
  return SIGNALS.reduce((sum, signal) => sum + process.listenerCount(signal), 0);
}

/** Publishes in a process that sends itself a signal at its first write or rename, and stays busy. */
async function run(operation: "write" | "rename", signal: NodeJS.Signals) {
  const source = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);
  const options = {
    folder: site.folder,
    url: site.url,
    testAddress: true,
    previous: "output",
    history: "files",
  };
  const code = `
    import { emit } from ${source("emit.ts")};
    import { DISK } from ${source("model/file-system.ts")};
    const ${operation} = (...given) => {
      process.kill(process.pid, "${signal}");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      DISK.${operation}(...given);
    };
    const clock = () => Date.parse("2026-10-06T12:00:00Z") / 1000;
    await emit(${JSON.stringify(options)}, { fileSystem: { ...DISK, ${operation} }, clock });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return once(child, "close");
}
