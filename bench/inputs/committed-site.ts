import { execFileSync, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { generated } from "../places.ts";
import { randomNumbers } from "./random.ts";
import { writer } from "./words.ts";

export const COMMITS = 1000;
export const PAGES = 1000;
const BEGINNING = Date.UTC(2023, 0) / 1000;
const HOUR = 3600;

/** A repository whose folder `public` holds 1,000 pages from its first commit; each commit edits three. */
export function committedSite(): Promise<string> {
  return generated("committed-site", async (folder) => {
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder });
    git("init", "--quiet", "--initial-branch=main");
    const child = spawn("git", ["fast-import", "--quiet"], {
      cwd: folder,
      stdio: ["pipe", "ignore", "inherit"],
    });
    await pipeline(Readable.from(commits()), child.stdin);
    await new Promise((resolve) => child.once("close", resolve));
    git("reset", "--quiet", "--hard");
    git("repack", "-adfq"); // as a clone would be
  });
}

function* commits(): Generator<string> {
  const random = randomNumbers(5);
  const text = writer(6);
  for (let commit = 0; commit < COMMITS; commit++) {
    const time = BEGINNING + commit * HOUR;
    yield `commit refs/heads/main\ncommitter A <a@example.org> ${time} +0000\n${data(text(6))}`;
    const edited = commit === 0 ? Array.from({ length: PAGES }, (_, page) => page) : [];
    while (edited.length < 3) edited.push(random(PAGES));
    for (const page of edited) {
      yield `M 100644 inline public/${pathOf(page)}\n${data(html(page, text))}`;
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

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
