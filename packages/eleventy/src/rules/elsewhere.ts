import { readFileSync } from "node:fs";
import { posix, relative, resolve, sep } from "node:path";
import type { Facts } from "@rs-emit/core/adapter";
import type { Build } from "../build.ts";
import type { EleventySettings } from "../eleventy.ts";
import { readTemplate } from "./facts.ts";
import { below, filesBelow } from "./paths.ts";
import { dataNamed, deciding, decidingData, Said } from "./said.ts";
import { Unread } from "./unread.ts";

/** Where layouts and data for the whole site are. */
export class Elsewhere {
  readonly #build: Build;
  readonly #folders: readonly string[];
  readonly #data: string;
  /** Those that history knows of. */
  readonly #known = new Set<string>();
  readonly #project: string;

  /** @param project its folder, an absolute path */
  constructor(build: Build, project: string) {
    const { data, includes, layouts = includes } = build.end.directories;
    this.#build = build;
    this.#project = project;
    this.#folders = [...new Set([includes, layouts])].map((folder) => this.#pathOf(folder));
    this.#data = this.#pathOf(data);
  }

  /** Whether a file is one, by its path below the project; those asked for are remembered. */
  includes(path: string): boolean {
    const isOne = this.#isIn(path);
    if (isOne) this.#known.add(path);
    return isOne;
  }

  /** Every file that was asked for. */
  get paths(): readonly string[] {
    return [...this.#known];
  }

  /** Reads a version of one, under a name of its own: what several say adds up. */
  read(path: string, bytes: Uint8Array): Facts {
    const said = this.#saidBy(path, bytes);
    return Object.keys(said.data).length === 0 ? {} : { [`elsewhere ${path}`]: said };
  }

  /** What the configuration says today, and files that no history knows of. */
  today(): Facts {
    const { globalData } = this.#build.config.getConfig();
    const given = Object.entries(globalData).map(([name, value]) => dataNamed(name, value));
    const config = given.map(
      (data, at) => [`elsewhere, config ${at}`, new Said([], data)] as const,
    );
    const files = [...this.#folders, this.#data].flatMap((folder) =>
      filesBelow(resolve(this.#project, folder)).map((file) => posix.join(folder, file)),
    );
    const unknown = files.filter((path) => this.#isIn(path) && !this.#known.has(path));
    return Object.assign(
      Object.fromEntries(config.filter(([, { data }]) => Object.keys(data).length > 0)),
      ...unknown.map((path) => this.read(path, readFileSync(resolve(this.#project, path)))),
    );
  }

  #isIn(path: string): boolean {
    if (below(path, this.#data) !== undefined) return decidingData(path, this.#data) !== undefined;
    const isLayout = this.#folders.some((folder) => below(path, folder) !== undefined);
    return isLayout && this.#build.extensions.getKey(path) !== undefined;
  }

  #saidBy(path: string, bytes: Uint8Array): Said {
    const name = decidingData(path, this.#data);
    if (name !== undefined) {
      const text = new TextDecoder().decode(bytes);
      return new Said([], dataNamed(name, new Unread(text)));
    }
    const { extensions, config } = this.#build;
    const isCode = extensions.getKey(path) === "11ty.js";
    const facts = readTemplate(bytes, isCode, config.getConfig());
    const files = this.#folders.flatMap((folder) => below(path, folder) ?? []);
    const names = files.flatMap((file) => [file, extensions.removeTemplateExtension(file)]);
    return new Said(names, deciding(facts));
  }

  #pathOf(folder: string): string {
    return relative(this.#project, resolve(this.#project, folder)).replaceAll(sep, "/");
  }
}

/** What bears on a page of all that was said elsewhere. */
export function bearingOn(facts: Facts, { layoutAliases }: EleventySettings): readonly Facts[] {
  const said = Object.values(facts).filter((value) => value instanceof Said);
  const ofSite = said.filter(({ layouts }) => layouts.length === 0).map(({ data }) => data);
  const layouts = said.filter(({ layouts: { length } }) => length > 0);
  const isForAll = ofSite.some((data) => "layout" in data);
  const bearing = new Set<Said>();
  let { layout } = facts;
  while (!isForAll && (layout === undefined || typeof layout === "string")) {
    const name = posix.normalize(String(layoutAliases?.[layout ?? ""] ?? layout ?? ""));
    const found = layouts.filter((one) => one.layouts.includes(name) && !bearing.has(one));
    const [first, ...others] = found;
    if (first === undefined) return [...ofSite, ...[...bearing].map(({ data }) => data)];
    if (others.length > 0) break;
    bearing.add(first);
    layout = first.data.layout;
  }
  return [...ofSite, ...layouts.map(({ data }) => data)];
}
