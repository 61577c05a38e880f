import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { type Case, KINDS, type Kind, readCases } from "./cases.ts";
import { CaseServer, ORIGIN } from "./server.ts";
import { faultsOf, linesOf } from "./verdict.ts";

/** Runs the cases of one kind with any program: see `README.md`. */

/** What a program is told at a moment. */
export interface Asked {
  readonly url: string;
  /** A folder that is empty at a case's first moment, and stays for its others. */
  readonly state: string;
  /** The folder of the copy. */
  readonly folder: string;
  readonly now: string;
}

/** Gives what the program printed. */
export type Program = (asked: Asked) => Promise<string>;

const USAGE = 'node conformance/run.ts <kind> --command "my-harvester {url} {state} {now}" [case…]';

/** The clock of cases that do not set it. */
const USUAL_NOW = "2026-10-20T12:00:00Z";

/** Runs a case; returns what is wrong. */
export async function runCase(
  one: Case,
  server: CaseServer,
  program: Program,
): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), "conformance-"));
  const [state, folder] = [join(root, "state"), join(root, "copy")];
  mkdirSync(state);
  server.serve(one);
  try {
    for (const [index, { now = USUAL_NOW }] of one.moments.entries()) {
      const moment = index + 1;
      server.at(moment);
      const printed = await program({ url: ORIGIN + one.start, state, folder, now });
      const faults = faultsOf(one, moment, linesOf(printed), folder);
      if (faults.length > 0) return faults.map((fault) => `moment ${moment}: ${fault}`);
    }
    return [];
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A command line with `{url}`, `{state}`, `{folder}` and `{now}` in it, as a program. */
export function programOf(command: string): Program {
  return async (asked) => {
    const words = command.split(/\s+/).filter((word) => word !== "");
    const [name = "", ...args] = words.map((word) =>
      word.replaceAll(/\{(url|state|folder|now)\}/g, (_, key: keyof Asked) => asked[key]),
    );
    const child = spawn(name, args, { stdio: ["ignore", "pipe", "inherit"] });
    const [printed] = await Promise.all([text(child.stdout), once(child, "close")]);
    return printed;
  };
}

/** What the command line lacks to run a case. */
export function lackedBy(command: string, { kind, moments }: Case): readonly string[] {
  if (kind === "judges" || moments.length === 1) return [];
  const needed = kind === "followers" ? ["{state}", "{now}"] : ["{folder}"];
  return needed.filter((name) => !command.includes(name));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { command: { type: "string" } },
    allowPositionals: true,
  });
  const [name, ...names] = positionals;
  const kind: Kind | undefined = KINDS.find((each) => each === name);
  const { command } = values;
  if (kind === undefined || command === undefined) {
    console.error(`${USAGE}\nKinds: ${KINDS.join(", ")}`);
    process.exitCode = 2;
    return;
  }
  const counts = { passed: 0, failed: 0, "not run": 0 };
  await using server = await CaseServer.start();
  for (const one of readCases(kind)) {
    if (names.length > 0 && !names.includes(one.name)) continue;
    const lacked = lackedBy(command, one);
    const faults =
      lacked.length > 0
        ? []
        : await runCase(one, server, programOf(command)).catch((error) => [String(error)]);
    const result = lacked.length > 0 ? "not run" : faults.length > 0 ? "failed" : "passed";
    counts[result] += 1;
    console.log(
      JSON.stringify({
        case: one.name,
        result,
        ...(lacked.length > 0 ? { lacked } : {}),
        ...(faults.length > 0 ? { faults } : {}),
      }),
    );
  }
  console.log(JSON.stringify({ kind, ...counts }));
  if (counts.failed > 0) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) await main();
