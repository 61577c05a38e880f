import { resolve } from "node:path";
import { durationIn } from "@rs-emit/documents";
import * as z from "zod";
import { OptionError } from "../model/errors.ts";
import { collectionOptionNames, flag, optionError } from "../model/options.ts";
import type { PastOptions } from "./past-options.ts";

const TIME = 'a time such as "10m", "90s" or "2h", and no longer than 500 hours';
/** A timer of more than 2^31 ms would end at once. */
const MOST_SECONDS = 500 * 3600;
const text = z.string({ error: "text" }).min(1, { error: "text that is not empty" });
const count = z.coerce
  .number({ error: "a number" })
  .int({ error: "a whole number" })
  .min(1, { error: "1 or more" });

export const pastOptions = z.strictObject({
  branch: text.optional(),
  folder: text.optional(),
  build: text.optional(),
  install: text.optional(),
  carry: z.array(text, { error: "a list of paths" }).default([]),
  timeout: text.default("10m"),
  jobs: count.default(1),
  every: z.enum(["commit", "day"]).default("commit"),
  since: text.optional(),
  work: text.optional(),
  stopOnError: flag,
  allowSkipped: flag,
  project: text.default("."),
});

/** Paths are absolute, except `folder`, which is a path inside commits. */
export interface Past {
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

export function parsePast(options: PastOptions): Past {
  const parsed = pastOptions.safeParse(options);
  const names = { site: Object.keys(pastOptions.shape), collection: collectionOptionNames };
  if (!parsed.success) throw optionError(parsed.error, options, names);
  const { timeout, ...past } = parsed.data;
  const timeoutMilliseconds = parseTime(timeout);
  if (past.build === undefined) refuseWithoutBuild(options);
  return {
    ...past,
    branch: past.branch,
    build: past.build,
    install: past.install,
    since: past.since,
    folder: past.folder === undefined ? undefined : parseFolder(past.folder),
    project: resolve(past.project),
    work: past.work === undefined ? undefined : resolve(past.work),
    timeoutMilliseconds,
  };
}

const FOR_BUILDS = ["install", "carry", "timeout", "jobs", "stopOnError"] as const;

function refuseWithoutBuild(options: PastOptions): void {
  const given = FOR_BUILDS.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new OptionError(given, options[given], "left out where nothing is built");
}

function parseFolder(folder: string): string {
  const segments = folder.replaceAll("\\", "/").split("/");
  if (segments.includes("..") || folder.startsWith("/")) {
    throw new OptionError("folder", folder, "a folder in the repository, such as public");
  }
  return segments.filter((segment) => segment !== "" && segment !== ".").join("/");
}

function parseTime(text: string): number {
  const seconds = durationIn(text) ?? 0;
  if (!(seconds > 0 && seconds <= MOST_SECONDS)) throw new OptionError("timeout", text, TIME);
  return seconds * 1000;
}
