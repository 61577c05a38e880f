import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { emit } from "../src/index.ts";
import { DigestTable } from "../src/inventory/digest-table.ts";
import type { DigestWork } from "../src/inventory/digest-thread.ts";
import { PROGRAM, SecondReader, WORTH_A_THREAD } from "../src/inventory/second-reader.ts";
import { folderOf } from "./inventory-folder.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** What the thread gives that meets no other. */
async function digestsOf(paths: readonly string[]) {
  const memory = DigestTable.memoryFor(paths.length);
  const workerData: DigestWork = { paths, memory };
  await once(new Worker(PROGRAM, { workerData }), "exit");
  const table = new DigestTable(memory);
  return paths.map((_, file) => table.digestOf(file, 0));
}

describe("a second thread", () => {
  test("gives digests of whole files without marks, and leaves all others out", async () => {
    const files = {
      "a.html": "<p>moss",
      "empty.html": "",
      "folder/b.html": "",
      "list.html": "<ul DATA-RS-EMIT=changes></ul>",
      "long.html": "x".repeat(2 * 1024 * 1024),
      "名前.html": "<p>苔",
    };
    const folder = folderOf(files);
    const names = ["a.html", "empty.html", "名前.html", "folder", "list.html", "long.html", "none"];
    expect(await digestsOf(names.map((name) => join(folder, name)))).toEqual([
      { hash: sha256("<p>moss"), length: 7, isWhole: true },
      { hash: sha256(""), length: 0, isWhole: true },
      { hash: sha256("<p>苔"), length: 6, isWhole: true },
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("that has not begun leaves every file to the caller", () => {
    const second = SecondReader.start(["/a.html"], 1);
    second?.stop();
    expect(second?.digestOf(0)).toBeUndefined();
  });

  test("is not started for few files", () => {
    expect(SecondReader.start(Array(WORTH_A_THREAD - 1).fill("a.html"))).toBeUndefined();
  });

  test("stands beside the bundle, which starts it", () => {
    const bundle = fileURLToPath(import.meta.resolve("@rs-emit/core"));
    expect(existsSync(join(bundle, "../digest-thread.js"))).toBe(true);
  });
});

test("a site of many pages has the changes that one thread would find", async () => {
  const many = WORTH_A_THREAD + 500;
  const name = (page: number) => `${String(page).padStart(5, "0")}.html`;
  const pageOf = (page: number, word = "moss") => `<title>${page}</title><main>${word} ${page}`;
  const pages = Array.from({ length: many }, (_, page) => [name(page), pageOf(page)]);
  const folder = folderOf({ ...Object.fromEntries(pages), "index.html": "<title>Moss</title>" });
  const publish = async (now: string) => {
    const { collections } = await emit({
      folder,
      url: "https://moss.example/",
      history: "files",
      previous: "output",
      now,
    });
    return collections.flatMap(({ changes }) => changes);
  };
  await publish("2026-10-05T18:30:00Z");
  for (const page of [0, 1, 2_000, many - 2])
    writeFileSync(join(folder, name(page)), pageOf(page, "fern"));
  rmSync(join(folder, name(many - 1)));
  writeFileSync(join(folder, "new.html"), pageOf(0));
  const changes = await publish("2026-10-06T18:30:00Z");
  const told = changes.map(
    ({ kind, url }) => `${kind} ${url.replace("https://moss.example/", "")}`,
  );
  expect(told.sort()).toEqual([
    "created new.html",
    `deleted ${name(many - 1)}`,
    ...[0, 1, 2_000, many - 2].map((page) => `updated ${name(page)}`),
  ]);
  expect(await publish("2026-10-07T18:30:00Z")).toEqual([]);
});

describe("a table of digests", () => {
  test("gives each file to one thread", () => {
    const memory = DigestTable.memoryFor(2);
    const [one, other] = [new DigestTable(memory), new DigestTable(memory)];
    expect([one.take(0), other.take(0), other.take(1), one.take(1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test("has nothing of a file whose thread is late", () => {
    const table = new DigestTable(DigestTable.memoryFor(1));
    table.take(0);
    expect(table.digestOf(0, 10)).toBeUndefined();
  });
});
