import type * as v from "valibot";
import { type EmitError, optionError, unknownOptionError } from "../model/errors.ts";
import { UNKNOWN_KEY } from "./option.ts";

type Issue = v.BaseIssue<unknown>;

/** The first problem, as one error that names the option. */
export function optionsError([first]: readonly [Issue, ...Issue[]], options: unknown): EmitError {
  const path = pathOf(first);
  const unknown = unknownKey(first);
  if (unknown !== undefined) {
    const within = unknown === first ? path : [...path, ...pathOf(unknown)];
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

function pathOf({ path }: Issue): string[] {
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
