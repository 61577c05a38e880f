import { dirname, join } from "node:path";
import { emit } from "@rs-emit/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRepository, type TestRepository } from "../packages/core/test/support/repository.ts";
import {
  buildByFrontMatter,
  type ToyBuilder,
  type ToyPage,
  toyPages,
} from "./history/front-matter-builder.ts";
import { firstParentLine, type Moment, type SourceVersion, tellLog } from "./history/told.ts";
import { QUICK_DISK } from "./model/documents.ts";
import { followFolder } from "./model/log.ts";

const SITE = "https://example.org/";
const BEGINNING = 1_700_000_000;
const NOW = BEGINNING + 10_000;

/** One commit: a file with a first line that decides, and a text; or gone. */
interface Commit {
  readonly file: string;
  readonly contents: string | null;
}

const source = fc.constantFrom("a/x.md", "a/y.md", "b/x.md", "b/z.md");

const someSource: fc.Arbitrary<Commit> = source.chain((file) =>
  fc
    .record({
      front: fc.oneof(
        { weight: 4, arbitrary: fc.constant({}) },
        fc.constant({ at: `at-${file.replace(/\W/g, "-")}` }),
        fc.constant({ off: true }),
        fc.constant({ none: true }),
        fc.constant({ many: true }),
      ),
      text: fc.constantFrom("one", "two"),
    })
    .map(({ front, text }) => ({ file, contents: `${JSON.stringify(front)}\n${text}` })),
);

const someData: fc.Arbitrary<Commit> = fc
  .constantFrom("a", "b")
  .chain((folder) =>
    fc
      .constantFrom({}, { below: `${folder}-moved` }, { off: true })
      .map((data) => ({ file: `${folder}/data.json`, contents: JSON.stringify(data) })),
  );

const someRemoval: fc.Arbitrary<Commit> = fc
  .oneof(source, fc.constantFrom("a/data.json", "b/data.json"))
  .map((file) => ({ file, contents: null }));

const commits = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: someSource },
    { weight: 2, arbitrary: someData },
    { weight: 2, arbitrary: someRemoval },
  ),
  { minLength: 1, maxLength: 12, size: "max" },
);

test.each<[string, ToyBuilder]>([
  ["a rule that its builder tells", { secret: "" }],
  ["a rule that only the pages show", { secret: "zz-" }],
])(
  "pages renamed by their front matter and folder data have the history of each version: %s",
  (_, toy) =>
    fc.assert(
      fc.asyncProperty(commits, async (history) => {
        using repository = createRepository();
        commitAll(repository, history);
        const builder = buildByFrontMatter(repository, toy);
        const folder = repository.path("dist");
        const result = await emit(
          { folder, url: SITE, previous: "none" },
          { clock: () => NOW, fileSystem: QUICK_DISK, builder },
        );
        const told = tell(repository, toy);
        expect(followFolder(folder, SITE).collections.get(SITE)?.log).toEqual(told.log);
        const message = result.notes.find(({ code }) => code === "UNKNOWN_SOURCES")?.message ?? "0";
        expect(Number.parseInt(message, 10)).toBe(told.untold.length);
      }),
      { numRuns: Number(process.env.HISTORY_RUNS ?? 25) },
    ),
);

function commitAll(repository: TestRepository, history: readonly Commit[]): void {
  repository.write(".gitignore", "dist\n").write("content/keeper/k.md", "{}\nKept");
  repository.commit(BEGINNING);
  for (const [position, { file, contents }] of history.entries()) {
    const path = `content/${file}`;
    if (contents !== null) repository.write(path, contents);
    else if (repository.git("ls-files", path) !== "") repository.remove(path);
    repository.commit(BEGINNING + 10 * (position + 1));
  }
}

/** Builds every moment anew, and leaves out what the design says is not certain. */
function tell(repository: TestRepository, toy: ToyBuilder) {
  const line = firstParentLine(repository, (text) => ({ identity: text, hidden: false }));
  const moments = line.map(({ time, files }) => ({ time, contents: contentsOf(files) }));
  const pages = moments.map(({ contents }) => toyPages(toy, contents));
  const today = moments.at(-1)?.contents ?? new Map();
  const isUncertain = (moment: number, { source }: ToyPage) =>
    toy.secret !== "" && !isNamedToday(wayOf(source, moments[moment]?.contents), today);
  const untold = new Set<string>();
  for (const [moment, made] of pages.entries()) {
    for (const [index, page] of made.entries()) {
      const isOne = made.findIndex(({ source }) => source === page.source) === index;
      if (!isOne || isUncertain(moment, page)) untold.add(page.source);
    }
  }
  const uncertain = new Set(
    pages.flatMap((made, moment) =>
      made
        .filter((page) => untold.has(page.source) && !isUncertain(moment, page))
        .map(({ file }) => file),
    ),
  );
  const log = tellLog(
    moments.map(({ time, contents }, moment): Moment => {
      const told = (pages[moment] ?? []).filter(
        (page) => !untold.has(page.source) && !uncertain.has(page.file),
      );
      return { time, files: new Map(told.map((page) => [page.file, versionOf(page, contents)])) };
    }),
    NOW,
    (file) => file,
    (file) => SITE + file.replace(/(^|\/)index\.html$/, "$1"),
  );
  const standing = new Set(pages.at(-1)?.map(({ source }) => source));
  return { log, untold: [...untold].filter((one) => !standing.has(one)) };
}

function contentsOf(files: ReadonlyMap<string, SourceVersion>): Map<string, string> {
  return new Map(
    [...files].flatMap(([path, { identity }]) =>
      path.startsWith("content/") ? [[path.slice("content/".length), identity] as const] : [],
    ),
  );
}

function versionOf({ source, isOff }: ToyPage, contents: ReadonlyMap<string, string>) {
  return { identity: contents.get(source) ?? "", hidden: isOff };
}

/** Sources of one folder, named by the same data, are named alike. */
function wayOf(source: string, contents: ReadonlyMap<string, string> | undefined): string {
  const front = contents?.get(source) ?? "";
  if (front.includes('"at"')) return "at";
  const data = contents?.get(join(dirname(source), "data.json")) ?? "{}";
  return `${dirname(source)} ${/"below":"[^"]*"/.exec(data)?.[0] ?? ""}`;
}

function isNamedToday(way: string, today: ReadonlyMap<string, string>): boolean {
  if (way === "at") return true;
  return [...today].some(
    ([source, text]) =>
      source.endsWith(".md") && !/"(?:many|none)"/.test(text) && wayOf(source, today) === way,
  );
}
