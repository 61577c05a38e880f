import type { ReportFormat, Sample } from "@rs-emit/check";
import { type Command, Option } from "commander";
import { parse } from "../arguments.ts";
import { usageError } from "../errors.ts";
import { newCommand } from "../option-groups.ts";
import type { Streams } from "../terminal.ts";

export interface CheckArguments {
  /** A folder or an address; by default the config's folder. */
  readonly target: string | undefined;
  readonly url: string | undefined;
  readonly config: string | undefined;
  /** Pages to compare; by default all of a folder, some of a live site. */
  readonly sample: Sample | undefined;
  readonly format: ReportFormat;
  readonly strict: boolean;
}

interface CheckFlags {
  readonly url?: string;
  readonly config?: string;
  readonly sample?: string;
  readonly format: ReportFormat;
  readonly json?: boolean;
  readonly strict?: boolean;
}

const EXAMPLES = `
Examples:
  rs-emit check ./dist
  rs-emit check https://example.neocities.org/
  rs-emit check https://example.org/ --sample all --strict

What each rule means: https://www.npmjs.com/package/rs-emit (docs/rules.md)

Exit codes: 0 nothing is wrong, or warnings only; 1 errors (with --strict: or warnings); 2 wrong usage.`;

/** Returns `undefined` after printing help or the version. Throws CommandError. */
export function parseCheckArguments(
  args: readonly string[],
  streams: Streams,
): CheckArguments | undefined {
  const command = checkCommand(streams);
  if (!parse(command, args)) return undefined;
  const { url, config, sample, format, json = false, strict = false } = command.opts<CheckFlags>();
  return {
    target: command.args[0],
    url,
    config,
    sample: sample === undefined ? undefined : sampleOf(sample),
    format: json ? "json" : format,
    strict,
  };
}

function sampleOf(text: string): Sample {
  if (text === "all") return "all";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError(
    `The option --sample is "${text}".`,
    "It must be a whole number, or all.",
    "sample",
  );
}

export function checkCommand(streams: Streams): Command {
  return newCommand("rs-emit check", streams, EXAMPLES)
    .usage("<dir or url> [options]")
    .description(
      "Judges what is published: every document, the links between them, the pages they list, and what " +
        "the host does to them.",
    )
    .argument("[place]", "a published folder, or the address of a live site")
    .option("--sample <number>", "pages that are compared: a number, or all (a live site: 20)")
    .option("--strict", "warnings count as errors")
    .option("--url <site>", "the site's address, if its documents do not name it")
    .option("--config <file>", "read the folder from this file")
    .addOption(
      new Option("--format <format>", "how findings are written")
        .choices(["text", "json", "github"])
        .default("text"),
    )
    .option("--json", "the same as --format json")
    .option("--verbose", "show where an error came from");
}
