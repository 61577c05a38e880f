import { execFileSync, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { generated } from "../places.ts";
import { randomNumbers } from "./random.ts";
import { writer } from "./words.ts";

const PAGES = 400;
const COMMITS = 30;
export const VERSIONS = PAGES * COMMITS;
const BEGINNING = Date.UTC(2023, 0) / 1000;
const DAY = 86_400;

/** A repository whose folder `public` is written by hand: each commit adds a link to every page, and edits a tenth of them. */
export function handBuiltSite(): Promise<string> {
  return generated("hand-built", async (folder) => {
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
    git("status"); // the files' times are remembered, as in any tree that was worked in
  });
}

function* commits(): Generator<string> {
  const random = randomNumbers(7);
  const text = writer(8);
  const bodies = Array.from({ length: PAGES }, () => paragraphs(20, text));
  const links: string[] = [];
  for (let commit = 0; commit < COMMITS; commit++) {
    const time = BEGINNING + commit * DAY;
    yield `commit refs/heads/main\ncommitter A <a@example.org> ${time} +0000\n${data(text(6))}`;
    links.push(`<li><a href="/${commit}/" class="nav-link">${text(2)}</a></li>`);
    for (let edited = 0; edited < PAGES / 10; edited++) {
      bodies[random(PAGES)]?.splice(random(20), 1, `<p>${text(40)}</p>`);
    }
    for (const [page, body] of bodies.entries()) {
      yield `M 100644 inline public/${page % 20}/page-${page}.html\n${data(html(page, links, body))}`;
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

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
