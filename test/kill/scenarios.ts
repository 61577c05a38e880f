import type { Edit, Step } from "../model/edits.ts";
import type { Page } from "../model/page.ts";
import { type Choices, NONE } from "../model/site.ts";

/** A publication that something happens to. */
export interface Scenario {
  readonly name: string;
  /** The most entries of a document. */
  readonly entries?: number;
  /** What was published before, step by step. */
  readonly before: readonly Step[];
  /** What the publication is about. */
  readonly step: Step;
  /** What the author does before publishing again. */
  readonly further: readonly Edit[];
}

const DAY = 86_400;

const write = (file: string, page: Partial<Page> = {}): Edit => ({
  edit: "write",
  file,
  page,
  age: 0,
});
const remove = (file: string): Edit => ({ edit: "remove", file });
const choose = (option: Partial<Choices>): Edit => ({ edit: "choose", option });
const step = (elapse: number, ...edits: Edit[]): Step => ({ elapse, edits });

const PAGES = [
  ...["a.html", "b & c.htm", "caf\u00e9.html", "shrine/index.html", "shrine/a.html"],
  ...["shrine/deep/z.html", "gallery/caf\u00e9.xhtml"],
];
const ALL = PAGES.map((file, own) => write(file, { own: own % 3, title: file }));
const THREE = choose({ collections: ["/", "shrine", "gallery"] });
const SHRINE_TOO = choose({ collections: ["/", "shrine"] });
const LINK = choose({ link: true });
const DUMP = choose({ dump: { changes: 2 } });
const LISTS = ["index.html", "shrine/index.html"].map((file) => write(file, { list: true }));
const EVERYWHERE = [
  write("a.html", { own: 9 }),
  remove("b & c.htm"),
  write("shrine/a.html", { own: 9 }),
  write("shrine/b.html", { own: 9, title: "Shrine B" }),
  write("gallery/new.html", { own: 9 }),
];
const FURTHER = [
  write("a.html", { own: 8 }),
  write("b & c.htm", { own: 8 }),
  write("shrine/a.html", { own: 8 }),
  remove("shrine/deep/z.html"),
  remove("gallery/new.html"),
];
const HIDDEN: Partial<Page> = { visibility: "noindex" };

const COMMENTED = PAGES.map((file) => write(file, { comment: 1 }));

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "a first publication",
    before: [],
    step: step(60, THREE, ...ALL),
    further: FURTHER,
  },
  {
    name: "a first publication in parts",
    entries: 3,
    before: [],
    step: step(60, ...ALL),
    further: FURTHER,
  },
  {
    name: "edits with a note, links, and lists of changes in pages",
    before: [step(60, LINK, SHRINE_TOO, ...ALL, ...LISTS)],
    step: {
      ...step(3600, write("a.html", { own: 9, note: "It grows" }), write("shrine/b.html")),
      note: "A new wing",
    },
    further: [write("a.html", { own: 8 }), write("shrine/a.html", { note: "It waits" })],
  },
  {
    name: "a new month, so that lists close",
    before: [step(60, THREE, ...ALL), step(DAY, write("a.html", { own: 5 }))],
    step: step(40 * DAY, ...EVERYWHERE),
    further: FURTHER,
  },
  {
    name: "lists and snapshots in parts",
    entries: 3,
    before: [step(60, THREE, ...ALL), step(DAY, write("a.html", { own: 5 }))],
    step: step(40 * DAY, ...EVERYWHERE, ...PAGES.map((file) => write(file, { own: 7 }))),
    further: FURTHER,
  },
  {
    name: "a collection that is new",
    before: [step(60, ...ALL)],
    step: step(3600, THREE, write("a.html", { own: 9 }), write("shrine/a.html", { own: 9 })),
    further: FURTHER,
  },
  {
    name: "a collection that is given up",
    before: [step(60, THREE, ...ALL)],
    step: step(3600, choose({ collections: ["/"] }), write("shrine/a.html", { own: 9 })),
    further: FURTHER,
  },
  {
    name: "a collection that comes back",
    entries: 4,
    before: [
      step(60, THREE, ...ALL),
      step(60, choose({ collections: ["/"] })),
      step(60, write("a.html", { own: 4 })),
    ],
    step: step(3600, THREE, write("shrine/a.html", { own: 9 })),
    further: FURTHER,
  },
  {
    name: "other URLs for the same pages",
    entries: 3,
    before: [step(60, choose({ cleanUrls: true }), ...ALL)],
    step: step(3600, choose({ cleanUrls: false }), write("a.html", { own: 9 })),
    further: FURTHER,
  },
  {
    name: "pages that are hidden, shown and excluded",
    before: [
      step(60, THREE, ...ALL),
      step(60, write("shrine/a.html", HIDDEN), write("a.html", { own: 3 })),
    ],
    step: step(
      3600,
      write("shrine/a.html", { visibility: "public" }),
      write("shrine/deep/z.html", HIDDEN),
      choose({ exclude: { globs: ["a.html"], matches: (file) => file === "a.html" } }),
    ),
    further: [choose({ exclude: NONE }), write("shrine/index.html", { own: 8 })],
  },
  {
    name: "dumps, and edits everywhere",
    before: [step(60, SHRINE_TOO, DUMP, ...ALL), step(60, write("a.html", { own: 4 }))],
    step: step(3600, ...EVERYWHERE),
    further: FURTHER,
  },
  {
    name: "the first dumps, of edits in one collection",
    before: [step(60, SHRINE_TOO, ...ALL)],
    step: step(3600, DUMP, write("shrine/a.html", { own: 9 })),
    further: [write("shrine/a.html", { own: 8 }), choose({ dump: false })],
  },
  {
    name: "a publication without entries",
    before: [step(60, THREE, ...ALL), step(DAY, write("a.html", { own: 5 }))],
    step: step(3600, ...COMMENTED),
    further: FURTHER,
  },
  {
    name: "a publication without entries after another, snapshots in parts",
    entries: 3,
    before: [
      step(60, THREE, ...ALL),
      step(DAY, write("a.html", { own: 5 })),
      step(60, ...COMMENTED),
    ],
    step: step(40 * DAY, ...PAGES.map((file) => write(file, { comment: 2 }))),
    further: [...FURTHER, write("shrine/index.html", { comment: 0 })],
  },
  {
    name: "comments beside edits",
    before: [step(60, THREE, ...ALL), step(60, ...COMMENTED)],
    step: step(3600, ...EVERYWHERE, ...PAGES.map((file) => write(file, { comment: 2 }))),
    further: COMMENTED,
  },
];
