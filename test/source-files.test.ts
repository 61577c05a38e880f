import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type EmitResult, emit } from "@rs-emit/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRepository, type TestRepository } from "../packages/core/test/support/repository.ts";
import {
  type Act,
  after,
  commitLine,
  leaveUncommitted,
  someAct,
  type Tree,
  type TreeCommit,
} from "./history/line.ts";
import { movedFiles } from "./history/moved.ts";
import { type Moment, type SourceVersion, tellLog } from "./history/told.ts";
import { QUICK_DISK } from "./model/documents.ts";
import type { Entry } from "./model/log.ts";
import { followFolder } from "./model/log.ts";
import { rounds } from "./thorough.ts";

const SITE = "https://moss.example/";
const BEGINNING = 1_700_000_000;
const NOW = BEGINNING + 100_000;

interface Step {
  readonly acts: readonly Act[];
  /** What happened on a branch that is merged by the same commit. */
  readonly aside: readonly Act[];
  /** Seconds since the beginning: clocks may stand still, and go back. */
  readonly at: number;
}

const acts = fc.array(someAct, { maxLength: 5, size: "max" });
const someStep: fc.Arbitrary<Step> = fc.record({
  acts,
  aside: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, acts),
  at: fc.nat(1000),
});
const steps = fc.array(someStep, { minLength: 1, maxLength: 10, size: "max" });
const unsaved = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, acts);

test("pages have the history of their source files, as the design's rule says", () =>
  fc.assert(
    fc.asyncProperty(steps, unsaved, async (steps, unsaved) => {
      using repository = createRepository();
      const line = lineOf(steps);
      const committed = line.at(-1)?.tree ?? new Map();
      const today = after(committed, unsaved);
      commitLine(repository, line);
      leaveUncommitted(repository, committed, today, timeOf);
      const result = await publish(repository, today);
      const log = expectedLog(line, today);
      const told = followFolder(join(repository.root, ".dist"), SITE).collections.get(SITE)?.log;
      expect(told ?? []).toEqual(log);
      const dated = new Set(log.map(({ url }) => url));
      const undated = [...today.keys()].flatMap(pagesOf).filter((page) => !dated.has(urlOf(page)));
      expect(result.collections.flatMap((one) => one.undated).sort()).toEqual(
        undated.map(urlOf).sort(),
      );
    }),
    { numRuns: Number(process.env.HISTORY_RUNS ?? rounds(10, 40)) },
  ));

/** The first-parent line; branches are merged with whatever else changed. */
function lineOf(steps: readonly Step[]): TreeCommit[] {
  let tree: Tree = new Map([
    ["content/index.md", "Home"],
    [".gitignore", ".dist\n"],
  ]);
  const line: TreeCommit[] = [{ time: BEGINNING, tree }];
  for (const { acts, aside, at } of steps) {
    const merged = after(tree, aside);
    tree = after(merged, acts);
    const time = BEGINNING + at;
    line.push(aside.length === 0 ? { time, tree } : { time, tree, merged });
  }
  return line;
}

/** Every file makes a page; those of liquid templates make two. */
function pagesOf(source: string): string[] {
  if (source === ".gitignore") return [];
  const page = `${source.replaceAll("/", "-")}.html`;
  return source.endsWith(".njk") ? [page, `more-${page}`] : [page];
}

function urlOf(page: string): string {
  return SITE + encodeURIComponent(page);
}

function titleOf(url: string): string {
  return decodeURIComponent(url.slice(SITE.length));
}

/** When an edit that is not committed was made. */
function timeOf(source: string): number {
  return (
    BEGINNING + 2000 + [...source].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 997, 0)
  );
}

function publish(repository: TestRepository, today: Tree): Promise<EmitResult> {
  const folder = repository.path(".dist");
  const sources = new Map<string, string>();
  for (const source of today.keys()) {
    for (const page of pagesOf(source)) sources.set(page, source);
  }
  for (const page of [...sources.keys(), "list.html"]) {
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    writeFileSync(join(folder, page), `<title>${page}</title>`);
  }
  const sourceFiles = (page: string) => {
    const source = sources.get(page);
    return source === undefined ? [] : [repository.path(source), repository.path(".gitignore")];
  };
  return emit(
    { folder, url: SITE, previous: "none", exclude: ["list.html"] },
    {
      clock: () => NOW,
      fileSystem: QUICK_DISK,
      builder: { project: repository.root, sourceFiles },
    },
  );
}

/** Follows each source file back through every moment. */
function expectedLog(line: readonly TreeCommit[], today: Tree): Entry[] {
  const committed = line.at(-1)?.tree ?? new Map();
  const sources = [...today.keys()].filter((source) => pagesOf(source).length === 1);
  const holdsPages = sources.some((source) => committed.has(source));
  const trees = [...line.map(({ tree }) => tree), today];
  const lives = sources
    .filter((source) => committed.has(source) || holdsPages)
    .map((source) => ({ source, versions: lifeOf(source, trees) }));
  const moments = line.map(({ time }, index): Moment => ({ time, files: at(lives, index) }));
  // An edit that is not committed has its file's time: one page after the other.
  let files = new Map(moments.at(-1)?.files);
  const edits = lives.toSorted((one, other) => timeOf(one.source) - timeOf(other.source));
  for (const { source, versions } of edits) {
    const version = versions[line.length];
    if (version === undefined || version === versions[line.length - 1]) continue;
    files = new Map(files).set(source, { identity: version, hidden: false });
    moments.push({ time: timeOf(source), files, isUncommitted: true });
  }
  const log = tellLog(
    moments,
    NOW,
    (file) => file,
    (file) => urlOf(pagesOf(file)[0] ?? ""),
  );
  return log.map((entry) => ({ ...entry, title: titleOf(entry.url) }));
}

/** The contents of a source file at each moment, under whatever name it had; none before it was there. */
function lifeOf(source: string, trees: readonly Tree[]): (string | undefined)[] {
  const versions: (string | undefined)[] = [];
  let path: string | undefined = source;
  for (let moment = trees.length - 1; moment >= 0; moment--) {
    const tree = trees[moment] ?? new Map();
    const before = trees[moment - 1] ?? new Map();
    versions[moment] = path === undefined ? undefined : tree.get(path);
    if (path !== undefined && !before.has(path)) path = movedFiles(before, tree).get(path);
  }
  return versions;
}

function at(
  lives: readonly { readonly source: string; readonly versions: readonly (string | undefined)[] }[],
  moment: number,
): Map<string, SourceVersion> {
  return new Map(
    lives.flatMap(({ source, versions }) => {
      const identity = versions[moment];
      return identity === undefined ? [] : [[source, { identity, hidden: false }] as const];
    }),
  );
}
