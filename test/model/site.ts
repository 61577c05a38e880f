import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EmitOptions } from "@rs-emit/core";
import { bytesOf, isPage, type Page } from "./page.ts";

/** A file of the site. */
export interface Version {
  readonly page: Page;
  /** UTC seconds. */
  readonly modified: number;
}

/** A choice of globs, beside what they mean. */
export interface Globs {
  readonly globs: readonly string[];
  readonly matches: (file: string) => boolean;
}

/** The options an author may change from run to run. */
export interface Choices {
  readonly collections: readonly string[];
  readonly exclude: Globs;
  readonly include: Globs;
  readonly cleanUrls: boolean;
  /** A CSS selector of own content; empty for the default. */
  readonly content: string;
  readonly period: "year" | "month" | "day";
  readonly title: string;
  /** Whether resources get the links by which followers find the log. */
  readonly link: boolean;
  readonly dump: boolean | { changes: number };
}

export const NONE: Globs = { globs: [], matches: () => false };

export const DEFAULTS: Choices = {
  collections: [],
  exclude: NONE,
  include: NONE,
  cleanUrls: false,
  content: "",
  period: "month",
  title: "My site",
  link: false,
  dump: false,
};

/** What became of a file, by the design's sentences. */
export interface Standing extends Version {
  readonly file: string;
  /** What all spellings of its URL have in common. */
  readonly key: string;
  readonly url: string;
  /** The collection's URL; absent for a page that is no resource. */
  readonly collection: string | undefined;
  readonly withheld: boolean;
  /** The URL of the collection whose changes a list in it shows; absent where it is left alone. */
  readonly listed: string | undefined;
}

/** A site in memory: its files, its options, and its author's clock. */
export class Site {
  readonly url: string;
  readonly files = new Map<string, Version>();
  /** What was removed last from each place, to be restored. */
  readonly trash = new Map<string, Version>();
  choices = DEFAULTS;
  now: number;
  /** The author's words for the next publication. */
  note: string | undefined;

  constructor(url: string, now: number) {
    this.url = url;
    this.now = now;
  }

  /** Every file that may be a resource, and what it is. */
  standing(): Standing[] {
    return [...this.files]
      .filter(([file]) => this.#isOffered(file))
      .map(([file, version]) => {
        const url = this.urlOf(file);
        const collection = this.#collectionOf(file);
        const unwanted =
          this.choices.exclude.matches(file.normalize("NFC")) || /(?:^|\/)404\.html$/.test(file);
        // A page outside every collection is not looked into.
        const hidden =
          collection !== undefined && isPage(file) && version.page.visibility !== "public";
        const withheld = unwanted || hidden;
        const key = keyOf(url);
        return {
          ...version,
          file,
          key,
          url,
          collection: withheld ? undefined : collection,
          withheld,
          listed: collection,
        };
      });
  }

  /** @param isFile the address of the file itself, not of its folder */
  urlOf(file: string, cleanUrls = this.choices.cleanUrls, isFile = false): string {
    const folder = isFile ? file : file.replace(/(^|\/)index\.html$/, "$1");
    return this.url + encoded(cleanUrls ? folder.replace(/\.html$/, "") : folder);
  }

  /** The URLs of the configured collections: the whole site where none is. */
  collections(): string[] {
    return paths(this.choices).map((path) => this.url + path);
  }

  options(folder: string): EmitOptions {
    const { exclude, include, content, collections, ...rest } = this.choices;
    return {
      ...rest,
      folder,
      url: this.url,
      testAddress: true,
      history: "files",
      allowMassDelete: true,
      collections: [...collections],
      exclude: [...exclude.globs],
      include: [...include.globs],
      content: content === "" ? [] : [content],
      note: this.note,
      // The words of the model's pages differ in numbers, mostly.
      news: "content",
    };
  }

  /**
   * Makes a folder hold the site's files as they stand, and no other.
   *
   * @param before the files that it holds: pages without a list are not built again
   */
  build(folder: string, before: ReadonlyMap<string, Version> = new Map()): void {
    for (const file of before.keys()) if (!this.files.has(file)) rmSync(join(folder, file));
    for (const [file, version] of this.files) {
      if (before.get(file) === version && !version.page.list) continue;
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytesOf(file, version.page));
      utimesSync(path, version.modified, version.modified);
    }
  }

  #isOffered(file: string): boolean {
    return isPage(file) || this.choices.include.matches(file.normalize("NFC"));
  }

  #collectionOf(file: string): string | undefined {
    const holding = paths(this.choices).filter((path) => file.startsWith(path));
    const deepest = holding.sort((one, other) => other.length - one.length)[0];
    return deepest === undefined ? undefined : this.url + deepest;
  }
}

/** Two spellings are one resource when they ask for the same file. */
export function keyOf(url: string): string {
  return decodeURI(url);
}

function paths({ collections }: Choices): string[] {
  return collections.length === 0
    ? [""]
    : collections.map((path) => (path === "/" ? "" : `${path}/`));
}

/** RFC 3986, section 3.3: a segment's own characters stand for themselves. */
function encoded(path: string): string {
  return path
    .split("/")
    .map((segment) =>
      encodeURIComponent(segment).replace(/%(?:2[46BC]|3[ABD]|40)/g, decodeURIComponent),
    )
    .join("/");
}
