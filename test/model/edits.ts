import fc from "fast-check";
import { NEW_PAGE, type Page } from "./page.ts";
import { type Choices, NONE, type Site } from "./site.ts";

/** Places a page can have. `index.html` always stands: a site without any page is refused. */
const FILES = [
  "index.html",
  "a.html",
  "a/index.html",
  "caf\u00e9.html",
  "b & c.htm",
  "404.html",
  "note.txt",
  "\u00e9t\u00e9.txt",
  "shrine/index.html",
  "shrine/a.html",
  "shrine/deep/z.html",
  "gallery/caf\u00e9.xhtml",
  "gallery/note.txt",
];

const OPTIONS: readonly Partial<Choices>[] = [
  { collections: [] },
  { collections: ["/", "shrine"] },
  { collections: ["shrine", "gallery"] },
  { collections: ["shrine/deep", "/", "shrine"] },
  { collections: ["gallery"] },
  { exclude: NONE },
  { exclude: { globs: ["shrine/**"], matches: (file) => file.startsWith("shrine/") } },
  {
    exclude: {
      globs: ["a.html", "caf\u00e9.html"],
      matches: (file) => /^(a|caf\u00e9)\.html$/.test(file),
    },
  },
  { include: NONE },
  { include: { globs: ["**/*.txt"], matches: (file) => file.endsWith(".txt") } },
  { include: { globs: ["*.txt"], matches: (file) => /^[^/]+\.txt$/.test(file) } },
  { cleanUrls: true },
  { cleanUrls: false },
  { content: ".extra" },
  { content: "" },
  { period: "day" },
  { period: "month" },
  { period: "year" },
  { title: "Another title" },
  { title: "My site" },
  { link: true },
  { link: true },
  { link: false },
];

/** One thing an author does between two publications. Where it makes no sense it does nothing. */
export type Edit =
  | {
      readonly edit: "write";
      readonly file: string;
      readonly page: Partial<Page>;
      readonly age: number;
    }
  | { readonly edit: "remove" | "restore" | "respell"; readonly file: string }
  | { readonly edit: "touch"; readonly file: string; readonly age: number }
  | { readonly edit: "move"; readonly file: string; readonly to: string }
  | { readonly edit: "choose"; readonly option: Partial<Choices> };

/** What happens before a publication: time passes (or the clock is set back), and edits. */
export interface Step {
  readonly elapse: number;
  readonly edits: readonly Edit[];
  /** The author's words for the publication. */
  readonly note?: string | undefined;
}

export function apply(site: Site, edit: Edit): void {
  if (edit.edit === "choose") {
    site.choices = { ...site.choices, ...edit.option };
    return;
  }
  const file = spelledIn(site, edit.file);
  const version = site.files.get(file);
  if (edit.edit === "write") {
    const page = { ...NEW_PAGE, ...version?.page, ...edit.page };
    site.files.set(file, { page, modified: site.now - edit.age });
  } else if (edit.edit === "restore") {
    const old = site.trash.get(edit.file);
    if (old && !version) site.files.set(edit.file, old);
  } else if (version === undefined) {
    return;
  } else if (edit.edit === "touch") {
    site.files.set(file, { ...version, modified: site.now - edit.age });
  } else if (edit.edit === "respell") {
    site.files.delete(file);
    site.files.set(file.normalize(file === file.normalize("NFC") ? "NFD" : "NFC"), version);
  } else if (file !== "index.html") {
    site.files.delete(file);
    site.trash.set(edit.file, version);
    if (edit.edit === "move") {
      site.files.delete(spelledIn(site, edit.to));
      site.files.set(edit.to, version);
    }
  }
}

/** A file under the name it has now, composed or decomposed. */
function spelledIn(site: Site, file: string): string {
  const decomposed = file.normalize("NFD");
  return site.files.has(decomposed) ? decomposed : file;
}

const file = fc.constantFrom(...FILES);
const value = fc.integer({ min: 0, max: 2 });
/** How old a file's time is when it is written; below zero: from the future. */
const age = fc.constantFrom(0, 0, 0, 5, 90_000, 4_000_000, -1000);
const part = fc.oneof(
  fc.record({ own: value }),
  fc.record({ shell: value }),
  fc.record({ extra: value }),
  fc.record({ comment: value }),
  fc.record({ title: fc.constantFrom("", "One", "Two & <three>") }),
  fc.record({ visibility: fc.constantFrom("public", "noindex", "redirect") }),
);

const note = fc.constantFrom("", "It grows", "It waits");
/** What rs-emit reads in a page, and writes into it. */
const marked = fc.oneof(
  fc.record({ note, own: value }),
  fc.record({ note }),
  fc.record({ list: fc.constantFrom(true, true, false) }),
);

/** Something that happens to a file. */
export const someFileEdit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ edit: fc.constant("write" as const), file, page: part, age }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ edit: fc.constantFrom("remove", "restore", "respell"), file }),
  },
  { weight: 1, arbitrary: fc.record({ edit: fc.constant("touch" as const), file, age }) },
  { weight: 1, arbitrary: fc.record({ edit: fc.constant("move" as const), file, to: file }) },
);

const someEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: someFileEdit },
  {
    weight: 1,
    arbitrary: fc.record({ edit: fc.constant("write" as const), file, page: marked, age }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      edit: fc.constant("choose" as const),
      option: fc.constantFrom(...OPTIONS),
    }),
  },
);

const DAY = 86_400;

/** Mostly forward; sometimes not at all, back a little, or back too far. */
const elapse = fc.constantFrom(60, 1, 3600, DAY, 12 * DAY, 40 * DAY, 0, -30, -DAY, -3 * DAY);

export const someStep: fc.Arbitrary<Step> = fc.record({
  elapse,
  edits: fc.array(someEdit, { maxLength: 5 }),
  note: fc.constantFrom(undefined, undefined, undefined, undefined, "A new wing"),
});
