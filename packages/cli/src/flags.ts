import type { Mention } from "@rs-emit/core";
import { SITE_FLAGS, SITE_OPTION_NAMES } from "@rs-emit/core/words";

/** An option as a flag; `undefined` for an option that only plugins have. */
export function asFlag({ option, value }: Mention): string | undefined {
  if (option === "sourceFiles") return undefined;
  const [name = "", part] = option.split(".");
  const flags = SITE_FLAGS.filter((one) => one.option === name);
  const [spelled] = (flags.find((one) => one.part === part) ?? flags[0])?.flag.split(" ") ?? [];
  if (spelled === undefined && SITE_OPTION_NAMES.includes(name)) {
    return `${option}${value === undefined ? "" : `: ${value}`} of the config file`;
  }
  const flag = spelled ?? kebab(option);
  if (value === "false") return flag.replace("--", "--no-");
  if (value === undefined || value === "true") return flag;
  return `${flag} ${/\s/.test(value) ? JSON.stringify(value) : value}`;
}

/** `dumpChanges` is `--dump-changes`. */
function kebab(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
