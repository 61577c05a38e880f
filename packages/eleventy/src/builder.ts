import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Annotation,
  anyOf,
  askSourceFiles,
  type Builder,
  joinSourceFiles,
  pathBelow,
} from "@rs-emit/adapter";
import * as v from "valibot";
import type { EleventyBuild } from "./build.ts";
import type { BuildResult } from "./eleventy.ts";
import { pageDataError } from "./errors.ts";
import type { EleventySettings } from "./options.ts";

interface OutputFile {
  readonly source: string;
  readonly named: readonly string[] | undefined;
  readonly pageData: PageData;
}

const SAID = v.strictObject({
  note: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1))),
  minor: v.optional(v.boolean()),
});

export function builderOf(build: EleventyBuild, settings: EleventySettings): Builder {
  const project = process.cwd();
  const files = outputFiles(build, settings, project);
  const isIncluded = anyOf(settings.include);
  return {
    project,
    annotate: (path): Annotation | undefined => {
      const file = files.get(path);
      if (file?.pageData === false) return { excluded: true };
      if (file !== undefined) return file.pageData;
      // An included file is a resource, even if another tool wrote it.
      return isIncluded(path) ? undefined : { stale: true };
    },
    sourceFiles: (path) => {
      const file = files.get(path);
      return file === undefined ? [] : joinSourceFiles(file.named, ownFile(project, file));
    },
  };
}

/** A virtual template has no file. */
function ownFile(project: string, { source }: OutputFile): readonly string[] {
  const file = resolve(project, source);
  return existsSync(file) ? [file] : [];
}

function outputFiles(
  { end, passthrough }: EleventyBuild,
  { sourceFiles }: EleventySettings,
  project: string,
): ReadonlyMap<string, OutputFile> {
  const files = new Map<string, OutputFile>();
  for (const [target, source] of Object.entries(passthrough?.map ?? {})) {
    files.set(decodeURI(target).slice(1), { source, named: undefined, pageData: {} });
  }
  for (const result of end.results) {
    const { data = {}, inputPath, outputPath, url } = result;
    const page = { url, inputPath, outputPath, data };
    files.set(pathBelow(end.directories.output, outputPath), {
      source: inputPath,
      named: askSourceFiles(sourceFiles, page, project),
      pageData: readPageData(result),
    });
  }
  return files;
}

/** `resourcesync` in a page's data; `false` excludes the page. */
type PageData = Pick<Annotation, "isPage" | "note" | "minor"> | false;

/** @throws {EmitError} `PAGE_DATA` for any other value, since the author meant something */
function readPageData({ data, inputPath }: BuildResult): PageData {
  const given = data?.resourcesync;
  if (given === undefined || given === null || given === true) return { isPage: true };
  if (given === false) return false;
  const parsed = v.safeParse(SAID, given);
  if (!parsed.success) throw pageDataError(inputPath, given);
  const { note, minor } = parsed.output;
  return {
    isPage: true,
    ...(note === undefined ? {} : { note }),
    ...(minor === undefined ? {} : { minor }),
  };
}
