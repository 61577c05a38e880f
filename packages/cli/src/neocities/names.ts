import { CommandError, EXIT } from "../errors.ts";
import { isLeftOut } from "./files.ts";

/** Windows refuses these in a name, or gives them another meaning. */
const NOT_ON_WINDOWS = /[<>:"|?*\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

/** Whether a path of a site stays below the folder, and is a file that rs-emit would send too. */
export function isFetchable(path: string, platform: string = process.platform): boolean {
  if (path.includes("\\") || path.includes("\0")) return false;
  return path.split("/").every((name) => {
    if (name === "" || name === "." || name === ".." || isLeftOut(name)) return false;
    return platform !== "win32" || !NOT_ON_WINDOWS.test(name);
  });
}

/** Some disks treat `Moss.html` and `moss.html` as one file: each would overwrite the other. */
export function refuseTwins(paths: Iterable<string>): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const folded = path.normalize("NFC").toLowerCase();
    const twin = seen.get(folded);
    seen.set(folded, path);
    if (twin === undefined || twin === path) continue;
    throw new CommandError({
      code: "SAME_NAME",
      problem: `On this disk, ${twin} and ${path} are one file. Nothing was changed here.`,
      cure: "Rename or delete one of them, on the site or here, then run again.",
      exitCode: EXIT.failed,
    });
  }
}
