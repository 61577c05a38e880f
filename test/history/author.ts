import { readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { createRepository } from "../../packages/core/test/support/repository.ts";
import { filesIn } from "../model/documents.ts";
import { apply, type Edit } from "../model/edits.ts";
import { bytesOf, isPage, NEW_PAGE, ownContent, type Page } from "../model/page.ts";
import { Site, type Version } from "../model/site.ts";
import { firstParentLine, type Moment, type SourceVersion } from "./told.ts";

/** One thing that happens to a repository. */
export interface Act {
  /** Edits on the line that is deployed, and their commit's time after the beginning. */
  readonly edits: readonly Edit[];
  readonly at: number;
  /** Edits on a branch that is merged by a commit of its own, one second later. */
  readonly aside: readonly Edit[];
}

export const BEGINNING = 1_700_000_000;
const URL_OF_SITE = "https://moss.example/";

/** Whether a file's path is that of a page for readers. */
export function mayBePage(file: string): boolean {
  return isPage(file) && !/(?:^|\/)404\.html$/.test(file);
}

/** An author who keeps a site in git, in the folder that is published. */
export class Author implements Disposable {
  readonly repository = createRepository();
  readonly site = new Site(URL_OF_SITE, BEGINNING + 400_000);
  readonly #pages = new Map<string, Page>();
  #written = 0;

  constructor() {
    this.repository.git("config", "merge.renames", "false");
    this.repository.write(".gitignore", "*.xml\n.well-known\n.rs-emit*\n");
    this.#edit([{ edit: "write", file: "index.html", page: { title: "Home" }, age: 0 }]);
    this.repository.commit(BEGINNING);
  }

  get folder(): string {
    return this.repository.root;
  }

  act({ edits, aside, at }: Act): void {
    const { repository } = this;
    const time = BEGINNING + at;
    if (aside.length > 0) {
      repository.branch("aside");
      this.#edit(aside);
      repository.commit(time - 5);
      repository.checkout("main");
      this.#read();
    }
    this.#edit(edits);
    repository.commit(time);
    if (aside.length === 0) return;
    repository.merge("aside", time + 1);
    repository.git("branch", "-D", "aside");
    this.#read();
  }

  /** Edits that are not committed; their files have the times given. */
  leaveUncommitted(edits: readonly Edit[], time: number): void {
    const before = new Map(this.site.files);
    this.#edit(edits);
    for (const [file, version] of this.site.files) {
      if (before.get(file) !== version) utimesSync(join(this.folder, file), time, time);
    }
  }

  /** What happened to the files, oldest first; what is not committed comes last. */
  moments(): Moment[] {
    const committed = firstParentLine(this.repository, (text) => this.#versionOf(text));
    const files = new Map(committed.at(-1)?.files);
    const edits = [...new Set([...files.keys(), ...this.site.files.keys()])].flatMap((file) => {
      const version = this.site.files.get(file);
      const is = version && this.#versionOf(bytesOf(file, version.page).toString());
      if (is?.identity === files.get(file)?.identity || !mayBePage(file)) return [];
      const time =
        is === undefined ? this.site.now : statSync(join(this.folder, file)).mtimeMs / 1000;
      return [{ file, is, time }];
    });
    const unsaved = edits
      .sort((one, other) => one.time - other.time)
      .map(({ file, is, time }) => {
        if (is === undefined) files.delete(file);
        else files.set(file, is);
        return { time, files: new Map(files), isUncommitted: true };
      });
    return [...committed, ...unsaved];
  }

  [Symbol.dispose](): void {
    this.repository[Symbol.dispose]();
  }

  #edit(edits: readonly Edit[]): void {
    const before = new Map(this.site.files);
    for (const edit of edits) apply(this.site, edit);
    this.site.build(this.folder, before);
    for (const [file, version] of this.site.files) {
      this.#pages.set(bytesOf(file, version.page).toString().trimEnd(), version.page);
      if (before.get(file) === version) continue;
      // Git takes a file for unchanged when its length and time are.
      this.#written += 1;
      utimesSync(join(this.folder, file), this.#written, this.#written);
    }
  }

  /** After git has changed the working tree. */
  #read(): void {
    const standing = new Map<string, Version>();
    for (const file of filesIn(this.folder)) {
      if (!/\.(?:html?|xhtml|txt)$/.test(file) || file.startsWith(".git/")) continue;
      const page = this.#pages.get(readFileSync(join(this.folder, file), "utf8").trimEnd());
      standing.set(file, { page: page ?? NEW_PAGE, modified: BEGINNING });
    }
    this.site.files.clear();
    for (const [file, version] of standing) this.site.files.set(file, version);
  }

  #versionOf(text: string): SourceVersion {
    const identity = text.trimEnd();
    const page = this.#pages.get(identity);
    if (page === undefined) return { identity, hidden: false };
    const markup = bytesOf("page.html", { ...page, comment: 0 }).toString();
    const seen = { markup, own: ownContent(page, "main").text, title: page.title };
    return { identity, seen, hidden: page.visibility !== "public" };
  }
}
