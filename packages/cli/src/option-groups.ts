import { readFileSync } from "node:fs";
import { OPTION_WORDS, type OptionName, PERIODS } from "@rs-emit/core/words";
import { Command } from "commander";
import { flagOf } from "./flags.ts";
import type { Streams } from "./terminal.ts";

export function newCommand(name: string, { stdout }: Streams, examples: string): Command {
  return new Command(name)
    .version(ownVersion(), "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", examples)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), outputError: () => {} });
}

const REPEATABLE: ReadonlySet<OptionName> = new Set(["include", "exclude", "content"]);

/** Adds an option of the library, with its words. `value` names what follows the flag. */
export function addOption(command: Command, name: OptionName, value = ""): Command {
  const flag = flagOf(name);
  const words = OPTION_WORDS[name].replaceAll("`", "");
  return REPEATABLE.has(name)
    ? command.option(`${flag} ${value}`, `${words}; repeatable`, collect)
    : command.option(`${flag} ${value}`.trim(), words);
}

export function addSiteOptions(command: Command): Command {
  addOption(command.optionsGroup("Site:"), "url", "<site>");
  command.option("--collection <path>", "a part with a log of its own; repeatable", collect);
  addOption(command, "title", "<text>");
  addOption(command, "author", "<name>");
  return addOption(command, "cleanUrls").option("--no-clean-urls", "it is served as /about.html");
}

export function addPageOptions(command: Command): Command {
  addOption(command.optionsGroup("Pages:"), "include", "<glob>");
  addOption(command, "exclude", "<glob>");
  return addOption(command, "content", "<selector>");
}

export function addLogOptions(command: Command): Command {
  addOption(command.optionsGroup("Change log:"), "news", "<new|content>");
  command.option("--no-excerpts", "quote nothing of what is new on updated pages");
  addOption(command, "messages");
  return addOption(command, "period", `<${PERIODS.join("|")}>`);
}

export function addRunOptions(command: Command): Command {
  addOption(command.optionsGroup("Run:"), "first");
  addOption(command, "dryRun");
  addOption(command, "testAddress");
  addOption(command, "force");
  return addOption(command, "now", "<datetime>")
    .option("--config <file>", "read options from this file")
    .option("--json", "one JSON object on standard output")
    .option("--quiet", "say nothing but errors")
    .option("--verbose", "list every document; show where an error came from");
}

export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function ownVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}
