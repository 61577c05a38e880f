import { join } from "node:path";
import { sized } from "../places.ts";
import { randomNumbers } from "./random.ts";
import { beginCommit, file, repository } from "./repository.ts";
import { writer } from "./words.ts";

export const COMMITS = sized(30_000);
export const FILES = sized(10_000);
const BEGINNING = Date.UTC(2016, 0) / 1000;
/** Ten years, evenly. */
const BETWEEN = Math.floor((10 * 365 * 86_400) / COMMITS);

/** A repository whose folder `site` is published as it is; its files are no pages. */
export function historyRepository(): Promise<string> {
  return repository("history", commits);
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
    yield beginCommit(time, text(6));
    for (const one of files) {
      yield file(join("site", fileName(one)), contents(one, text));
    }
  }
}

function contents(file: number, text: (words: number) => string): string {
  return `Note ${file}\n\n${Array.from({ length: 8 }, () => text(15)).join("\n")}\n`;
}

function fileName(file: number): string {
  return `section-${Math.floor(file / 1000)}/part-${Math.floor(file / 100)}/note-${file}.txt`;
}
