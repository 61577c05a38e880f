import { type EmitResult, emit } from "@rs-emit/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRepository, type TestRepository } from "../packages/core/test/support/repository.ts";
import { build, certainPage, NAMINGS, type Naming } from "./history/builder.ts";
import { firstParentLine, type Moment, tellLog } from "./history/told.ts";
import { QUICK_DISK } from "./model/documents.ts";
import { followFolder } from "./model/log.ts";

const SITE = "https://example.org/";
const BEGINNING = 1_700_000_000;
const NOW = BEGINNING + 10_000;
const FILES = ["index.md", "a.md", "b.md", "notes/index.md", "notes/c.md", "old/d.md", "old/e.md"];

/** Files that make no page; beside each another one that has vanished. */
const NO_PAGES = ["content/_includes/layout.njk", "content/style", "readme.md"];

/** One commit: a source with a text, or gone. */
interface Commit {
  readonly file: string;
  readonly text: string | null;
}

const someCommit: fc.Arbitrary<Commit> = fc.record({
  file: fc.constantFrom(...FILES),
  text: fc.option(fc.constantFrom("one", "two", "three")),
});

test("pages built from sources elsewhere have the history of their sources", () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(NAMINGS.flat, NAMINGS.pretty),
      fc.array(someCommit, { minLength: 1, maxLength: 10, size: "max" }),
      async (naming, commits) => {
        using repository = createRepository();
        commitAll(repository, commits);
        build(repository, naming);
        const folder = repository.path("dist");
        const result = await publish(repository, folder);
        const told = tell(repository, naming);
        expect(followFolder(folder, SITE).collections.get(SITE)?.log).toEqual(told.log);
        proveUntold(result, told.untold);
      },
    ),
    { numRuns: Number(process.env.HISTORY_RUNS ?? 20) },
  ));

function commitAll(repository: TestRepository, commits: readonly Commit[]): void {
  repository.write(".gitignore", "dist\n").write("content/index.md", "Home");
  for (const file of NO_PAGES) repository.write(file, "No page").write(`${file}.css`, "No page");
  repository.commit(BEGINNING);
  for (const file of NO_PAGES) repository.remove(`${file}.css`);
  for (const [position, { file, text }] of commits.entries()) {
    const path = `content/${file}`;
    const stands = repository.git("ls-files", path) !== "";
    if (text !== null) repository.write(path, text);
    else if (stands && file !== "index.md") repository.remove(path);
    repository.commit(BEGINNING + 10 * (position + 1));
  }
}

function publish(repository: TestRepository, folder: string): Promise<EmitResult> {
  const sourceFolder = repository.path("content");
  return emit(
    { folder, sourceFolder, url: SITE, previous: "none" },
    { clock: () => NOW, fileSystem: QUICK_DISK },
  );
}

function tell(repository: TestRepository, naming: Naming) {
  const moments = firstParentLine(repository, (text) => ({ identity: text, hidden: false }));
  const living = sourcesIn(moments.slice(-1));
  const pageOf = (source: string) => certainPage(source, living, naming);
  const log = tellLog(
    moments,
    NOW,
    (file) => sourceOf(file).map(pageOf)[0],
    (page) => SITE + page.replace(/(^|\/)index\.html$/, "$1"),
  );
  return { log, untold: [...sourcesIn(moments)].filter((source) => !pageOf(source)) };
}

function sourcesIn(moments: readonly Moment[]): Set<string> {
  const files = moments.flatMap(({ files }) => [...files.keys()]);
  return new Set(files.flatMap(sourceOf));
}

/** The path below `content/` of a file that makes a page; nothing for others. */
function sourceOf(file: string): string[] {
  return /^content\/(.*\.md)$/.exec(file)?.slice(1) ?? [];
}

/** What is not certain is not told, and the summary counts it and names it. */
function proveUntold({ notes }: EmitResult, untold: readonly string[]): void {
  const message = notes.find(({ code }) => code === "UNKNOWN_SOURCES")?.message ?? "0";
  expect(Number.parseInt(message, 10)).toBe(untold.length);
  for (const source of untold) expect(message).toContain(`content/${source}`);
}
