import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

const ROOT = resolve(import.meta.dirname, "../..");
const COMMAND = join(ROOT, "packages/cli/bin/rs-emit.js");
const HARVESTER = join(ROOT, "packages/harvester/bin/rs-harvest.js");

/** What a step of an action left behind. */
export interface StepOutcome {
  readonly exit: number;
  readonly output: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { default?: string; required?: boolean }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly if?: string;
      readonly run: string;
      readonly shell: string;
      readonly env: Readonly<Record<string, string>>;
    }[];
  };
}

/** A composite action of this project, read from its file. */
export function readAction(name: "emit" | "after"): Action {
  return readActionFile(join(ROOT, "actions", name, "action.yml"));
}

export function readActionFile(file: string): Action {
  return parse(readFileSync(file, "utf8"));
}

/**
 * Runs the steps of a composite action as a runner does, up to the first that fails.
 *
 * @param folder where the author's repository is checked out
 * @param tools an empty folder; `npx` in it runs the command of this repository
 */
export function runAction(
  name: "emit" | "after",
  inputs: Readonly<Record<string, string>>,
  folder: string,
  tools: string,
): Promise<StepOutcome> {
  return runSteps(readAction(name), inputs, folder, tools);
}

/** Runs the steps of an action whose conditions, if they have any, are met. */
export async function runSteps(
  action: Action,
  inputs: Readonly<Record<string, string>>,
  folder: string,
  tools: string,
): Promise<StepOutcome> {
  writeNpx(tools);
  const outputs: string[] = [];
  for (const { if: condition, run, env } of action.runs.steps) {
    if (condition !== undefined && !isMet(condition, inputs)) continue;
    const values = Object.entries(env).map(([key, value]) => [
      key,
      filledIn(action, value, inputs),
    ]);
    const environment = {
      ...Object.fromEntries(values),
      PATH: `${tools}:${process.env.PATH}`,
      HOME: tools,
    };
    const { exit, output } = await bash(run, folder, environment);
    outputs.push(output);
    if (exit !== 0) return { exit, output: outputs.join("") };
  }
  return { exit: 0, output: outputs.join("") };
}

/** Conditions compare an input with a text, and do nothing else here. */
function isMet(condition: string, inputs: Readonly<Record<string, string>>): boolean {
  const [, name = "", value] = /^inputs\.([\w-]+) == '([^']*)'$/.exec(condition) ?? [];
  if (value === undefined) throw new Error(`the condition ${condition} is not understood`);
  return inputs[name] === value;
}

function filledIn(
  { inputs: known }: Action,
  value: string,
  inputs: Readonly<Record<string, string>>,
): string {
  return value.replaceAll(/\$\{\{\s*inputs\.([\w-]+)\s*\}\}/g, (_, name: string) => {
    const input = known[name];
    if (input === undefined) throw new Error(`the action has no input ${name}`);
    const given = inputs[name] ?? input.default;
    if (given === undefined) throw new Error(`the input ${name} is required`);
    return given;
  });
}

/**
 * Makes an `npx` and an `rs-harvest` in a folder that run the commands of this repository, programs
 * that a project installed, and nothing else. Sites of tests have test addresses on this machine, which the commands take only when they are told to.
 */
export function writeNpx(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/bash
if [ "$1" = --yes ]; then shift; fi
case "$1" in rs-harvest) exec "$@";; esac
case "$1" in
  rs-emit|rs-emit@*) shift;;
  *) program="node_modules/.bin/$1"; shift
    if [ -x "$program" ]; then exec "$program" "$@"; fi
    echo "npx $program $*" >&2; exit 9;;
esac
case "$1" in check|log|neocities|notify) ;; *) set -- "$@" --test-address;; esac
exec "${process.execPath}" "${COMMAND}" "$@"
`;
  const harvester = `#!/bin/bash
case "$1" in import|export) ;; *) set -- "$@" --allow-private;; esac
exec "${process.execPath}" "${HARVESTER}" "$@"
`;
  for (const [name, text] of Object.entries({ npx: script, "rs-harvest": harvester })) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
}

function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<StepOutcome> {
  return new Promise((done) => {
    execFile(
      "bash",
      ["--noprofile", "--norc", "-c", script],
      { cwd, env },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        done({ exit: typeof code === "number" ? code : 1, output: stdout + stderr });
      },
    );
  });
}
