import type { Mention } from "@rs-emit/core";

/** The flag of an option of the library: `cleanUrls` is `--clean-urls`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Options without a flag. */
const CONFIG_ONLY: ReadonlySet<string> = new Set(
  "description language rights describedby headers hub pings indexNowEndpoint links alsoLists".split(
    " ",
  ),
);

const NAMES: ReadonlyMap<string, string> = new Map([
  ["excerpts", "noExcerpts"],
  ["collections", "collection"],
  ["feed.file", "feed"],
  ["dump.changes", "dumpChanges"],
]);

/** An option as the command line gives it; `undefined` for one of the plugins. */
export function asFlag({ option, value }: Mention): string | undefined {
  if (option === "sourceFiles") return undefined;
  if (CONFIG_ONLY.has(option.replace(/\..*/, ""))) {
    return `${option}${value === undefined ? "" : `: ${value}`} of the config file`;
  }
  const name = NAMES.get(option) ?? option;
  const flag = flagOf(name);
  if (value === "false") return flag.replace("--", "--no-");
  if (value === undefined || value === "true") return flag;
  return `${flag} ${/\s/.test(value) ? JSON.stringify(value) : value}`;
}
