import type { Flag, Option } from "./option.ts";
import { siteOptions } from "./site-options.ts";

/** A flag of the command, with the option that it sets. */
export interface OptionFlag extends Flag {
  readonly option: string;
  /** For a terminal. */
  readonly words: string;
}

/** The flags of a table of options, in its order. */
export function flagsOf(options: Readonly<Record<string, Option>>): readonly OptionFlag[] {
  return Object.entries(options).flatMap(([option, { words, flags = [] }]) =>
    flags.map((flag) => ({ ...flag, option, words: plain(flag.words ?? words, flag) })),
  );
}

function plain(words: string, { isRepeatable }: Flag): string {
  return `${words.replaceAll("`", "")}${isRepeatable ? "; repeatable" : ""}`;
}

/** The flags of a run. */
export const SITE_FLAGS = flagsOf(siteOptions.entries);

export const SITE_OPTION_NAMES = Object.keys(siteOptions.entries);
