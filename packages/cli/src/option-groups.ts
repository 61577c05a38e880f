import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { Streams } from "./terminal.ts";

export function newCommand(name: string, { stdout }: Streams, examples: string): Command {
  return new Command(name)
    .version(ownVersion(), "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", examples)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), outputError: () => {} });
}

export function addSiteOptions(command: Command): Command {
  return command
    .optionsGroup("Site:")
    .option("--url <site>", "its address, such as https://example.org/")
    .option("--collection <path>", "a part with a log of its own; repeatable", collect)
    .option("--title <text>", "what the site is called")
    .option("--author <name>", "who writes the site")
    .option("--clean-urls", "about.html is served as /about")
    .option("--no-clean-urls", "it is served as /about.html");
}

export function addPageOptions(command: Command): Command {
  return command
    .optionsGroup("Pages:")
    .option("--include <glob>", "log other files too; repeatable", collect)
    .option("--exclude <glob>", "leave pages out; repeatable", collect)
    .option("--content <selector>", "a page's own part, not the shell; repeatable", collect);
}

export function addLogOptions(command: Command): Command {
  return command
    .optionsGroup("Change log:")
    .option("--minor <how>", "updates around a page's own part: log or omit them")
    .option("--messages", "put the first line of commit messages into the log")
    .option("--period <length>", "a change list for each month, or year, or day");
}

export function addRunOptions(command: Command): Command {
  return command
    .optionsGroup("Run:")
    .option("--first", "nothing was ever published on this site")
    .option("--dry-run", "say what would be published, and write nothing")
    .option("--test-address", "publish for example.org, localhost and the like")
    .option("--force", "write over files that rs-emit did not write")
    .option("--now <datetime>", "the time of the publication")
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
