import type { z } from "zod";
import { OptionError, UnknownOptionError } from "./errors.ts";

/** The names of the options, of a site and of each of its collections. */
interface OptionNames {
  readonly site: readonly string[];
  readonly collection: readonly string[];
}

/** The first thing that is wrong with the options, as one error that names it. */
export function optionError(
  error: z.ZodError,
  options: unknown,
  names: OptionNames,
): OptionError | UnknownOptionError {
  const [issue] = error.issues;
  if (issue === undefined) return new OptionError("options", options, "an object");
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const known = path.length === 0 ? names.site : names.collection;
    const name = [...path, issue.keys[0] ?? ""].join(".");
    return new UnknownOptionError(name, known);
  }
  const name = path.join(".") || "options";
  return new OptionError(name, valueAt(options, path), allowedBy(issue));
}

function allowedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `one of ${issue.values.map(String).join(", ")}`;
  return issue.path.length === 0 ? "an object with the options" : issue.message;
}

function valueAt(options: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? new Map<PropertyKey, unknown>(Object.entries(value)).get(String(key))
        : undefined,
    options,
  );
}
