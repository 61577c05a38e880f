import { posix } from "node:path";
import type { Facts, Making } from "@rs-emit/core/adapter";
import type { EleventyConfig, EleventySettings } from "../eleventy.ts";
import { computedOf } from "./data.ts";
import { isLeftOut } from "./drafts.ts";
import { bearingOn } from "./elsewhere.ts";
import type { ProjectFiles } from "./files.ts";
import { fillIn } from "./fill-in.ts";
import { notationOf } from "./languages.ts";
import { mentionedIn } from "./mentions.ts";
import { type Permalink, permalinkOf } from "./permalink.ts";
import { Unread } from "./unread.ts";

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
    const elsewhere = bearingOn({ ...this.#files.saidElsewhere, ...data }, this.#settings);
    if (this.#isHeldElsewhere(data, elsewhere)) return { kind: "several" };
    const isOut = isLeftOut(path, { ...data, page: this.#pageOf(path, data) }, this.#settings);
    if (isOut === undefined) return { kind: "several" };
    if (isOut) return { kind: "nothing" };
    if ("pagination" in data) return { kind: "several" };
    const notation = notationOf(this.#files.languageOf(path), data, this.#settings);
    const permalink = permalinkOf(data, notation);
    const place = this.#placeOf(permalink, path, data);
    if (place.kind === "nowhere") return { kind: "nothing" };
    // Nothing tells whether readers could see it.
    if (data.resourcesync instanceof Unread || "resourcesync" in computedOf(data)) {
      const said = [path, textOf(permalink), data.resourcesync, computedOf(data)];
      return { kind: "page", ways: [JSON.stringify(said)], names: [] };
    }
    const naming = JSON.stringify(
      elsewhere.flatMap((one) => [one.permalink ?? [], computedOf(one).permalink ?? []].flat()),
    );
    const withheld = data.resourcesync === false ? ({ withheld: true } as const) : {};
    if (place.kind === "file" && naming === "[]") {
      const ways = this.#waysOf(permalink, path, data, "");
      return { kind: "page", ways, names: this.#namesOf(path), file: place.file, ...withheld };
    }
    // What is not certain may yet be what pages that stand are named after.
    const guess = place.kind === "file" ? [place.file] : [];
    const names = [...this.#namesOf(path), ...this.#namesIn(path, data), ...guess];
    const text = `${textOf(permalink)} ${naming}`;
    return { kind: "page", ways: this.#waysOf(permalink, path, data, text), names, ...withheld };
  }

  /** Whether what is said elsewhere may hide the page, or make several, as its own files do not decide. */
  #isHeldElsewhere(data: Facts, elsewhere: readonly Facts[]): boolean {
    const hasDrafts = Object.keys(this.#settings.preprocessors).length > 0;
    const names = ["resourcesync", "pagination", ...(hasDrafts ? ["draft"] : [])];
    const open = names.filter((name) => data[name] === undefined || data[name] instanceof Unread);
    return elsewhere.some(
      (one) => "resourcesync" in computedOf(one) || open.some((name) => name in one),
    );
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

  /**
   * Templates of one folder and language, with one permalink, are named alike; so are others with it.
   *
   * @param opaque text that decides as well, in a way that cannot be followed
   */
  #waysOf(permalink: Permalink, path: string, data: Facts, opaque: string): string[] {
    const { kind } = permalink;
    const text = kind === "stated" ? "" : textOf(permalink);
    const look = opaque === "" ? undefined : data.layout;
    const said = mentionedIn(opaque, data, this.#pageOf(path, data).date);
    const wide = [kind, text, Boolean(data.draft), look, said, opaque];
    const narrow = [...wide, this.#files.namesOf(path).folder, this.#files.languageOf(path)];
    // What cannot be followed may depend on the folder.
    return (kind === "unread" ? [narrow] : [narrow, wide]).map((way) => JSON.stringify(way));
  }

  #namesOf(path: string): string[] {
    const { base, fileSlug, filePathStem, folder } = this.#files.namesOf(path);
    return [fileSlug, filePathStem.slice(1), base, posix.join(folder, base)];
  }

  #namesIn(path: string, data: Facts): string[] {
    const fill = (template: string) => this.#fillIn(template, path, data) ?? "";
    return [fill("{{ slug }}"), fill("{{ title | slugify }}")];
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
    const inPath = date === undefined ? day : undefined;
    const time = new Date(typeof date === "string" ? date : (inPath ?? Number.NaN));
    return {
      inputPath: `./${path}`,
      fileSlug,
      filePathStem,
      ...(Number.isNaN(time.getTime()) ? {} : { date: time }),
    };
  }
}

function textOf(permalink: Permalink): string {
  return "text" in permalink ? permalink.text : "";
}
