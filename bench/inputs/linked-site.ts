import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generated } from "../places.ts";
import { layout } from "./built-sites.ts";
import { randomNumbers } from "./random.ts";
import { PORT, publishServed } from "./served-site.ts";
import { writer } from "./words.ts";

const PER_FOLDER = 100;
const BYTES = 20_000;
/** Of so many pages, one is edited. */
const EDITED = 50;

/** A site's folder at two times, as it is served: of fifty pages one is edited. */
export interface LinkedSite {
  readonly before: string;
  readonly after: string;
}

/** A site of pages of 20 KB that a crawler finds all: each folder of a hundred has a page that links to them. */
export async function linkedSite(pages: number): Promise<LinkedSite> {
  const before = await generated(`linked-${pages}-at-${PORT}`, (folder) => {
    writeLinked(folder, pages);
    publishServed(folder, "--first");
  });
  const after = await generated(`linked-${pages}-at-${PORT}-edited`, (folder) => {
    cpSync(before, folder, { recursive: true, preserveTimestamps: true });
    for (let page = 0; page < pages; page += EDITED) edit(join(folder, nameOf(page)));
    publishServed(folder);
  });
  return { before, after };
}

function edit(file: string): void {
  const html = readFileSync(file, "utf8");
  writeFileSync(file, html.replace("</main>", "<p>This page was edited.</p></main>"));
}

function writeLinked(folder: string, pages: number): void {
  const text = writer(21);
  const random = randomNumbers(22);
  const paragraphs = Array.from({ length: 500 }, () => `<p>${text(40)} <em>${text(3)}</em></p>`);
  const parts = Array.from({ length: Math.ceil(pages / PER_FOLDER) }, (_, part) => `part-${part}/`);
  writeFileSync(join(folder, "index.html"), layout("Home", linksTo(parts)));
  for (const part of parts) mkdirSync(join(folder, part));
  for (let page = 0; page < pages; page += 1) {
    const main: string[] = [`<h1>Page ${page}</h1>`];
    for (let length = 0; length < BYTES; ) {
      const next = paragraphs[random(paragraphs.length)] ?? "";
      main.push(next);
      length += next.length;
    }
    const others = Array.from({ length: 12 }, () => `/${nameOf(random(pages))}`);
    const html = layout(`Page ${page}`, `${main.join("\n")}${linksTo(others)}`);
    writeFileSync(join(folder, nameOf(page)), html);
  }
  for (const [part, name] of parts.entries()) {
    const some = Array.from({ length: Math.min(PER_FOLDER, pages) }, (_, at) => at);
    const links = linksTo(some.map((at) => `/${nameOf(part * PER_FOLDER + at)}`));
    writeFileSync(join(folder, name, "index.html"), layout(name, links));
  }
}

function linksTo(paths: readonly string[]): string {
  return `<ul>${paths.map((path) => `<li><a href="${path}">${path}</a>`).join("\n")}</ul>`;
}

function nameOf(page: number): string {
  return `part-${Math.floor(page / PER_FOLDER)}/page-${page}.html`;
}
