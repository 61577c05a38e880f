import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findSystemNode } from "../packages/core/test/support/system-node.ts";

const ROOT = mkdtempSync(join(tmpdir(), "rs-emit-reproducible-"));
afterAll(() => rmSync(ROOT, { recursive: true, force: true, maxRetries: 3 }));

const COMMAND = resolve(import.meta.dirname, "../packages/cli/bin/rs-emit.js");

/** Names that locales sort differently, or write differently. */
const NAMES = [
  "index",
  "Zebra",
  "zebra",
  "Äpfel",
  "apfel",
  "çay",
  "cay",
  "i",
  "I",
  "ı",
  "İ",
  "ab-c",
  "abc",
  "ab_c",
  "10",
  "9",
  "日本",
];
const HALVES = [NAMES, [...NAMES.filter((name) => name !== "çay"), "ñandú", "nandu"]];

/** Minutes between the files' times, so that the log is ordered by all of time and name. */
const TIMES = [0, 0, 1, 1, 2];
const EPOCH = Date.UTC(2026, 9, 25) / 1000; // Clocks go back in Europe on this day.

interface Machine {
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
  readonly umask: string;
  /** Whether the files are made in the other order. */
  readonly backwards: boolean;
}

const USUAL: Machine = {
  node: process.execPath,
  env: { TZ: "UTC", LC_ALL: "C" },
  umask: "022",
  backwards: false,
};

/** The workspace's Node, the system's, and those that RS_EMIT_NODES names. */
function nodes(): string[] {
  const system = findSystemNode();
  const named = (process.env.RS_EMIT_NODES ?? "").split(delimiter).filter((node) => node !== "");
  return [...(typeof system === "string" ? [system] : []), ...named];
}

const MACHINES: readonly (readonly [string, Partial<Machine>])[] = [
  ["a time zone far in the east", { env: { TZ: "Pacific/Kiritimati" } }],
  [
    "a time zone with half an hour, and a clock that goes back",
    { env: { TZ: "Europe/Berlin", LC_ALL: "de_DE.UTF-8" } },
  ],
  [
    "Turkish, whose i is another",
    { env: { TZ: "America/St_Johns", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" } },
  ],
  ["Swedish, which sorts otherwise", { env: { LC_ALL: "sv_SE.UTF-8", LANG: "sv_SE.UTF-8" } }],
  ["files that were made in another order, for the user alone", { backwards: true, umask: "077" }],
  ...nodes().map((node): [string, Partial<Machine>] => [`another Node: ${node}`, { node }]),
];

async function run(machine: Machine, folder: string, now: string): Promise<void> {
  const options = ["--previous", "output", "--history", "files", "--period", "day", "--now", now];
  const command = [
    machine.node,
    COMMAND,
    folder,
    "--url",
    "https://example.neocities.org/",
    "--test-address",
    ...options,
  ];
  const script = `umask ${machine.umask}; exec "$@"`;
  const env = { PATH: process.env.PATH, HOME: ROOT, ...machine.env };
  const child = spawn("sh", ["-c", script, "sh", ...command], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await once(child, "close")).toEqual([0, null]);
}

function build(
  folder: string,
  names: readonly string[],
  version: string,
  backwards: boolean,
): void {
  const paths = names.flatMap((name) => [`${name}.html`, `sub/${name}/index.html`]);
  for (const path of backwards ? paths.toReversed() : paths) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const isEdited = path.startsWith("sub/") && version !== "1";
    const text = `<!doctype html><title>${path}</title><main>${path} ${isEdited ? version : ""}</main>`;
    writeFileSync(file, text);
    const time = EPOCH + 60 * (TIMES[paths.indexOf(path) % TIMES.length] ?? 0);
    utimesSync(file, time, time);
  }
}

/** Publishes twice; gives the documents. */
async function publish(machine: Machine): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(ROOT, "site-"));
  for (const [at, names] of HALVES.entries()) {
    for (const entry of readdirSync(folder))
      if (/\.html$|^sub$/.test(entry)) rmSync(join(folder, entry), { recursive: true });
    build(folder, names, String(at + 1), machine.backwards);
    await run(machine, folder, `2026-10-${26 + at}T00:30:00Z`);
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".html"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    files.map((file) => [relative(folder, file), readFileSync(file, "utf8")]),
  );
}

const usual = publish(USUAL);

test.each(MACHINES)(
  "the same bytes are published in %s",
  { concurrent: true },
  async (_, difference) => {
    const machine = { ...USUAL, ...difference, env: { ...USUAL.env, ...difference.env } };
    const documents = await publish(machine);
    expect(Object.keys(documents)).toContain("changelist/2026-10-27.xml");
    expect(documents).toEqual(await usual);
  },
);

/** Where texts may depend on the machine: in what a person is shown. */
const SHOWN = /[\\/](?:summary|report|neocities|progress|check)[\\/.]/;

test("nothing that is written is sorted or worded by a locale", () => {
  const packages = ["documents", "check", "feeds", "core"].map((name) =>
    resolve(import.meta.dirname, `../packages/${name}/src`),
  );
  const files = packages.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !SHOWN.test(`/${file}`))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(50);
  const locale = /\bIntl\b|localeCompare|toLocale(?:Lower|Upper)Case|toLocale(?:Date|Time)String/;
  expect(files.filter((file) => locale.test(readFileSync(file, "utf8")))).toEqual([]);
});
