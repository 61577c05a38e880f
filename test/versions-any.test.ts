import { existsSync, readFileSync, utimesSync } from "node:fs";
import { emit } from "@rs-emit/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRepository, type TestRepository } from "../packages/core/test/support/repository.ts";
import { buildByFrontMatter, toyPages } from "./history/front-matter-builder.ts";
import { firstParentLine, type Moment, tellLog } from "./history/told.ts";
import { QUICK_DISK } from "./model/documents.ts";
import { followFolder } from "./model/log.ts";

const SITE = "https://example.org/";
const BEGINNING = 1_700_000_000;
const NOW = BEGINNING + 10_000;
const TOY = { secret: "" };

/** Something an author does; several make a commit. */
type Deed =
  | { readonly do: "write"; readonly file: string; readonly contents: string }
  | { readonly do: "remove"; readonly file: string }
  | { readonly do: "move"; readonly file: string; readonly to: string }
  | { readonly do: "branch" }
  | { readonly do: "merge" };

const source = fc.constantFrom("a/x.md", "a/y.md", "b/x.md", "b/z.md");
const data = fc.constantFrom("a/data.json", "b/data.json");
/** Several sources may claim the page of another, one after the other. */
const front = fc.constantFrom(
  {},
  { at: "shared" },
  { at: "other" },
  { at: "a/x" },
  { at: "b/x" },
  { off: true },
  { none: true },
);

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(source, front, fc.constantFrom("one", "two")).map(([file, said, text]) => ({
      do: "write" as const,
      file,
      contents: `${JSON.stringify(said)}\n${text}`,
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(data, fc.constantFrom({}, { below: "moved" }, { below: "a" }, { off: true }))
      .map(([file, said]) => ({ do: "write" as const, file, contents: JSON.stringify(said) })),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(source, data).map((file) => ({ do: "remove" as const, file })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(source, source).map(([file, to]) => ({ do: "move" as const, file, to })),
  },
  fc.constantFrom<Deed>({ do: "branch" }, { do: "merge" }),
);

/** Commits, and what no commit holds in the end. */
const histories = fc.record({
  commits: fc.array(fc.array(deed, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 9,
    size: "max",
  }),
  edits: fc.array(deed, { maxLength: 2 }),
});

test("branches, moves, pages that change hands and edits without a commit are told as they were", () =>
  fc.assert(
    fc.asyncProperty(histories, async ({ commits, edits }) => {
      using repository = createRepository();
      const end = live(repository, commits);
      const moments = momentsOf(repository);
      for (const edit of edits) {
        if (edit.do === "write") editFile(repository, edit, end + 100, moments);
      }
      const pages = moments.map(({ contents }) => toyPages(TOY, contents));
      // Two sources that claim one page at once are an error of any builder.
      fc.pre(pages.every((made) => new Set(made.map(({ file }) => file)).size === made.length));
      const folder = repository.path("dist");
      const builder = buildByFrontMatter(repository, TOY);
      const result = await emit(
        { folder, url: SITE, previous: "none" },
        { clock: () => NOW, fileSystem: QUICK_DISK, builder },
      );
      const told = moments.map(({ time, contents }, moment): Moment => {
        const versions = (pages[moment] ?? []).map(
          ({ file, source, isOff }) =>
            [file, { identity: contents.get(source) ?? "", hidden: isOff }] as const,
        );
        return { time, files: new Map(versions) };
      });
      const log = tellLog(told, NOW, (file) => file, urlOf);
      expect(followFolder(folder, SITE).collections.get(SITE)?.log).toEqual(log);
      expect(result.notes).toEqual([]);
    }),
    { numRuns: Number(process.env.HISTORY_RUNS ?? 25) },
  ));

/** Lives a history, and tells when it ends. */
function live(repository: TestRepository, commits: readonly (readonly Deed[])[]): number {
  let time = BEGINNING;
  repository.write(".gitignore", "dist\n").write("content/keeper/k.md", "{}\nKept").commit(time);
  let branch: string | undefined;
  for (const [position, deeds] of commits.entries()) {
    for (const one of deeds) {
      if (one.do === "branch" && branch === undefined) {
        branch = `branch-${position}`;
        repository.branch(branch);
      }
      edit(repository, one);
    }
    time += 10;
    repository.commit(time);
    if (branch === undefined || !deeds.some((one) => one.do === "merge")) continue;
    time = merge(repository, branch, time);
    branch = undefined;
  }
  return branch === undefined ? time : merge(repository, branch, time);
}

/** The deployed line goes on while a branch is written. */
function merge(repository: TestRepository, branch: string, time: number): number {
  repository
    .checkout("main")
    .write("content/keeper/k.md", `{}\nKept at ${time}`)
    .commit(time + 10);
  repository.merge(branch, time + 20);
  return time + 20;
}

function edit(repository: TestRepository, one: Deed): void {
  if (one.do === "branch" || one.do === "merge") return;
  const file = `content/${one.file}`;
  if (one.do === "write") repository.write(file, one.contents);
  else if (!existsSync(repository.path(file))) return;
  else if (one.do === "remove") repository.remove(file);
  else if (!existsSync(repository.path(`content/${one.to}`))) {
    repository.write(`content/${one.to}`, readFileSync(repository.path(file))).remove(file);
  }
}

interface Snapshot {
  readonly time: number;
  /** By the path below `content/`. */
  readonly contents: ReadonlyMap<string, string>;
}

function momentsOf(repository: TestRepository): Snapshot[] {
  return firstParentLine(repository, (text) => ({ identity: text, hidden: false })).map(
    ({ time, files }) => {
      const contents = [...files].flatMap(([path, { identity }]) =>
        path.startsWith("content/") ? [[path.slice("content/".length), identity] as const] : [],
      );
      return { time, contents: new Map(contents) };
    },
  );
}

/** All edits have one time, so that they are one more moment. */
function editFile(
  repository: TestRepository,
  { file, contents }: Extract<Deed, { do: "write" }>,
  time: number,
  moments: Snapshot[],
): void {
  repository.write(`content/${file}`, contents);
  utimesSync(repository.path("content", file), time, time);
  const last = moments.at(-1);
  if (last?.time === time) moments.pop();
  moments.push({ time, contents: new Map([...(last?.contents ?? []), [file, contents]]) });
}

function urlOf(file: string): string {
  return SITE + file.replace(/(^|\/)index\.html$/, "$1");
}
