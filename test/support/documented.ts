import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** All that users read. */
export const PAGES: readonly string[] = globSync(
  [
    "{README,CONTRIBUTING,SECURITY,CHANGELOG}.md",
    "{packages,examples}/*/README.md",
    "{actions,bench}/README.md",
    "docs/**/*.md",
  ],
  { cwd: ROOT },
).toSorted();

/** A fenced block of a page. */
export interface Block {
  /** The page and the heading above it: `README.md: By hand`. */
  readonly section: string;
  /** Empty for what a program prints. */
  readonly language: string;
  readonly text: string;
}

/** A workflow that publishes a site in one job. */
export interface PublishingWorkflow {
  readonly concurrency: { readonly "cancel-in-progress": boolean };
  readonly jobs: {
    readonly publish: {
      readonly steps: readonly {
        readonly run?: string;
        readonly uses?: string;
        readonly with?: Readonly<Record<string, unknown>>;
      }[];
    };
  };
}

export function textOf(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** The commands and configurations of a page; not what programs print. */
export function codeIn(page: string): Block[] {
  const blocks: Block[] = [];
  let heading = "";
  const parts = textOf(page).matchAll(/^ *```(\w*)\n(.*?)^ *```$|^#+ ([^\n]*)$/gms);
  for (const [, language, text, title] of parts) {
    if (title !== undefined) heading = title.replaceAll("`", "");
    else if (language && language !== "text") {
      blocks.push({ section: `${page}: ${heading}`, language, text: text ?? "" });
    }
  }
  return blocks;
}

/** The blocks of a section in a language. */
export function codeOf(section: string, language: string): string[] {
  const [page = ""] = section.split(": ");
  const blocks = codeIn(page).filter((one) => one.section === section && one.language === language);
  if (blocks.length === 0) throw new Error(`${section} has no ${language}`);
  return blocks.map(({ text }) => text);
}

/** Every command line of `rs-emit` and `rs-harvest`, in blocks and in sentences. */
export function commandLines(page: string): string[] {
  const text = textOf(page).replaceAll(/\\\n|>-\n/g, " ");
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  const blocks = codeIn(page).flatMap((block) =>
    block.text.replaceAll(/\n {6,}(?=--)/g, " ").split("\n"),
  );
  return [...inline, ...blocks]
    .flatMap((line) => line.split(" && "))
    .flatMap(
      (line) => /(?:^|npx (?:--yes )?|[\s"=])(rs-(?:emit|harvest)(?: .*)?)$/.exec(line)?.[1] ?? [],
    )
    .map((line) => line.replace(/ [#>].*/, "").trim());
}
