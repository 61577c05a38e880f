import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generated, sized } from "../places.ts";
import { randomNumbers } from "./random.ts";
import { writer } from "./words.ts";

export const PAGES = sized(50_000);
const PER_FOLDER = 100;
const BYTES = 19_700;

/**
 * A site of 50,000 pages of about 20 KB.
 *
 * @param version in another version every page is another, by a sentence of its own content
 */
export function pages(version: "before" | "after"): Promise<string> {
  return generated(`pages-${version}`, (folder) => writePages(folder, PAGES, version));
}

/** Writes pages into folders of a hundred. */
export function writePages(folder: string, count: number, version: string, bytes = BYTES): void {
  const text = writer(1);
  const random = randomNumbers(2);
  const paragraphs = Array.from({ length: 500 }, () => paragraph(text, random));
  for (let page = 0; page < count; page++) {
    if (page % PER_FOLDER === 0) mkdirSync(join(folder, folderOf(page)));
    const main: string[] = [];
    for (let length = 0; length < bytes; ) {
      const next = paragraphs[random(paragraphs.length)] ?? "";
      main.push(next);
      length += next.length;
    }
    writeFileSync(join(folder, pageName(page)), html(page, main.join("\n"), version));
  }
}

export function pageName(page: number): string {
  return `${folderOf(page)}/page-${page}.html`;
}

function folderOf(page: number): string {
  return `part-${Math.floor(page / PER_FOLDER)}`;
}

function paragraph(text: (words: number) => string, random: (below: number) => number): string {
  const target = pageName(random(PAGES));
  switch (random(4)) {
    case 0:
      return `    <h2 id="s${random(1000)}">${text(4)}</h2>\n    <p>${text(30)}</p>`;
    case 1:
      return `    <figure><img src="/pictures/${random(999)}.jpg" alt="${text(6)}" loading="lazy">
      <figcaption>${text(10)}</figcaption></figure>`;
    case 2:
      return `    <p class="note">${text(20)} <a href="/${target}">${text(3)}</a> ${text(20)}</p>`;
    default:
      return `    <p>${text(25)} <em>${text(2)}</em> ${text(15)}<br>${text(15)} &amp; ${text(5)}</p>`;
  }
}

function html(page: number, main: string, version: string): string {
  const links = Array.from({ length: 12 }, (_, at) => `<li><a href="/part-${at}/">Part ${at}</a>`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Page ${page}</title>
  <link rel="stylesheet" href="/style.css">
</head>
<body>
  <header><nav><ul>${links.join("\n    ")}</ul></nav></header>
  <main>
    <h1>Page ${page}</h1>
${main}
    <p>This is the page as it was ${version}.</p>
  </main>
  <footer><p>Made by hand.</p></footer>
</body>
</html>
`;
}
