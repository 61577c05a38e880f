import type { PastOptions } from "@rs-emit/core/backfill";
import type { Command } from "commander";
import { type Arguments, type Given, parse, toArguments } from "../arguments.ts";
import {
  addLogOptions,
  addOption,
  addPageOptions,
  addRunOptions,
  addSiteOptions,
  collect,
  newCommand,
} from "../option-groups.ts";
import type { Streams } from "../terminal.ts";

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
 * Returns `undefined` after printing help or the version.
 * @throws {CommandError}
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
  const { stopOnError, allowSkipped, ...options } = rest;
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
    allowSkipped,
  };
  return { ...toArguments(command.args[0], options), past: withoutAbsent(past) };
}

function withoutAbsent(past: PastOptions): PastOptions {
  return Object.fromEntries(Object.entries(past).filter(([, value]) => value !== undefined));
}

function createCommand(streams: Streams): Command {
  const command = newCommand("rs-emit backfill", streams, EXAMPLES)
    .usage("<dir> --url <site> [options]")
    .description(
      "Publishes the first change log with the site's whole past: what each commit published, or what it " +
        "builds to today. The log is written into <dir>, once, at the end.",
    )
    .argument("[dir]", "the folder of the built site")
    .optionsGroup("Commits:")
    .option("--branch <name>", "a branch that holds the published pages, such as gh-pages")
    .option(
      "--folder <path>",
      "the folder of the pages in the commits, from the repository's root; <dir> unless given",
    )
    .option("--every <step>", "each commit, or the last one of each day: commit or day")
    .option("--since <commit>", "only what came after this commit or date")
    .option("--allow-skipped", "publish although more than a third could not be read")
    .optionsGroup("Build, where the pages are not committed:")
    .option("--build <command>", "builds a commit; runs in a checkout outside the project")
    .option("--install <command>", "installs what a build needs, such as npm install")
    .option("--carry <path>", "a file that git ignores and a build needs; repeatable", collect)
    .option("--timeout <time>", "end a build after this time (10m)")
    .option("--jobs <number>", "builds at a time (1)")
    .option("--stop-on-error", "stop at a build that fails")
    .option("--work <folder>", "where checkouts are made, in place of the temporary folder");
  addSiteOptions(command);
  addPageOptions(command);
  addLogOptions(command);
  command
    .optionsGroup("Trust:")
    .option(
      "--previous <where>",
      "where nothing may be published yet: auto, output, site or a folder",
    );
  addOption(command, "anyFolder");
  return addRunOptions(command);
}
