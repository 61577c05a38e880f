import * as v from "valibot";
import { type EmitError, optionError, unknownOptionError } from "../model/errors.ts";

/** Groups of a run's options in the command's help, in this order; the run's own group is the last. */
export const GROUPS_OF_RUNS = [
  "Site",
  "Pages",
  "Readers",
  "Copies of the site",
  "Search engines",
  "Dates of the first log",
  "Change log",
  "Safety",
] as const;

export type OptionGroup =
  | (typeof GROUPS_OF_RUNS)[number]
  | "Run"
  | "Commits"
  | "Build, where the pages are not committed";

/** How the command line spells an option, or a part of it. */
interface Flag {
  /** With the name of its value: `--url <site>`. */
  readonly flag: string;
  readonly group: OptionGroup;
  /** The help's text, where that is not the option's own description. */
  readonly words?: string;
  readonly isRepeatable?: true;
  /** The part of the option that the flag sets: `entries` of `feed`. */
  readonly part?: string;
}

export interface OptionInfo {
  readonly words: string;
  /** Absent for an option that only configs and plugins have. */
  readonly flags?: readonly Flag[];
}

/** One row of a table of options: a schema with its words and flags. */
export type Option = v.GenericSchema & OptionInfo;

export interface OptionFlag extends Flag {
  readonly option: string;
  /** For a terminal. */
  readonly words: string;
}

export function flagsOf(options: Readonly<Record<string, Option>>): readonly OptionFlag[] {
  return Object.entries(options).flatMap(([option, { words, flags = [] }]) =>
    flags.map((flag) => ({ ...flag, option, words: forTerminal(flag.words ?? words, flag) })),
  );
}

function forTerminal(words: string, { isRepeatable }: Flag): string {
  return `${words.replaceAll("`", "")}${isRepeatable ? "; repeatable" : ""}`;
}

export function requiredText(info: OptionInfo) {
  // A separate schema, since other options share `nonEmpty`.
  return Object.assign(v.pipe(text, v.minLength(1, NOT_EMPTY)), info);
}

export function optional<Schema extends v.GenericSchema>(
  schema: Schema,
  info: OptionInfo,
): v.OptionalSchema<Schema, undefined> & OptionInfo {
  return Object.assign(v.optional(schema), info);
}

export function withDefault<
  Schema extends v.GenericSchema,
  const Default extends v.InferInput<Schema>,
>(
  schema: Schema,
  fallback: Default,
  info: OptionInfo,
): v.OptionalSchema<Schema, Default> & OptionInfo {
  return Object.assign(v.optional(schema, fallback), info);
}

export function flag(info: OptionInfo): v.OptionalSchema<typeof bool, false> & OptionInfo {
  return withDefault(bool, false, info);
}

export const bool = v.boolean("true or false");

export const text = v.string("text");

/** valibot's expected type in the issue of an unknown key. */
const UNKNOWN_KEY = "never";

const NOT_EMPTY = "text that is not empty";

export const nonEmpty = v.pipe(text, v.minLength(1, NOT_EMPTY));

export const trimmed = v.pipe(text, v.trim(), v.minLength(1, NOT_EMPTY));

export function oneOf<const Values extends readonly string[]>(
  values: Values,
): v.PicklistSchema<Values, string> {
  return v.picklist(values, `one of ${values.join(", ")}`);
}

/** Its issues say what its value must be, what a missing key must be, and which keys are known. */
export function object<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Entries, v.ErrorMessage<v.StrictObjectIssue>> {
  const known = Object.keys(entries).join(", ");
  return v.strictObject(entries, ({ expected, path, message }) => {
    if (expected === UNKNOWN_KEY) return known;
    const missing = path === undefined ? undefined : entries[String(path.at(-1)?.key)];
    if (missing === undefined) return `an object with ${known}`;
    return v.safeParse(missing, undefined).issues?.[0].message ?? message;
  });
}

type Issue = v.BaseIssue<unknown>;

/** The first problem, as one error that names the option. */
export function optionsError([first]: readonly [Issue, ...Issue[]], options: unknown): EmitError {
  const path = keysTo(first);
  const unknown = unknownKey(first);
  if (unknown !== undefined) {
    const within = unknown === first ? path : [...path, ...keysTo(unknown)];
    return unknownOptionError(within.join("."), unknown.message.split(", "));
  }
  if (path.length === 0) return optionError("options", options, "an object with the options");
  return optionError(path.join("."), valueAt(options, path), first.message);
}

/** Where an option has several forms, the object among them may have an unknown key. */
function unknownKey(issue: Issue): Issue | undefined {
  const [inner] = issue.issues?.filter(({ path }) => path !== undefined) ?? [];
  return [issue, inner].find((one) => {
    return one?.type === "strict_object" && one.expected === UNKNOWN_KEY;
  });
}

function keysTo({ path }: Issue): string[] {
  return path?.map(({ key }) => String(key)) ?? [];
}

function valueAt(options: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? new Map<PropertyKey, unknown>(Object.entries(value)).get(key)
        : undefined,
    options,
  );
}
