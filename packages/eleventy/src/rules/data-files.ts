import { posix } from "node:path";
import type { EleventySettings } from "../eleventy.ts";

const SCRIPTS = ["ts", "cts", "mts", "js", "cjs", "mjs"];

/** Whether files of such a name are scripts. */
export function isScript(name: string): boolean {
  return SCRIPTS.some((extension) => name.endsWith(`.${extension}`));
}

/** Which data files Eleventy reads for the templates beside and below them. */
export class DataFiles {
  /** The ends of their names, those that win first. */
  readonly #endings: readonly string[];
  readonly #folderEndings: readonly string[];
  readonly #folderName: string | undefined;
  readonly #inputFolder: string;

  /** @param inputFolder its own name, which data for the whole site has; empty for the project's */
  constructor(settings: EleventySettings, inputFolder: string) {
    const { dataFileSuffixes, dataFileDirBaseNameOverride, dataExtensions } = settings;
    const others = ["json", ...[...dataExtensions.keys()].reverse()];
    const endings = (suffix: string) =>
      (suffix === "" ? others : [...SCRIPTS, ...others]).map((one) => `${suffix}.${one}`);
    this.#endings = dataFileSuffixes.flatMap(endings);
    this.#folderName = dataFileDirBaseNameOverride || undefined;
    this.#folderEndings =
      this.#folderName === undefined
        ? this.#endings
        : dataFileSuffixes.filter((suffix) => suffix !== "").flatMap(endings);
    this.#inputFolder = inputFolder;
  }

  /**
   * The data files of a template, whether they are there or not, those that win last.
   *
   * @param stem path of the template below the input folder, without its extension
   */
  of(stem: string): string[] {
    const folders = posix
      .dirname(stem)
      .split("/")
      .filter((name) => name !== ".");
    const paths = folders.map((_, depth) => folders.slice(0, depth + 1).join("/"));
    return [
      ...this.#ofFolder("", this.#inputFolder),
      ...paths.flatMap((path) => this.#ofFolder(path, posix.basename(path))),
      ...this.#endings.map((ending) => stem + ending).reverse(),
    ];
  }

  /** Whether a file may be one, judged by its name. */
  includes(path: string): boolean {
    if (/^package(?:-lock)?\.json$/.test(path)) return false;
    return this.#endings.some((ending) => path.endsWith(ending));
  }

  #ofFolder(path: string, name: string): string[] {
    const base = this.#folderName ?? name;
    if (base === "") return [];
    return this.#folderEndings.map((ending) => posix.join(path, base + ending)).reverse();
  }
}
