import { PAST_FLAGS, type PastOptions } from "@rs-emit/core/backfill";
import { SITE_FLAGS } from "@rs-emit/core/words";
import type { Command } from "commander";
import { type Arguments, type GivenOptions, parse, toArguments } from "../arguments.ts";
import { addGroup, addRunOptions, newCommand } from "../option-groups.ts";
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

/** Returns `undefined` after printing help or the version. Throws CommandError. */
export function parseBackfillArguments(
  args: readonly string[],
  streams: Streams,
): BackfillArguments | undefined {
  const command = backfillCommand(streams);
  if (!parse(command, args)) return undefined;
  const given: GivenOptions & PastOptions = command.opts();
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

function backfillCommand(streams: Streams): Command {
  const command = newCommand("rs-emit backfill", streams, EXAMPLES)
    .usage("<dir> --url <site> [options]")
    .description(
      "Publishes the first change log with the site's whole past: what each commit published, or what it " +
        "builds to today. The log is written into <dir>, once, at the end.",
    )
    .argument("[dir]", "the folder of the built site");
  addGroup(command, "Commits", PAST_FLAGS);
  addGroup(command, "Build, where the pages are not committed", PAST_FLAGS);
  addGroup(command, "Site", SITE_FLAGS, ["movedFrom"]);
  addGroup(command, "Pages");
  addGroup(command, "Change log", SITE_FLAGS, ["note", "minor"]);
  addGroup(command, "Safety", SITE_FLAGS, ["previous", "allowMassDelete"]).option(
    "--previous <where>",
    "where nothing may be published yet: auto, output, site or a folder",
  );
  return addRunOptions(command);
}
