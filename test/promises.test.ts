import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { type Bounds, LARGEST } from "../fuzz/bounds.ts";
import { READERS } from "../fuzz/readers.ts";
import { FAULTS } from "../packages/check/test/mutations.run.ts";
import { LOST, STATED } from "../packages/harvester/test/log-model/lost.ts";
import { SOURCES } from "../packages/harvester/test/log-model/sources.ts";
import { TRANSPORTS } from "../packages/harvester/test/log-model/transports.ts";
import { SCENARIOS } from "./kill/scenarios.ts";
import { MEMORIES } from "./model/memory.ts";
import { STORIES } from "./model/stories.ts";
import { textOf } from "./support/documented.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** The rows of all tables of a page whose last columns have such names. */
function rowsOf(page: string, ...columns: readonly string[]): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (const [table] of textOf(page).matchAll(/(?:^\|.*\|\n)+/gm)) {
    const [head = [], , ...rows] = table
      .trim()
      .split("\n")
      .map((line) => line.split("|").slice(1, -1))
      .map((cells) => cells.map((cell) => cell.trim()));
    if (head.slice(-columns.length).join() === columns.join()) found.push(...rows);
  }
  return found;
}

/** The test files that a cell links, from the root. */
function testsIn(cell = ""): readonly string[] {
  return [...cell.matchAll(/\]\((?:\.\.\/)*([\w./-]+\.test\.ts)\)/g)].map(([, path = ""]) => path);
}

/** A unit in that of the constant: bytes, seconds, or what its name says. */
const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  bytes: 1,
  µs: 1,
  ms: 1,
  s: 1,
  KB: 1e3,
  MB: 1e6,
  KiB: 1024,
  MiB: 1024 ** 2,
};

/** `64 MB` in bytes, `20 s` in seconds, `50,000` as it is. */
function amountOf(cell: string): number {
  const [, number = "", unit = ""] = /^([\d,]+) ?([\wµ]*)$/.exec(cell) ?? [];
  return Number(number.replaceAll(",", "")) * (UNITS[unit] ?? Number.NaN);
}

/** The columns of what reading may cost. */
const COST = ["time", "a byte", "memory", "a byte", "where it stands", "shown by"] as const;

describe("docs/threats.md", () => {
  const bounds = rowsOf("docs/threats.md", "at most", "where it stands", "shown by");

  test("states the bounds that the code has", async () => {
    const stated = bounds.filter(([, amount]) => amount !== "none");
    expect(stated.length).toBeGreaterThan(20);
    for (const [what, amount = "", place = ""] of stated) {
      expect(await constantAt(place), `${what}: ${place}`).toBe(amountOf(amount));
    }
  });

  test("states what the fuzzer allows to each of its readers", async () => {
    const rows = rowsOf("docs/threats.md", ...COST);
    expect(textOf("docs/threats.md")).toContain(`up to ${LARGEST.toLocaleString("en")} bytes`);
    const stated: Bounds[] = [];
    for (const [
      what,
      time = "",
      timeAByte = "",
      memory = "",
      memoryAByte = "",
      place = "",
    ] of rows) {
      const row = {
        milliseconds: amountOf(time),
        microsecondsPerByte: amountOf(timeAByte),
        memory: amountOf(memory),
        memoryPerByte: amountOf(memoryAByte),
      };
      expect(await constantAt(place), what).toEqual(row);
      stated.push(row);
    }
    // What a long page costs is compared with what a short one costs.
    const byReader = Object.values(READERS)
      .filter(({ name }) => name !== "cost")
      .map(({ bounds }) => bounds);
    expect(byReader).toHaveLength(stated.length);
    expect(byReader).toEqual(expect.arrayContaining(stated));
    expect(stated).toEqual(expect.arrayContaining(byReader));
  });

  test("names a test for every claim", () => {
    const claims = [
      ...rowsOf("docs/threats.md", "what stops it", "shown by"),
      ...rowsOf("docs/threats.md", ...COST),
      ...bounds,
    ];
    expect(claims.length).toBeGreaterThan(60);
    for (const row of claims) {
      const tests = testsIn(row.at(-1));
      expect(tests.length, row[0]).toBeGreaterThan(0);
      for (const path of tests) expect(existsSync(join(ROOT, path)), path).toBe(true);
    }
  });
});

/** Numbers in the figures of promises that tests do not choose, and what they count. */
const COUNTS: readonly (readonly [RegExp, number])[] = [
  [/(\d+) kinds of publication/g, SCENARIOS.length],
  [/(\d+) stories/g, STORIES.length],
  [/each of (\d+) places of the memory/g, MEMORIES.length],
  [/(\d+) kinds of sources over/g, Object.keys(SOURCES).length],
  [/over (\d+) kinds of transport/g, Object.keys(TRANSPORTS).length],
  [/(\d+) of [\d,]+ changes are lost/g, Object.values(LOST).flat().length],
  [/of ([\d,]+) changes are lost/g, STATED],
  [/([\d,]+) faults, of which/g, FAULTS.all],
  [/faults, of which (\d+) are missed/g, FAULTS.missed],
];

describe("docs/proof.md", () => {
  const promises = rowsOf("docs/proof.md", "test", "figures");

  test("names the test of every promise", () => {
    expect(promises.length).toBeGreaterThan(30);
    for (const [promise, proof] of promises) {
      const tests = testsIn(proof);
      expect(tests.length, promise).toBeGreaterThan(0);
      for (const path of tests) expect(existsSync(join(ROOT, path)), path).toBe(true);
    }
  });

  test.each(COUNTS)("has the numbers of what is tried: %s", (pattern, count) => {
    const figures = promises.map(([, , figure = ""]) => figure).join("\n");
    const stated = [...figures.matchAll(pattern)].map(([, number = ""]) => amountOf(number));
    expect(stated.length).toBeGreaterThan(0);
    expect(new Set(stated)).toEqual(new Set([count]));
  });

  test("has the figures of its tests: how often the suite tries, and a release", () => {
    let pairs = 0;
    for (const [promise, proof, figures = ""] of promises) {
      const sources = testsIn(proof).map((path) => readFileSync(join(ROOT, path), "utf8"));
      const text = sources.join("\n").replaceAll(/(?<=\d)_(?=\d)/g, "");
      for (const [, few = "", many = ""] of figures.matchAll(
        /([\d,]+) in the suite, ([\d,]+) before a release/g,
      )) {
        const [suite, release] = [few, many].map((number) => number.replaceAll(",", ""));
        expect(text, promise).toContain(`rounds(${suite}, ${release})`);
        pairs += 1;
      }
    }
    expect(pairs).toBeGreaterThan(10);
  });
});

test("CHANGELOG.md begins with the version that the packages have", () => {
  const manifest = readFileSync(join(ROOT, "packages/cli/package.json"), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  const [, newest] = /^## (\d+\.\d+\.\d+)/m.exec(textOf("CHANGELOG.md")) ?? [];
  expect(newest).toBe(version);
});

/** The value of a constant that a cell links: "[`LIMITS.name`](path)". */
async function constantAt(cell: string): Promise<unknown> {
  const [, name = "", path = ""] = /^\[`([\w.]+)`\]\(\.\.\/([\w./-]+)\)$/.exec(cell) ?? [];
  const module: unknown = await import(pathToFileURL(join(ROOT, path)).href);
  return valueIn(module, name.split("."));
}

/** What stands in nested objects under names. */
function valueIn(value: unknown, names: readonly string[]): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return valueIn(new Map<string, unknown>(entries).get(name), rest);
}
