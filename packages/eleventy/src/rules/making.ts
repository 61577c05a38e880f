import { posix } from "node:path";
import type { Facts, Making } from "@rs-emit/core/adapter";
import type { EleventyConfig, EleventySettings } from "../eleventy.ts";
import { computedOf } from "./data.ts";
import { isLeftOut } from "./drafts.ts";
import type { ProjectFiles } from "./files.ts";
import { fillIn } from "./fill-in.ts";
import { notationOf } from "./languages.ts";
import { type Permalink, permalinkOf } from "./permalink.ts";
import { Unread } from "./script.ts";

/** Where a version of a template is written to, as far as that can be told. */
type Place =
  | { readonly kind: "nowhere" | "unknown" }
  | { readonly kind: "file"; readonly file: string };

/** Tells what a version of a template makes by Eleventy's rules. */
export class TemplateMaking {
  readonly #eleventyConfig: EleventyConfig;
  readonly #settings: EleventySettings;
  readonly #files: ProjectFiles;
  readonly #filtered = new Map<string, unknown>();

  constructor(eleventyConfig: EleventyConfig, settings: EleventySettings, files: ProjectFiles) {
    this.#eleventyConfig = eleventyConfig;
    this.#settings = settings;
    this.#files = files;
  }

  /** @param data all that its data files and itself are known to say */
  of(path: string, data: Facts): Making {
    const isOut = isLeftOut(path, { ...data, page: this.#pageOf(path, data) }, this.#settings);
    if (isOut) return { kind: "nothing" };
    if ("pagination" in data) return { kind: "several" };
    const notation = notationOf(this.#files.languageOf(path), data, this.#settings);
    const permalink = permalinkOf(data, notation);
    const place = this.#placeOf(permalink, path, data);
    if (place.kind === "nowhere") return { kind: "nothing" };
    // Nothing tells whether readers could see it.
    if (data.resourcesync instanceof Unread || "resourcesync" in computedOf(data)) {
      return { kind: "page", ways: [path], names: [] };
    }
    const isCertain = isOut !== undefined && !this.#files.isNamedElsewhere;
    return {
      kind: "page",
      ways: this.#waysOf(permalink, path, data),
      names: this.#namesOf(permalink, path, data),
      ...(place.kind === "file" && isCertain ? { file: place.file } : {}),
      ...(data.resourcesync === false ? { withheld: true } : {}),
    };
  }

  #placeOf(permalink: Permalink, path: string, data: Facts): Place {
    if (permalink.kind === "none") return { kind: "nowhere" };
    if (permalink.kind === "unread") return { kind: "unknown" };
    if (permalink.kind === "default") {
      return { kind: "file", file: this.#files.defaultFileOf(path) };
    }
    const link =
      permalink.kind === "stated" ? permalink.text : this.#fillIn(permalink.text, path, data);
    if (link === undefined) return { kind: "unknown" };
    const file = this.#files.fileAt(link, data.permalinkBypassOutputDir === true);
    return file === undefined ? { kind: "nowhere" } : { kind: "file", file };
  }

  /** Templates of one folder and language, with one permalink, are named alike; so are others with it. */
  #waysOf(permalink: Permalink, path: string, { draft, layout }: Facts): string[] {
    const text = permalink.kind === "template" || permalink.kind === "unread" ? permalink.text : "";
    const look = this.#files.isNamedElsewhere ? layout : undefined;
    const wide = [permalink.kind, text, Boolean(draft), look];
    const narrow = [...wide, this.#files.namesOf(path).folder, this.#files.languageOf(path)];
    return (permalink.kind === "unread" ? [wide] : [narrow, wide]).map((way) =>
      JSON.stringify(way),
    );
  }

  #namesOf({ kind }: Permalink, path: string, data: Facts): string[] {
    const { base, fileSlug, filePathStem, folder } = this.#files.namesOf(path);
    const names = [fileSlug, filePathStem.slice(1), base, posix.join(folder, base)];
    const isByData = kind === "template" || kind === "unread" || this.#files.isNamedElsewhere;
    if (!isByData) return names;
    const fill = (template: string) => this.#fillIn(template, path, data) ?? "";
    return [...names, fill("{{ slug }}"), fill("{{ title | slugify }}")];
  }

  #fillIn(template: string, path: string, data: Facts): string | undefined {
    const page = this.#pageOf(path, data);
    const computed = computedOf(data);
    return fillIn(template, { page, data, computed, filterOf: (name) => this.#filterOf(name) });
  }

  /** A filter of the site's, asked only once for the same. */
  #filterOf(name: string): ((value: string) => unknown) | undefined {
    const filter = this.#eleventyConfig.getFilter(name);
    return (
      filter &&
      ((value) => {
        const key = JSON.stringify([name, value]);
        if (!this.#filtered.has(key)) this.#filtered.set(key, filter(value));
        return this.#filtered.get(key);
      })
    );
  }

  /** Eleventy's `page`, where it depends on nothing but names and data. */
  #pageOf(path: string, { date }: Facts) {
    const { fileSlug, filePathStem } = this.#files.namesOf(path);
    const day = /\d{4}-\d{2}-\d{2}/.exec(path)?.[0];
    const time = new Date(typeof date === "string" ? date : (day ?? Number.NaN));
    return {
      inputPath: `./${path}`,
      fileSlug,
      filePathStem,
      ...(Number.isNaN(time.getTime()) ? {} : { date: time }),
    };
  }
}
