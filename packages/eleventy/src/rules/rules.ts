import { join, posix, relative, sep } from "node:path";
import type { Making, SourceRules } from "@rs-emit/core/adapter";
import type { Build } from "../build.ts";
import type { EleventyConfig } from "../eleventy.ts";
import { merged } from "./data.ts";
import { Entries, entryMaking } from "./entries.ts";
import { readData, readTemplate } from "./facts.ts";
import { projectFiles } from "./files.ts";
import { TemplateMaking } from "./making.ts";

/** What a build showed, by which its rules are to be read. */
export interface Shown {
  readonly build: Build;
  /** Its folder, an absolute path. */
  readonly project: string;
  /** The sources of each page that its template shares with others: its own first, the template last. */
  readonly entries: readonly (readonly string[])[];
  /** Whether a file of the output folder may be a resource. */
  isWanted(file: string): boolean;
}

/**
 * How Eleventy makes pages from templates, their data and copied files: asked of versions that it
 * cannot build any more.
 */
export function rulesOf(eleventyConfig: EleventyConfig, shown: Shown): SourceRules {
  const { build, project } = shown;
  const settings = build.config.getConfig();
  const files = projectFiles(build, project);
  const pathOf = (file: string) => relative(project, file).replaceAll(sep, "/");
  const entries = new Entries(shown.entries.map((sources) => sources.map(pathOf)));
  const isTemplate = (path: string) => files.isTemplate(path) && !entries.areSetIn(path);
  const copiesOf = (path: string) => files.copiesOf(path).filter((file) => shown.isWanted(file));
  const making = new TemplateMaking(eleventyConfig, settings, files);
  return {
    roleOf: (file) => {
      const path = pathOf(file);
      const isSource = entries.includes(path) || isTemplate(path) || copiesOf(path).length > 0;
      return isSource ? "source" : files.isData(path) ? "data" : undefined;
    },
    dataOf: (source) => {
      const path = pathOf(source);
      if (entries.includes(path) || !isTemplate(path)) return [];
      return files.dataOf(path).map((data) => join(project, data));
    },
    read: (file, bytes) => {
      const path = pathOf(file);
      if (files.isTemplate(path)) {
        return readTemplate(bytes, files.languageOf(path) === "11ty.js");
      }
      return files.isData(path) ? readData(path, bytes, settings) : {};
    },
    made: (source, facts, data) => {
      const path = pathOf(source);
      if (entries.includes(path)) return entryMaking(path);
      const [copy, ...others] = copiesOf(path);
      if (copy === undefined) return resourceOnly(making.of(path, merged([...data, facts])), shown);
      return others.length > 0 || isTemplate(path) ? { kind: "several" } : copyMaking(path, copy);
    },
  };
}

/** What is no resource, a feed say, is no example of how pages are named. */
function resourceOnly(making: Making, { isWanted }: Shown): Making {
  const isOther = making.kind === "page" && making.file !== undefined && !isWanted(making.file);
  return isOther ? { kind: "nothing" } : making;
}

/** A copied file is named by where it lies. */
function copyMaking(path: string, file: string): Making {
  return { kind: "page", ways: [`copy ${posix.dirname(path)}`, "copy"], file, names: [path] };
}
