import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { RULES } from "../packages/check/src/rules/index.ts";
import type { Kind } from "./cases.ts";
import type { Program } from "./run.ts";

/**
 * This project's commands as programs of `run.ts`: `node conformance/own.ts followers {url} {state} {folder} {now}`.
 * What they print as JSON becomes the lines of the cases.
 */

/** Runs one of the commands; gives what it printed. */
export type Run = (command: "rs-emit" | "rs-harvest", args: readonly string[]) => Promise<string>;

/** What the rules about hosts and files have to do with the specifications. */
const HOST_REQUIREMENTS: Readonly<Record<string, readonly string[]>> = {
  "nothing-published": ["I8", "R15", "R24a"],
  "dot-folder": ["I8", "R24b"],
  unreadable: ["T10"],
  "document-bytes": ["R14"],
  "resource-missing": ["R18"],
  "resource-bytes": ["R14"],
  "resource-type": ["R52"],
  "package-missing": ["R19"],
  "package-bytes": ["R19"],
  "page-link-target": ["R26"],
};

interface Harvested {
  readonly sites: readonly {
    readonly reported: readonly {
      readonly url: string;
      readonly change: string;
      readonly datetime: string;
      readonly collection: string;
    }[];
  }[];
}

interface Judged {
  readonly findings: readonly {
    readonly rule: string;
    readonly document: string;
    readonly level: string;
  }[];
}

/** The program for a kind of cases. */
export function ownProgram(kind: Kind, run: Run): Program {
  if (kind === "followers") return follower(run);
  return kind === "judges" ? judge(run) : destination(run);
}

function follower(run: Run): Program {
  return async ({ url, state, now }) => {
    const memory = ["--data", join(state, "memory"), "--out", join(state, "feeds")];
    const args = [url, ...memory, "--now", now, "--minor", "--allow-private", "--json"];
    const { sites }: Harvested = JSON.parse(await run("rs-harvest", args));
    const reported = sites.flatMap((site) => site.reported);
    return linesOf(reported.map(({ change: kind, ...others }) => ({ kind, ...others })));
  };
}

function judge(run: Run): Program {
  return async ({ url }) => {
    const args = ["check", url, "--sample", "all", "--json"];
    const { findings }: Judged = JSON.parse(await run("rs-emit", args));
    return linesOf(
      findings.flatMap(({ rule, document, level }) =>
        requirementsOf(rule).map((requirement) => ({ requirement, document, level })),
      ),
    );
  };
}

function requirementsOf(rule: string): readonly string[] {
  const known = RULES.find(({ id }) => id === rule)?.requirements;
  return known ?? HOST_REQUIREMENTS[rule] ?? [rule];
}

function destination(run: Run): Program {
  return async ({ url, folder }) => {
    const how = ["--delete", "--allow-mass-delete", "--allow-private", "--json"];
    await run("rs-harvest", ["sync", url, folder, ...how]);
    return "";
  };
}

function linesOf(objects: readonly object[]): string {
  return objects.map((each) => `${JSON.stringify(each)}\n`).join("");
}

/** Runs the commands as they are installed. */
export const runInstalled: Run = async (command, args) => {
  const home = command === "rs-emit" ? "cli" : "harvester";
  const program = join(import.meta.dirname, `../packages/${home}/bin/${command}.js`);
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [program, ...args], { stdio: [...stdio] });
  const [printed] = await Promise.all([text(child.stdout), once(child, "close")]);
  return printed;
};

if (process.argv[1] === import.meta.filename) {
  const [, , kind, url = "", state = "", folder = "", now = ""] = process.argv;
  const known = kind === "judges" || kind === "destinations" ? kind : "followers";
  process.stdout.write(await ownProgram(known, runInstalled)({ url, state, folder, now }));
}
