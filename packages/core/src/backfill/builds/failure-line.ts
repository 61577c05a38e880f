import { stripVTControlCharacters } from "node:util";

/** Package managers only repeat that a command failed. */
const TALK =
  /^(?:npm (?:ERR!|error|notice|warn)|error Command failed|info Visit|ELIFECYCLE|make: \*\*\*)|^$/;

/** Problems of npm itself, for example during an installation. */
const OF_NPM =
  /^npm (?:ERR!|error)\s+(?!code |errno |path |command |signal |A complete log|Lifecycle script)(\S.*)$/;

/** A line of a stack, even if a builder puts its name before it. */
const OF_STACK = /^(?:\[[^\]]*\]\s*)?at /;

/** Source code, which Node shows above an error. */
const CODE = /^throw |[;{]$/;

const WARNING = /warn(?:ing)?\b/i;

/** `Eleventy Fatal Error: (more in DEBUG output)`: the error itself follows below. */
const HEADING = /(?:error|exception)\b:?\s*(?:\([^)]*\))?:?$|\bbuild failed in\b/i;

/** `TypeError: …`, `Error [ERR_…]: …`, `error TS2304: …`, `Liquid Exception: …`, `fatal: …`. */
const ERROR = /\b\w*(?:error|exception|fatal)\b(?: \[?\w+\]?)?: \S/i;

/** `ERROR render of …` (Hugo), `[ERROR] …` (Astro). */
const MARKED = /(?:^|\s)\[?ERROR\]?\s/;

const COMPLAINT =
  /\b(?:cannot|can't|could ?n[o']t|couldn't|unable to|failed to|not found|no such|does not exist|unexpected|is not (?:defined|a function|installed))\b/i;

/** The first line of a failed command's output that names an error; else its last meaningful line. */
export function failureOf(output: string): string | undefined {
  const lines = stripVTControlCharacters(output)
    .split(/[\r\n]+/)
    .map((line) => line.trim());
  const said = lines.filter((line) => !TALK.test(line) && !OF_STACK.test(line));
  const [ofNpm] = lines.flatMap((line) => OF_NPM.exec(line)?.[1] ?? []);
  return said.find(namesError) ?? said.at(-1) ?? ofNpm ?? lines.findLast((line) => line !== "");
}

function namesError(line: string): boolean {
  if (CODE.test(line) || WARNING.test(line) || HEADING.test(line)) return false;
  return ERROR.test(line) || MARKED.test(line) || COMPLAINT.test(line);
}

const MISSING =
  /cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|(?:can't|could not|failed to) resolve|command not found|:\s*not found$|is not recognized as|ENOENT.*node_modules/i;

/** Whether an installation could bring the missing package or command. */
export function isMissingPackage(reason: string): boolean {
  return MISSING.test(reason);
}

export function tookTooLong(milliseconds: number): string {
  return `it took longer than ${milliseconds / 1000} s`;
}

/** Whether more time could let the build end. */
export function isTooLong(reason: string): boolean {
  return reason.startsWith("it took longer than ");
}

export function isDiskFull(reason: string): boolean {
  return /\bENOSPC\b|no space left on device|disk quota exceeded/i.test(reason);
}
