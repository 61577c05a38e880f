import { join, posix, relative, sep } from "node:path";
import type { Facts, Making, SourceRules } from "@rs-emit/core/adapter";
import type { Build } from "../build.ts";
import type { EleventyConfig } from "../eleventy.ts";
import { computedOf, merged } from "./data.ts";
import { Entries, entryMaking } from "./entries.ts";
import { readData, readTemplate } from "./facts.ts";
import { projectFiles } from "./files.ts";
import { globalFacts } from "./global-names.ts";
import { TemplateMaking } from "./making.ts";
import { ANY, mayHoldAnything } from "./unread.ts";

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
  const everywhere = globalFacts(build, project);
  return {
    roleOf: (file) => {
      const path = pathOf(file);
      const isSource = entries.includes(path) || isTemplate(path) || copiesOf(path).length > 0;
      if (isSource) return "source";
      // Layouts and data for the whole site are remembered as they are asked for.
      const isElsewhere = files.isElsewhere(path);
      return isElsewhere || entries.areSetIn(path) || files.isData(path) ? "data" : undefined;
    },
    dataOf: (source) => {
      const path = pathOf(source);
      const data = isTemplate(path) ? files.dataOf(path) : [];
      const deciding = entries.includes(path) ? entries.templatesOf(path) : data;
      return deciding.map((one) => join(project, one));
    },
    read: (file, bytes) => {
      const path = pathOf(file);
      if (files.isElsewhere(path)) return files.readElsewhere(path, bytes);
      if (files.isTemplate(path)) {
        return readTemplate(bytes, files.languageOf(path) === "11ty.js", settings);
      }
      return files.isData(path) ? readData(path, bytes, settings) : {};
    },
    made: (source, facts, data) => {
      const path = pathOf(source);
      if (entries.includes(path)) return data.length > 0 ? entryMaking(path) : { kind: "nothing" };
      const [copy, ...others] = copiesOf(path);
      if (copy === undefined) {
        const said = merged([everywhere, ...data, facts]);
        return resourceOnly(asFarAsKnown(making.of(path, said), path, said), shown);
      }
      return others.length > 0 || isTemplate(path) ? { kind: "several" } : copyMaking(path, copy);
    },
  };
}

/** Where a file may say anything, a page is the one that stands as long as all say the same. */
function asFarAsKnown(making: Making, path: string, data: Facts): Making {
  if (making.kind !== "page" || !mayHoldAnything(data)) return making;
  const { permalink, draft, resourcesync } = data;
  const said = [permalink, draft, resourcesync, computedOf(data), data[ANY]];
  return { kind: "page", ways: [JSON.stringify([path, ...said])], names: [] };
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
