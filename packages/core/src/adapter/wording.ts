import { EmitError } from "../errors.ts";

/** Options of the command whose names messages mention, with or without a value. */
const FLAGS = /--(first|force|allow-mass-delete)\b/g;
const VALUES = /--(history|previous) ([a-z]+)\b/g;
const NAMES = /--(exclude|history|previous|source|url)\b/g;

/** A message of core with options as a config file says them, not the command line. */
export function inConfigWords(message: string): string {
  return message
    .replaceAll(FLAGS, (_, name: string) => `${camelCase(name)}: true`)
    .replaceAll(VALUES, "$1: '$2'")
    .replaceAll(NAMES, "the option $1");
}

/** An error of core, told to the author of a config file. */
export class BuildError extends EmitError {
  readonly code: string;
  constructor(cause: EmitError) {
    super(inConfigWords(cause.message), { cause });
    this.code = cause.code;
  }
}

function camelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
