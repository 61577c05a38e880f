import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rounds, sample } from "../../../test/thorough.ts";
import { lockDatabase } from "../src/store/sqlite-file.ts";

const PROGRAM = fileURLToPath(new URL("support/database-holder.ts", import.meta.url));
/** Milliseconds. Before a release, longer than the five seconds after which a lock by time was taken to be dead. */
const STANDSTILL = rounds(200, 6_000);
const DAYS = 5 * 86_400;

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "rs-harvest-lock-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A process that has a database, or was refused. */
class Holder implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly said: string;

  private constructor(process: ChildProcess, exit: Promise<unknown>, said: string) {
    this.#process = process;
    this.#exit = exit;
    this.said = said;
  }

  static async start(kind: string, path: string, ahead = 0): Promise<Holder> {
    const child = fork(PROGRAM, [kind, path, String(ahead)]);
    const exit = once(child, "exit");
    const [said]: unknown[] = await once(child, "message");
    return new Holder(child, exit, String(said));
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async close(): Promise<void> {
    this.#process.send("close");
    await this.#exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal("SIGKILL");
    await this.#exit;
  }
}

const KINDS = [
  { kind: "data", refused: "DATABASE_IN_USE", place: () => mkdtempSync(join(root, "data-")) },
  {
    kind: "copy",
    refused: "COPY",
    place: () => join(mkdtempSync(join(root, "copy-")), "copy.sqlite"),
  },
];

// One lock guards both.
describe.each(sample(KINDS, 1))(
  "a database of one process ($kind)",
  { concurrent: true, timeout: 60_000 },
  (given) => {
    const { kind, refused } = given;

    test("is refused to others while it stands still, and is its own when it goes on", async () => {
      const path = given.place();
      await using holder = await Holder.start(kind, path);
      holder.signal("SIGSTOP");
      await pause(STANDSTILL);
      await using early = await Holder.start(kind, path);
      await using ahead = await Holder.start(kind, path, DAYS);
      expect([holder.said, early.said, ahead.said]).toEqual(["open", refused, refused]);
      holder.signal("SIGCONT");
      await holder.close();
      await using next = await Holder.start(kind, path);
      expect(next.said).toBe("open");
    });

    test("is free at once after a kill, wherever its clock stood", async () => {
      const path = given.place();
      for (const ahead of [DAYS, -DAYS, 0]) {
        await using holder = await Holder.start(kind, path, ahead);
        expect(holder.said).toBe("open");
      }
    });

    test("is one's where several want it at once", async () => {
      const path = given.place();
      const all = await Promise.all(Array.from({ length: 3 }, () => Holder.start(kind, path)));
      expect(all.map(({ said }) => said).toSorted()).toEqual([refused, refused, "open"].toSorted());
      for (const holder of all) await holder[Symbol.asyncDispose]();
    });
  },
);

test("a copy is read by several at once, and by none while it is written", async () => {
  const path = join(mkdtempSync(join(root, "copy-")), "copy.sqlite");
  {
    await using writer = await Holder.start("copy", path);
    await using audit = await Holder.start("audit", path);
    expect([writer.said, audit.said]).toEqual(["open", "COPY"]);
    await writer.close();
  }
  await using one = await Holder.start("audit", path);
  await using other = await Holder.start("audit", path);
  await using writer = await Holder.start("copy", path);
  expect([one.said, other.said, writer.said]).toEqual(["open", "open", "COPY"]);
}, 30_000);

test("a lock is refused within its process, by any name of its file, and leaves no other file", () => {
  const path = join(mkdtempSync(join(root, "own-")), "a.sqlite");
  const lock = lockDatabase(path, "alone");
  expect(lock).toBeDefined();
  expect(lockDatabase(path, "alone")).toBeUndefined();
  expect(lockDatabase(join(dirname(path), ".", "a.sqlite"), "shared")).toBeUndefined();
  lock?.[Symbol.dispose]();
  using again = lockDatabase(path, "alone");
  expect(again).toBeDefined();
  expect(readdirSync(dirname(path))).toEqual(["a.sqlite.lock"]);
});
