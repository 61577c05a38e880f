import { existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import {
  type Annotation,
  anyOf,
  askSourceFiles,
  type Builder,
  joinSourceFiles,
} from "@rs-emit/adapter";
import type { Build } from "./build.ts";
import type { BuildResult } from "./eleventy.ts";
import { OptOutError } from "./errors.ts";
import type { Settings } from "./options.ts";

/** A file of the output folder that this build wrote or copied. */
interface OutputFile {
  /** The file that Eleventy made it from, relative to the project's folder. */
  readonly source: string;
  /** Absolute paths of the source files that the author names. */
  readonly named: readonly string[] | undefined;
  /** The author opted it out. */
  readonly isWithheld: boolean;
}

/** What Eleventy knows of the site it has just built. */
export function builderOf(build: Build, settings: Settings): Builder {
  const project = process.cwd();
  const files = outputFiles(build, settings, project);
  const isIncluded = anyOf(settings.include);
  return {
    project,
    annotate: (path): Annotation | undefined => {
      const file = files.get(path);
      if (file?.isWithheld) return { excluded: true };
      // What the author asks for by name is a resource, whoever wrote it.
      return file === undefined && !isIncluded(path) ? { stale: true } : undefined;
    },
    sourceFiles: (path) => {
      const file = files.get(path);
      return file === undefined ? [] : joinSourceFiles(file.named, ownFile(project, file));
    },
  };
}

/** A template may be virtual: then there is no such file. */
function ownFile(project: string, { source }: OutputFile): readonly string[] {
  const file = resolve(project, source);
  return existsSync(file) ? [file] : [];
}

/** The files that a build wrote or copied, by path below the output folder. */
function outputFiles(
  { end, passthrough }: Build,
  { sourceFiles }: Settings,
  project: string,
): ReadonlyMap<string, OutputFile> {
  const files = new Map<string, OutputFile>();
  for (const [target, source] of Object.entries(passthrough?.map ?? {})) {
    files.set(decodeURI(target).slice(1), { source, named: undefined, isWithheld: false });
  }
  for (const result of end.results) {
    const { data = {}, inputPath, outputPath, url } = result;
    const page = { url, inputPath, outputPath, data };
    files.set(relative(end.directories.output, outputPath).replaceAll(sep, "/"), {
      source: inputPath,
      named: askSourceFiles(sourceFiles, page, project),
      isWithheld: isOptedOut(result),
    });
  }
  return files;
}

/** @throws {OptOutError} for anything but true and false: an author who writes `no` means it */
function isOptedOut({ data, inputPath }: BuildResult): boolean {
  const given = data?.resourcesync;
  if (given === undefined || given === null || typeof given === "boolean") return given === false;
  throw new OptOutError(inputPath, given);
}
