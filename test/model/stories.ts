import type { Edit, Step } from "./edits.ts";
import type { Page } from "./page.ts";
import { type Choices, NONE } from "./site.ts";

/** What once went wrong, step by step. */
export interface Story {
  readonly name: string;
  readonly steps: readonly Step[];
}

const write = (file: string, page: Partial<Page> = {}): Edit => ({
  edit: "write",
  file,
  page,
  age: 0,
});
const choose = (option: Partial<Choices>): Edit => ({ edit: "choose", option });
const then = (...edits: Edit[]): Step => ({ elapse: 60, edits });

const NOTES: Partial<Choices> = {
  include: { globs: ["**/*.txt"], matches: (file) => file.endsWith(".txt") },
};
const WITHOUT_A: Partial<Choices> = {
  exclude: { globs: ["a.html"], matches: (file) => file === "a.html" },
};

export const STORIES: readonly Story[] = [
  {
    name: "the Source Description keeps its order whatever the order of the options",
    steps: [
      then(choose({ collections: ["/"] })),
      then(choose({ collections: ["/", "shrine"] })),
      then(choose({ collections: ["shrine", "/"] })),
      then(),
    ],
  },
  {
    name: "a page that was edited when the collections were redrawn is news",
    steps: [
      then(write("shrine/a.html"), write("shrine/b.html", { own: 1 })),
      then(choose({ collections: ["/", "shrine"] }), write("shrine/a.html", { own: 2 })),
    ],
  },
  {
    name: "a page that was edited when it got another URL is news",
    steps: [
      then(write("a.html"), write("b.html", { own: 1 })),
      then(choose({ cleanUrls: true }), write("a.html", { own: 2 })),
    ],
  },
  {
    name: "a withheld page that is shown under another URL only became eligible",
    steps: [
      then(choose(WITHOUT_A), write("a.html")),
      then(choose({ exclude: NONE, cleanUrls: true })),
    ],
  },
  {
    name: "a page that was deleted after it was shown is news when it returns",
    steps: [
      then(write("shrine/a.html", { visibility: "noindex" })),
      then(
        choose({ collections: ["/", "shrine"] }),
        write("shrine/a.html", { visibility: "public" }),
      ),
      then({ edit: "remove", file: "shrine/a.html" }),
      then({ edit: "restore", file: "shrine/a.html" }),
    ],
  },
  {
    name: "a file under another spelling is another, also when it is no longer included",
    steps: [
      then(choose(NOTES), write("\u00e9t\u00e9.txt")),
      then({ edit: "respell", file: "\u00e9t\u00e9.txt" }, choose({ include: NONE })),
    ],
  },
  {
    name: "a page and a file under another spelling moved, edited or not",
    steps: [
      then(choose(NOTES), write("\u00e9t\u00e9.txt"), write("d\u00e9tail.html")),
      then({ edit: "respell", file: "\u00e9t\u00e9.txt" }),
      then({ edit: "respell", file: "d\u00e9tail.html" }),
      then(
        { edit: "respell", file: "d\u00e9tail.html" },
        write("d\u00e9tail.html", { own: 2 }),
        { edit: "respell", file: "\u00e9t\u00e9.txt" },
        write("\u00e9t\u00e9.txt", { own: 2 }),
      ),
    ],
  },
  {
    name: "another selector renews what is remembered, and the next new shell is minor",
    steps: [
      then(write("a.html"), write("b.html", { own: 1 })),
      then(choose({ content: ".extra" })),
      then(write("a.html", { shell: 1 }), write("b.html", { shell: 1 })),
      then(choose({ content: "" }), { edit: "move", file: "a.html", to: "moved/a.html" }),
    ],
  },
];
