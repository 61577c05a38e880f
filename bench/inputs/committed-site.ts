import { sized } from "../places.ts";
import { randomNumbers } from "./random.ts";
import { beginCommit, file, repository } from "./repository.ts";
import { writer } from "./words.ts";

export const COMMITS = sized(1000, 3);
export const PAGES = sized(1000, 3);
const BEGINNING = Date.UTC(2023, 0) / 1000;
const HOUR = 3600;

/** A repository whose folder `public` holds all pages from its first commit; each commit edits three. */
export function committedSite(): Promise<string> {
  return repository("committed-site", commits);
}

function* commits(): Generator<string> {
  const random = randomNumbers(5);
  const text = writer(6);
  for (let commit = 0; commit < COMMITS; commit++) {
    const time = BEGINNING + commit * HOUR;
    yield beginCommit(time, text(6));
    const edited = commit === 0 ? Array.from({ length: PAGES }, (_, page) => page) : [];
    while (edited.length < 3) edited.push(random(PAGES));
    for (const page of edited) {
      yield file(`public/${pathOf(page)}`, html(page, text));
    }
  }
}

function pathOf(page: number): string {
  return page === 0 ? "index.html" : `${Math.floor(page / 100)}/page-${page}.html`;
}

function html(page: number, text: (words: number) => string): string {
  const paragraphs = Array.from({ length: 20 }, () => `<p>${text(40)}</p>`);
  return (
    `<!doctype html><html lang="en"><title>Page ${page}</title><body><nav>Home</nav>` +
    `<main>${paragraphs.join("\n")}</main><footer>By hand</footer></body></html>\n`
  );
}
