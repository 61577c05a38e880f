import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { HOST, LOCK, withLock } from "../src/write/lock.ts";
import { logOf, TestSite, temporaryFolder } from "./support/site.ts";

test("two runs in one process follow each other", async () => {
  const site = new TestSite().page("index.html", "Home");
  // Runs that wait follow in any order; within a day, the one whose clock is behind corrects it.
  const runs = ["2026-10-05T12:00:00Z", "2026-10-05T13:00:00Z", "2026-10-05T14:00:00Z"];
  const results = await Promise.all(runs.map((at) => site.publish(at)));
  expect(results.filter(({ first }) => first)).toHaveLength(1);
  expect(logOf(site.folder, site.url)).toEqual(["2026-09-01T08:00:00Z created /"]);
  expect(existsSync(join(site.folder, LOCK))).toBe(false);
});

test("a run in another process is waited for", async () => {
  const folder = temporaryFolder();
  await holdLock(folder, 300);
  const began = Date.now();
  await withLock(folder, async () => {});
  expect(Date.now() - began).toBeGreaterThan(100);
  expect(existsSync(join(folder, LOCK))).toBe(false);
});

test("a run in another process that does not end is told, and keeps its lock", async () => {
  const folder = temporaryFolder();
  const holder = await holdLock(folder, 60_000);
  const run = withLock(folder, async () => {}, 200);
  await expect(run).rejects.toMatchObject({ code: "LOCKED" });
  await expect(run).rejects.toThrow(`process ${holder.pid} on this machine`);
  await expect(run).rejects.toThrow(join(folder, LOCK));
  expect(existsSync(join(folder, LOCK))).toBe(true);
});

test("the lock of a process that was killed is recognized", async () => {
  const folder = temporaryFolder();
  const holder = await holdLock(folder, 60_000);
  const ended = new Promise((resolve) => holder.once("exit", resolve));
  holder.kill("SIGKILL");
  await ended;
  expect(existsSync(join(folder, LOCK))).toBe(true);
  expect(await withLock(folder, async () => "published", 0)).toBe("published");
  expect(existsSync(join(folder, LOCK))).toBe(false);
});

/** In a container every run may have the same number. */
test("a lock with this process's number from before it began is recognized", async () => {
  const folder = temporaryFolder();
  writeLock(folder, { process: process.pid, host: HOST }, "2026-01-01T00:00:00Z");
  expect(await withLock(folder, async () => "published", 0)).toBe("published");
});

test("what a kill left of a lock that was to be taken is swept, and no lock names its machine", async () => {
  const folder = temporaryFolder();
  const left = (host: string, at: string) => {
    const path = join(folder, `${LOCK}.4194305-${host}`);
    writeFileSync(path, JSON.stringify({ process: 4_194_305, host }));
    utimesSync(path, new Date(at), new Date(at));
    return path;
  };
  const dead = left(HOST, minutesAgo(1));
  const old = left("elsewhere", minutesAgo(61));
  const recent = left("otherwhere", minutesAgo(59));
  await withLock(folder, async () => {
    expect(readFileSync(join(folder, LOCK), "utf8")).not.toContain(hostname());
  });
  expect([dead, old, recent].map((path) => existsSync(path))).toEqual([false, false, true]);
});

const hasProc = existsSync("/proc/self/stat");

test("but not what another run is writing at this moment", async () => {
  const folder = temporaryFolder();
  const [now, old] = [join(folder, `${LOCK}.1-now`), join(folder, `${LOCK}.1-old`)];
  for (const path of [now, old]) writeFileSync(path, "");
  utimesSync(old, 0, 0);
  await withLock(folder, async () => {});
  expect([now, old].map((path) => existsSync(path))).toEqual([true, false]);
});

test.runIf(hasProc)("a lock whose number another process has by now is recognized", async () => {
  const folder = temporaryFolder();
  const holder = await holdLock(folder, 60_000);
  const lock = JSON.parse(readFileSync(join(folder, LOCK), "utf8"));
  expect(lock).toMatchObject({ process: holder.pid, began: expect.stringMatching(/^\d+$/) });
  writeLock(folder, { ...lock, began: String(lock.began - 1) });
  expect(await withLock(folder, async () => "published", 0)).toBe("published");
});

test("a lock of another machine counts for an hour", async () => {
  const folder = temporaryFolder();
  writeLock(folder, { process: 1, host: "elsewhere" }, minutesAgo(59));
  const run = withLock(folder, async () => {}, 0);
  await expect(run).rejects.toThrow("process 1 on another machine");
  writeLock(folder, { process: 1, host: "elsewhere" }, minutesAgo(61));
  expect(await withLock(folder, async () => "published", 0)).toBe("published");
});

test.each(["", "{", '{"process":"x"}', "\0\0"])(
  "a lock that says %j counts for an hour",
  async (text) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, LOCK), text);
    const run = withLock(folder, async () => {}, 0);
    await expect(run).rejects.toMatchObject({ code: "LOCKED" });
    await expect(run).rejects.toThrow("its lock cannot be read");
    utimesSync(join(folder, LOCK), 0, 0);
    expect(await withLock(folder, async () => "published", 0)).toBe("published");
  },
);

test("a lock that cannot be read is named", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, LOCK));
  const run = withLock(folder, async () => {}, 0);
  await expect(run).rejects.toThrow("its lock cannot be read");
});

test("no lock is left by a run that fails", async () => {
  const folder = temporaryFolder();
  const failing = withLock(folder, async () => {
    expect(existsSync(join(folder, LOCK))).toBe(true);
    throw new Error("failed");
  });
  await expect(failing).rejects.toThrow("failed");
  expect(existsSync(join(folder, LOCK))).toBe(false);
});

test("a folder that cannot be written is no lock's affair", async () => {
  const folder = join(temporaryFolder(), "missing");
  expect(await withLock(folder, async () => "tried")).toBe("tried");
});

function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

function writeLock(folder: string, holder: unknown, at?: string): void {
  writeFileSync(join(folder, LOCK), JSON.stringify(holder));
  if (at !== undefined) utimesSync(join(folder, LOCK), new Date(at), new Date(at));
}

/** Another process that holds the lock of a folder for a time. */
async function holdLock(folder: string, milliseconds: number) {
  const code = `
    import { withLock } from ${JSON.stringify(new URL("../src/write/lock.ts", import.meta.url).href)};
    import { setTimeout } from "node:timers/promises";
    await withLock(${JSON.stringify(folder)}, () => setTimeout(${milliseconds}));
  `;
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  while (!existsSync(join(folder, LOCK))) await setTimeout(10);
  return holder;
}
