import { statSync } from "node:fs";
import { join, posix } from "node:path";
import type { Build } from "../build.ts";
import { below, isGlob, matcher, plainPath } from "./paths.ts";

/** Where something puts a file; `undefined` when it does not mean that file. */
type Target = (path: string) => string | undefined;

/**
 * Tells where Eleventy copies a file to as it is, and where it would have copied one that is gone.
 *
 * @param input the input folder, relative to the project's as the files are
 * @param output the output folder, an absolute path
 * @returns paths below the output folder
 */
export function copyTargets(
  build: Build,
  input: string,
  output: string,
): (path: string) => readonly string[] {
  const { passthroughCopies } = build.config.getConfig();
  const inOutput = (path: string) => below(path, input) ?? path;
  const targets = Object.entries(passthroughCopies).map(([from, { outputPath }]) => {
    const source = plainPath(from);
    const to = outputPath === true ? undefined : outputPath;
    return isGlob(source)
      ? globTarget(source, to, inOutput)
      : pathTarget(source, to, inOutput, output);
  });
  targets.push(formatTarget(build, input));
  return (path) => [...new Set(targets.flatMap((target) => target(path) ?? []).map(plainPath))];
}

function globTarget(
  glob: string,
  to: string | undefined,
  inOutput: (path: string) => string,
): Target {
  const matches = matcher([glob]);
  return (path) => {
    if (!matches(path)) return undefined;
    return to === undefined ? inOutput(path) : posix.join(to, posix.basename(path));
  };
}

function pathTarget(
  source: string,
  to: string | undefined,
  inOutput: (path: string) => string,
  output: string,
): Target {
  return (path) => {
    const rest = below(path, source);
    if (rest === undefined) return undefined;
    if (to === undefined) return inOutput(path);
    if (rest !== "") return posix.join(to, rest);
    const isFolder = statSync(join(output, to), { throwIfNoEntry: false })?.isDirectory();
    return isFolder ? posix.join(to, posix.basename(path)) : to;
  };
}

/** Formats that no template language has are copied. */
function formatTarget({ config, extensions, ignores }: Build, input: string): Target {
  const formats = config.templateFormats.getTemplateFormats();
  const isIgnored = matcher(ignores);
  return (path) => {
    const isFormat = formats.some((format) => path.endsWith(`.${format}`));
    const isCopied = isFormat && extensions.getKey(path) === undefined && !isIgnored(path);
    return isCopied ? below(path, input) : undefined;
  };
}
