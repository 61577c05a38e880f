import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Builder, Facts, Making } from "@rs-emit/core/adapter";
import type { TestRepository } from "../../packages/core/test/support/repository.ts";
import { filesIn } from "../model/documents.ts";

/** What the first line of a source says, as JSON. */
export interface Front {
  /** The page's folder, where its name does not decide. */
  readonly at?: string;
  /** The author opted the page out. */
  readonly off?: boolean;
  /** It makes two pages. */
  readonly many?: boolean;
  /** It makes no page. */
  readonly none?: boolean;
}

/** What `data.json` says of the sources in its folder. */
export interface FolderData {
  /** The folder of their pages, instead of their own. */
  readonly below?: string;
  readonly off?: boolean;
}

/** A toy builder: each page lies in a folder named after its source, unless that says otherwise. */
export interface ToyBuilder {
  /** What it puts before each name, and tells nobody. */
  readonly secret: string;
}

/** A page of a moment. */
export interface ToyPage {
  readonly file: string;
  /** The path of its source below `content/`. */
  readonly source: string;
  readonly isOff: boolean;
}

/** What a moment's sources make, by their contents: `a/b.md`, and `a/data.json` beside them. */
export function toyPages(toy: ToyBuilder, contents: ReadonlyMap<string, string>): ToyPage[] {
  return [...contents].flatMap(([source, text]): ToyPage[] => {
    if (!source.endsWith(".md")) return [];
    const { at, off, many, none } = frontOf(text);
    const data = frontOf(contents.get(join(dirname(source), "data.json")) ?? "{}");
    const folder = at ?? join(folderOf(source, data), `${toy.secret}${basename(source, ".md")}`);
    const page = { source, isOff: off ?? data.off ?? false };
    if (none) return [];
    const files = many
      ? [`${folder}/index.html`, `${folder}/2/index.html`]
      : [`${folder}/index.html`];
    return files.map((file) => ({ ...page, file }));
  });
}

/** Builds `content/` into `dist/`, which git ignores, and says what it did. */
export function buildByFrontMatter(repository: TestRepository, toy: ToyBuilder): Builder {
  const content = repository.path("content");
  const dist = repository.path("dist");
  rmSync(dist, { recursive: true, force: true });
  const read = (file: string) => readFileSync(join(content, file), "utf8");
  const contents = new Map(filesIn(content).map((file) => [file, read(file)]));
  const pages = toyPages(toy, contents);
  for (const { file, source } of pages) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    writeFileSync(join(dist, file), `<main>${source}: ${contents.get(source)}</main>`);
  }
  const pageOf = new Map(pages.map((page) => [page.file, page]));
  return {
    project: repository.root,
    annotate: (file) => (pageOf.get(file)?.isOff ? { withheld: true } : undefined),
    sourcesOf: (file) => {
      const source = pageOf.get(file)?.source;
      return source === undefined ? [] : [join(content, source)];
    },
    rules: {
      roleOf: (file) =>
        !file.startsWith(`${content}/`)
          ? undefined
          : file.endsWith(".md")
            ? "source"
            : file.endsWith("data.json")
              ? "data"
              : undefined,
      dataOf: (source) => [join(dirname(source), "data.json")],
      read: (_, bytes) => ({ ...frontOf(new TextDecoder().decode(bytes)) }),
      made: (file, facts, data) => making(relative(content, file), facts, data[0] ?? {}),
    },
  };
}

/** The rules as the toy tells them: all but its secret. */
function making(source: string, front: Facts & Front, data: Facts & FolderData): Making {
  if (front.none) return { kind: "nothing" };
  if (front.many) return { kind: "several" };
  const name = basename(source, ".md");
  const folder = folderOf(source, data);
  const withheld = (front.off ?? data.off) ? ({ withheld: true } as const) : {};
  if (front.at !== undefined) {
    return { kind: "page", ways: ["at"], file: `${front.at}/index.html`, names: [], ...withheld };
  }
  const ways = [`${dirname(source)} below ${folder}`, "named"];
  return {
    kind: "page",
    ways,
    file: `${join(folder, name)}/index.html`,
    names: [name],
    ...withheld,
  };
}

function folderOf(source: string, { below }: FolderData): string {
  return below ?? dirname(source);
}

function frontOf(text: string): Front & FolderData {
  const front: unknown = JSON.parse(text.split("\n")[0] ?? "{}");
  return typeof front === "object" && front !== null ? front : {};
}
