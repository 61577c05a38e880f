import { sized } from "../places.ts";
import { randomNumbers } from "./random.ts";
import { beginCommit, file, repository } from "./repository.ts";
import { writer } from "./words.ts";

const PAGES = sized(400, 10);
const COMMITS = sized(30, 2);
export const VERSIONS = PAGES * COMMITS;
const BEGINNING = Date.UTC(2023, 0) / 1000;
const DAY = 86_400;

/** A repository whose folder `public` is written by hand: each commit adds a link to every page, and edits a tenth of them. */
export function handBuiltSite(): Promise<string> {
  return repository("hand-built", commits);
}

function* commits(): Generator<string> {
  const random = randomNumbers(7);
  const text = writer(8);
  const bodies = Array.from({ length: PAGES }, () => paragraphs(20, text));
  const links: string[] = [];
  for (let commit = 0; commit < COMMITS; commit++) {
    const time = BEGINNING + commit * DAY;
    yield beginCommit(time, text(6));
    links.push(`<li><a href="/${commit}/" class="nav-link">${text(2)}</a></li>`);
    for (let edited = 0; edited < PAGES / 10; edited++) {
      bodies[random(PAGES)]?.splice(random(20), 1, `<p>${text(40)}</p>`);
    }
    for (const [page, body] of bodies.entries()) {
      yield file(`public/${page % 20}/page-${page}.html`, html(page, links, body));
    }
  }
}

function paragraphs(count: number, text: (words: number) => string): string[] {
  return Array.from({ length: count }, () => `<p>${text(40)}</p>`);
}

function html(page: number, links: readonly string[], body: readonly string[]): string {
  return (
    `<!doctype html><html lang="en"><title>Page ${page}</title><body>\n` +
    `<nav><ul>\n${links.join("\n")}\n</ul></nav>\n` +
    `<main><h1>Page ${page}</h1>\n${body.join("\n")}</main>\n<footer>By hand</footer></body></html>\n`
  );
}
