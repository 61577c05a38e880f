import { resolve } from "node:path";
import { durationIn } from "@rs-emit/documents";
import * as v from "valibot";
import { optionError } from "../model/errors.ts";
import {
  flag,
  flagsOf,
  nonEmpty,
  type OptionGroup,
  object,
  oneOf,
  optional,
  optionsError,
  withDefault,
} from "../options/option.ts";
import type { PastOptions } from "./past-options.generated.ts";

const TIME = 'a time such as "10m", "90s" or "2h", and no longer than 500 hours';
/** A timer of more than 2^31 ms would end at once. */
const MOST_SECONDS = 500 * 3600;
const COMMITS: OptionGroup = "Commits";
const BUILD: OptionGroup = "Build, where the pages are not committed";

const count = v.pipe(
  v.union([v.number(), v.string()], "a number"),
  v.transform(Number),
  v.number("a number"),
  v.integer("a whole number"),
  v.minValue(1, "1 or more"),
);

/** Every option of a backfill besides those of a run, each in one row. */
export const pastOptions = object({
  branch: optional(nonEmpty, {
    words: "a branch that holds the published pages, such as `gh-pages`",
    flags: [{ group: COMMITS, flag: "--branch <name>" }],
  }),
  folder: optional(nonEmpty, {
    words:
      "the folder of the pages in the commits, from the repository's root; `<dir>` unless given",
    flags: [{ group: COMMITS, flag: "--folder <path>" }],
  }),
  every: withDefault(oneOf(["commit", "day"]), "commit", {
    words: "each commit, or the last one of each day",
    flags: [{ group: COMMITS, flag: "--every <commit|day>" }],
  }),
  since: optional(nonEmpty, {
    words: "only what came after this commit or date",
    flags: [{ group: COMMITS, flag: "--since <commit>" }],
  }),
  allowSkipped: flag({
    words: "publish although git could not check out a commit, or more than a third failed",
    flags: [{ group: COMMITS, flag: "--allow-skipped" }],
  }),
  build: optional(nonEmpty, {
    words: "builds a commit; runs in a checkout outside the project",
    flags: [{ group: BUILD, flag: "--build <command>" }],
  }),
  install: optional(nonEmpty, {
    words: "installs what a build needs, such as `npm install`",
    flags: [{ group: BUILD, flag: "--install <command>" }],
  }),
  carry: withDefault(v.array(nonEmpty, "a list of paths"), [], {
    words: "a file that git ignores and a build needs",
    flags: [{ group: BUILD, flag: "--carry <path>", isRepeatable: true }],
  }),
  timeout: withDefault(nonEmpty, "10m", {
    words: "end a build after this time",
    flags: [{ group: BUILD, flag: "--timeout <time>" }],
  }),
  jobs: withDefault(count, 1, {
    words: "builds at a time",
    flags: [{ group: BUILD, flag: "--jobs <number>" }],
  }),
  stopOnError: flag({
    words: "stop at a build that fails",
    flags: [{ group: BUILD, flag: "--stop-on-error" }],
  }),
  work: optional(nonEmpty, {
    words: "where checkouts are made, in place of the temporary folder",
    flags: [{ group: BUILD, flag: "--work <folder>" }],
  }),
  project: withDefault(nonEmpty, ".", {
    words: "the folder that builds run in; the working directory unless given",
  }),
});

export const PAST_FLAGS = flagsOf(pastOptions.entries);

/** Paths are absolute, except `folder`, which is a path inside commits. */
export interface PastSettings {
  readonly branch: string | undefined;
  readonly folder: string | undefined;
  readonly build: string | undefined;
  readonly install: string | undefined;
  readonly carry: readonly string[];
  readonly timeoutMilliseconds: number;
  readonly jobs: number;
  readonly every: "commit" | "day";
  readonly since: string | undefined;
  readonly work: string | undefined;
  readonly stopOnError: boolean;
  readonly allowSkipped: boolean;
  readonly project: string;
}

export function parsePast(options: PastOptions): PastSettings {
  const parsed = v.safeParse(pastOptions, options);
  if (!parsed.success) throw optionsError(parsed.issues, options);
  const { timeout, ...past } = parsed.output;
  const timeoutMilliseconds = parseTime(timeout);
  if (past.build === undefined) refuseWithoutBuild(options);
  return {
    ...past,
    branch: past.branch,
    build: past.build,
    install: past.install,
    since: past.since,
    folder:
      past.folder === undefined
        ? undefined
        : pathWithin("folder", past.folder, "a folder in the repository, such as public"),
    carry: past.carry.map((path) =>
      pathWithin("carry", path, "paths in the project, such as .env"),
    ),
    project: resolve(past.project),
    work: past.work === undefined ? undefined : resolve(past.work),
    timeoutMilliseconds,
  };
}

const FOR_BUILDS = ["install", "carry", "timeout", "jobs", "stopOnError"] as const;

function refuseWithoutBuild(options: PastOptions): void {
  const given = FOR_BUILDS.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw optionError(given, options[given], "left out where nothing is built");
}

function pathWithin(option: "folder" | "carry", path: string, allowed: string): string {
  const segments = path.replaceAll("\\", "/").split("/");
  if (segments.includes("..") || path.startsWith("/")) throw optionError(option, path, allowed);
  return segments.filter((segment) => segment !== "" && segment !== ".").join("/");
}

function parseTime(text: string): number {
  const seconds = durationIn(text) ?? 0;
  if (!(seconds > 0 && seconds <= MOST_SECONDS)) throw optionError("timeout", text, TIME);
  return seconds * 1000;
}
