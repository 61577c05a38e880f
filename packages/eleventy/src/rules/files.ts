import { posix, relative, resolve, sep } from "node:path";
import type { Facts } from "@rs-emit/core/adapter";
import type { Build } from "../build.ts";
import { copyTargets } from "./copies.ts";
import { DataFiles } from "./data-files.ts";
import { Elsewhere } from "./elsewhere.ts";
import { outputExtension } from "./languages.ts";
import { below, matcher } from "./paths.ts";
import { defaultFile, type TemplateNames, templateNames } from "./template-names.ts";

/**
 * What part the files of a project have in its build, whether they are there or not. All paths are
 * relative to the project's folder.
 */
export interface ProjectFiles {
  isTemplate(path: string): boolean;
  isData(path: string): boolean;
  /** Whether it is a layout, or data for the whole site; those asked for bear on every template. */
  isElsewhere(path: string): boolean;
  readElsewhere(path: string, bytes: Uint8Array): Facts;
  /** A template's language, in Eleventy's words. */
  languageOf(template: string): string | undefined;
  namesOf(template: string): TemplateNames;
  /** The data files of a template, those that win last, and then all that is elsewhere. */
  dataOf(template: string): readonly string[];
  /** The file of a template without a permalink, below the output folder. */
  defaultFileOf(template: string): string;
  /**
   * The file that a permalink names, below the output folder; `undefined` when it is not in there.
   *
   * @param bypasses whether the permalink starts at the project's folder
   */
  fileAt(permalink: string, bypasses: boolean): string | undefined;
  /** What is said elsewhere, and has no versions. */
  readonly saidElsewhere: Facts;
  /** Where a file is copied to, below the output folder. */
  copiesOf(path: string): readonly string[];
}

/** @param project its folder, an absolute path */
export function projectFiles(build: Build, project: string): ProjectFiles {
  const { config, extensions, ignores, end } = build;
  const settings = config.getConfig();
  const { directories } = end;
  const pathOf = (folder: string) =>
    relative(project, resolve(project, folder)).replaceAll(sep, "/");
  const input = pathOf(directories.input);
  const output = pathOf(directories.output);
  const data = new DataFiles(settings, posix.basename(input));
  const isIgnored = matcher(ignores);
  const isMeant = matcher([directories.inputFile ?? directories.inputGlob ?? "**"]);
  const copiesOf = copyTargets(build, input, resolve(project, directories.output));
  const isInput = (path: string) => below(path, input) !== undefined && !isIgnored(path);
  const elsewhere = new Elsewhere(build, project);
  let saidElsewhere: Facts | undefined;
  const namesOf = (template: string) =>
    templateNames(below(template, input) ?? template, (name) =>
      extensions.removeTemplateExtension(name),
    );
  const isTemplate = (path: string) =>
    extensions.getKey(path) !== undefined && isInput(path) && isMeant(path);
  return {
    isTemplate,
    isData: (path) => isInput(path) && data.includes(path),
    // The folder of layouts may be that of templates.
    isElsewhere: (path) => !isTemplate(path) && elsewhere.includes(path),
    readElsewhere: (path, bytes) => elsewhere.read(path, bytes),
    languageOf: (template) => extensions.getKey(template),
    namesOf,
    dataOf: (template) => {
      const { folder, base } = namesOf(template);
      const own = data.of(posix.join(folder, base)).map((path) => posix.join(input, path));
      return [...own, ...elsewhere.paths];
    },
    defaultFileOf: (template) =>
      defaultFile(namesOf(template), outputExtension(template, settings)),
    fileAt: (permalink, bypasses) => {
      const file = permalink.endsWith("/") ? `${permalink}index.html` : permalink;
      return below(posix.join(bypasses ? "" : output, posix.normalize(file)), output);
    },
    get saidElsewhere() {
      // Only a history that is told asks.
      saidElsewhere ??= elsewhere.today();
      return saidElsewhere;
    },
    copiesOf,
  };
}
