import { type OptionFlag, type OptionGroup, SITE_FLAGS } from "@rs-emit/core/words";
import { Command } from "commander";
import type { Streams } from "./terminal.ts";
import { ownVersion } from "./version.ts";

export function newCommand(name: string, { stdout }: Streams, examples: string): Command {
  return new Command(name)
    .version(ownVersion(), "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", examples)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), outputError: () => {} });
}

/** @param leftOut options that the command lacks */
export function addGroup(
  command: Command,
  group: OptionGroup,
  flags: readonly OptionFlag[] = SITE_FLAGS,
  leftOut: readonly string[] = [],
): Command {
  command.optionsGroup(`${group}:`);
  for (const { flag, words, option, isRepeatable, ...one } of flags) {
    if (one.group !== group || leftOut.includes(option)) continue;
    if (isRepeatable) command.option(flag, words, collect);
    else command.option(flag, words);
  }
  return command;
}

/** Options of every command that publishes. */
export function addRunOptions(command: Command): Command {
  return addGroup(command, "Run")
    .option("--config <file>", "read options from this file")
    .option("--json", "one JSON object on standard output")
    .option("--quiet", "say nothing but errors")
    .option("--verbose", "list every document; show where an error came from");
}

export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
