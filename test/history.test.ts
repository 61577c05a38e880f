import { emit } from "@rs-emit/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Act, Author, mayBePage } from "./history/author.ts";
import { orderedTimes } from "./history/commit-times.ts";
import { lastChanges, tellLog } from "./history/told.ts";
import { documentsIn, QUICK_DISK, removeDocuments } from "./model/documents.ts";
import { type Edit, someFileEdit } from "./model/edits.ts";
import { nameAmong } from "./model/names.ts";
import { expectPublication } from "./model/oracle.ts";
import { proveDocuments } from "./model/proof.ts";
import { type State, toldState } from "./model/state.ts";
import { rounds } from "./thorough.ts";

/** What happens on branches happens elsewhere, so that every merge is clean. */
const aside: fc.Arbitrary<Edit> = fc.record({
  edit: fc.constant("write" as const),
  file: fc.constantFrom("aside/a.html", "aside/b.html"),
  page: fc.record({ own: fc.integer({ min: 0, max: 3 }) }),
  age: fc.constant(0),
});

/** Times of commits go on, stand still, go back, and come from the future. */
const someAct: fc.Arbitrary<Act> = fc.record({
  edits: fc.array(someFileEdit, { maxLength: 3 }),
  at: fc.constantFrom(0, 10, 10, 11, 12, 500, 400, 90_000, 5_000_000),
  aside: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(aside, { maxLength: 2 })),
});
const acts = fc.array(someAct, { minLength: 1, maxLength: 8, size: "max" });
const unsaved = fc.array(someFileEdit, { maxLength: 3 });
const RUNS = Number(process.env.HISTORY_RUNS ?? rounds(3, 12));

test(
  "a first publication tells the first-parent line, and what is not committed",
  { timeout: 120_000 },
  () =>
    fc.assert(
      fc.asyncProperty(acts, unsaved, async (acts, edits) => {
        using author = new Author();
        for (const act of acts) author.act(act);
        author.leaveUncommitted(edits, author.site.now - 50);
        await publish(author, "none");
        proveDocuments(author.folder, author.site.url, toldByGit(author));
        const once = documentsIn(author.folder);
        removeDocuments(author.folder);
        await publish(author, "none");
        expect(documentsIn(author.folder)).toEqual(once);
      }),
      { numRuns: RUNS },
    ),
);

test(
  "from publication to publication, the log is continued by what differs",
  { timeout: 120_000 },
  () =>
    fc.assert(
      fc.asyncProperty(acts, fc.integer({ min: 1, max: 3 }), async (acts, every) => {
        using author = new Author();
        let state: State = new Map();
        for (const [position, act] of acts.entries()) {
          author.act(act);
          if (position % every !== 0) continue;
          author.site.now += 3600;
          date(author);
          state = state.size === 0 ? toldByGit(author) : continued(state, author);
          await publish(author, "output", state.size === 0);
          proveDocuments(author.folder, author.site.url, state);
        }
      }),
      { numRuns: RUNS },
    ),
);

test("a page that was spelled in two ways and has vanished is one resource", async () => {
  using author = new Author();
  const acts: Edit[] = [
    { edit: "write", file: "caf\u00e9.html", page: {}, age: 0 },
    { edit: "respell", file: "caf\u00e9.html" },
    { edit: "remove", file: "caf\u00e9.html" },
  ];
  for (const [at, edit] of acts.entries()) author.act({ edits: [edit], at: at + 1, aside: [] });
  await publish(author, "none");
  proveDocuments(author.folder, author.site.url, toldByGit(author));
});

function publish({ site, folder }: Author, previous: string, first = false) {
  return emit(
    { ...site.options(folder), history: "git", previous, first },
    { clock: () => site.now, fileSystem: QUICK_DISK },
  );
}

/** What a first publication of the repository must say. */
function toldByGit(author: Author): State {
  const { site } = author;
  const moments = author.moments();
  const urlOf = (key: string) => urlOfPage(author, key);
  const log = tellLog(moments, site.now, keyOfPage, urlOf, (key, title, pages) => {
    const shown = [...pages].flatMap(([other, { hidden, seen }]) =>
      hidden || seen === undefined ? [] : [{ url: urlOf(other), title: seen.title }],
    );
    return nameAmong(shown, urlOf(key), title, site.url, site);
  });
  const committed = author.repository.git("log", "--first-parent", "--format=%ct").split("\n");
  const isClean = moments.length === committed.length;
  const newest = orderedTimes(committed.map(Number).reverse(), site.now).at(-1) ?? site.now;
  const time = Math.max(isClean ? newest : site.now, ...log.map(({ datetime }) => datetime));
  return new Map([[site.url, toldState(site.url, log, site, time)]]);
}

function continued(state: State, { site }: Author): State {
  const expected = expectPublication(state, site);
  if ("stops" in expected) throw new Error("the clock only goes on");
  return expected.state;
}

/** Gives the site's files the times that git knows: the evidence of a continuation. */
function date(author: Author): void {
  const times = lastChanges(author.moments());
  for (const [file, version] of author.site.files) {
    author.site.files.set(file, { ...version, modified: times.get(file) ?? Number.NaN });
  }
}

function keyOfPage(file: string): string | undefined {
  return mayBePage(file) ? file.normalize("NFC") : undefined;
}

/** In the spelling that stands, or stood last. */
function urlOfPage(author: Author, key: string): string {
  const trees = [
    author.site.files,
    ...author
      .moments()
      .map(({ files }) => files)
      .reverse(),
  ];
  const files = trees.flatMap((tree) => [...tree.keys()]);
  return author.site.urlOf(files.find((one) => one.normalize("NFC") === key) ?? key);
}
