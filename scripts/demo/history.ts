import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join } from "node:path";

/** The life of an example site, as its `history.json` tells it. */
export interface History {
  readonly author: { readonly name: string; readonly email: string };
  /** The commits before the first publication. */
  readonly beginnings: readonly Commit[];
  /** The commits after it, each with a publication of its own. */
  readonly edits: readonly Edit[];
}

/** A commit, in the order in which it is made: files arrive, are written, and go. */
interface Commit {
  readonly when: string;
  readonly message: string;
  /** Files and folders as the example holds them. */
  readonly bring?: readonly string[];
  readonly write?: Readonly<Record<string, Writing>>;
  readonly delete?: readonly string[];
}

interface Edit extends Commit {
  /** What it is to show. */
  readonly why: string;
}

/** A file, or some words of one and what takes their place. */
type Writing = { readonly content: string } | { readonly replace: readonly [string, string] };

export function readHistory(example: string): History {
  return JSON.parse(readFileSync(join(example, "history.json"), "utf8"));
}

/** A site that lives its history again, in a repository of its own. */
export class Site {
  readonly folder: string;
  readonly #example: string;
  readonly #author: History["author"];

  /** @param folder where it lives; whatever stood there is removed */
  constructor(folder: string, example: string, author: History["author"]) {
    this.folder = folder;
    this.#example = example;
    this.#author = author;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    this.#git(["init", "--quiet", "--initial-branch=main"]);
  }

  commit(commit: Commit): void {
    for (const path of commit.bring ?? []) {
      cpSync(join(this.#example, path), join(this.folder, path), { recursive: true });
    }
    for (const [file, writing] of Object.entries(commit.write ?? {})) {
      this.write(
        file,
        "content" in writing ? writing.content : this.#replaced(file, writing.replace),
      );
    }
    for (const file of commit.delete ?? []) rmSync(join(this.folder, file));
    this.#git(["add", "--all"]);
    this.#git(["commit", "--quiet", "--message", commit.message], commit.when);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  write(file: string, contents: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), contents);
  }

  #replaced(file: string, [before, after]: readonly [string, string]): string {
    const text = this.read(file);
    if (!text.includes(before)) throw new Error(`${file} does not say what history.json replaces`);
    return text.replace(before, () => after);
  }

  /** Git as on a machine where nobody configured anything. */
  #git(args: readonly string[], when = ""): void {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
    const { name, email } = this.#author;
    const env = {
      ...Object.fromEntries(inherited),
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_SYSTEM: devNull,
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: when,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: when,
    };
    execFileSync("git", args, { cwd: this.folder, env });
  }
}
