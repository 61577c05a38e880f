import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { generated } from "../places.ts";
import { randomNumbers } from "./random.ts";
import { writer } from "./words.ts";

export const COMMITS = 30_000;
export const FILES = 10_000;
const BEGINNING = Date.UTC(2016, 0) / 1000;
/** Ten years, evenly. */
const BETWEEN = Math.floor((10 * 365 * 86_400) / COMMITS);

/** A repository whose folder `site` is published as it is; its files are no pages. */
export function historyRepository(): Promise<string> {
  return generated("history", async (folder) => {
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

/** Every third commit adds a file; each changes one or two. */
function* commits(): Generator<string> {
  const random = randomNumbers(3);
  const text = writer(4);
  for (let commit = 0; commit < COMMITS; commit++) {
    const time = BEGINNING + commit * BETWEEN;
    const added = Math.floor((commit * FILES) / COMMITS);
    const isNew = commit === 0 || added > Math.floor(((commit - 1) * FILES) / COMMITS);
    const files = new Set([isNew ? added : random(added + 1), random(added + 1)]);
    yield `commit refs/heads/main\ncommitter A <a@example.org> ${time} +0000\n${data(text(6))}`;
    for (const file of files) {
      yield `M 100644 inline ${join("site", fileName(file))}\n${data(contents(file, text))}`;
    }
  }
}

function contents(file: number, text: (words: number) => string): string {
  return `Note ${file}\n\n${Array.from({ length: 8 }, () => text(15)).join("\n")}\n`;
}

function fileName(file: number): string {
  return `section-${Math.floor(file / 1000)}/part-${Math.floor(file / 100)}/note-${file}.txt`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
