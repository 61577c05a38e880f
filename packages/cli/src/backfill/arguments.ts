import type { PastOptions } from "@rs-emit/core";
import { Command } from "commander";
import {
  type Arguments,
  collect,
  type Given,
  ownVersion,
  parse,
  toArguments,
} from "../arguments.ts";
import type { Streams } from "../terminal.ts";

/** What the command line of a backfill says. */
export interface BackfillArguments extends Arguments {
  readonly past: PastOptions;
}

const EXAMPLES = `
Examples:
  rs-emit backfill public --url https://example.org/
  rs-emit backfill public --branch gh-pages --url https://example.org/
  rs-emit backfill _site --build "npx @11ty/eleventy" --url https://example.org/

With --build, the build scripts of old commits run on this machine: only backfill a
repository whose every author you trust. Nothing of your working tree is touched.
When the run is interrupted, the same command goes on where it was.

Exit codes: 0 published; 1 failed; 2 wrong usage; 130 interrupted.`;

/**
 * Reads the command line of `rs-emit backfill`.
 *
 * @returns nothing when it only asked for help or the version, which are then shown
 * @throws {CommandError} for an option that is not known, or has no value
 */
export function parseBackfillArguments(
  args: readonly string[],
  streams: Streams,
): BackfillArguments | undefined {
  const command = createCommand(streams);
  if (!parse(command, args)) return undefined;
  const given: Given & PastOptions = command.opts();
  const { branch, folder, build, install, carry, timeout, jobs, every, since, work, ...rest } =
    given;
  const { stopOnError, ...options } = rest;
  const past = {
    branch,
    folder,
    build,
    install,
    carry,
    timeout,
    jobs,
    every,
    since,
    work,
    stopOnError,
  };
  return { ...toArguments(command.args[0], options), past: withoutAbsent(past) };
}

function withoutAbsent(past: PastOptions): PastOptions {
  return Object.fromEntries(Object.entries(past).filter(([, value]) => value !== undefined));
}

function createCommand({ stdout }: Streams): Command {
  return new Command("rs-emit backfill")
    .usage("<dir> --url <site> [options]")
    .description(
      "Publishes the first change log with the site's whole past: what each commit published, or what it " +
        "builds to today. The log is written into <dir>, once, at the end.",
    )
    .argument("[dir]", "the folder of the built site")
    .optionsGroup("Its past:")
    .option("--branch <name>", "a branch that holds the published pages, such as gh-pages")
    .option(
      "--folder <path>",
      "the folder of the pages in the commits, from the repository's root; <dir> unless given",
    )
    .option("--every <step>", "each commit, or the last one of each day: commit or day")
    .option("--since <commit>", "only what came after this commit or date")
    .option("--messages", "put the first line of commit messages into the log")
    .optionsGroup("Its build, where the pages are not committed:")
    .option("--build <command>", "builds a commit; runs in a checkout outside the project")
    .option("--install <command>", "installs what a build needs, such as npm ci")
    .option("--carry <path>", "a file that git ignores and a build needs; repeatable", collect)
    .option("--timeout <time>", "end a build after this time (10m)")
    .option("--jobs <number>", "builds at a time (1)")
    .option("--stop-on-error", "stop at a build that fails")
    .option("--work <folder>", "where checkouts are made, in place of the temporary folder")
    .optionsGroup("The site:")
    .option("--url <site>", "its address, such as https://example.org/")
    .option("--collection <path>", "a part with a log of its own; repeatable", collect)
    .option("--title <text>", "what the log is called")
    .option("--author <name>", "who writes the site")
    .option("--clean-urls", "about.html is served as /about")
    .optionsGroup("Its pages:")
    .option("--include <glob>", "log other files too; repeatable", collect)
    .option("--exclude <glob>", "leave pages out; repeatable", collect)
    .option("--content <selector>", "a page's own part, not the shell; repeatable", collect)
    .option("--period <length>", "a change list for each month, or year, or day")
    .optionsGroup("This run:")
    .option("--previous <where>", "where nothing may be published yet: auto, output, site")
    .option("--first", "nothing was ever published on this site")
    .option("--dry-run", "say what would be published, and write nothing")
    .option("--test-address", "publish for example.org, localhost and the like")
    .option("--force", "write over files that rs-emit did not write")
    .option("--now <datetime>", "the time it is")
    .option("--config <file>", "read options from this file")
    .option("--json", "one JSON object on standard output")
    .option("--quiet", "say nothing but errors")
    .option("--verbose", "list every document; show where an error came from")
    .version(ownVersion(), "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", EXAMPLES)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), outputError: () => {} });
}
