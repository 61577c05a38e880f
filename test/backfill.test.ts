import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { emit } from "@rs-emit/core";
import { backfill } from "@rs-emit/core/backfill";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import {
  createRepository,
  removeFolder,
  type TestRepository,
  temporaryFolder,
} from "../packages/core/test/support/repository.ts";
import { expectNoFindings, logOf } from "../packages/core/test/support/site.ts";
import { isTidy, projectOf } from "./backfill/author.ts";
import { html, type Publication, type SeenPage, trueLog } from "./backfill/truth.ts";
import { documentsIn, filesIn, QUICK_DISK, removeDocuments } from "./model/documents.ts";
import { rounds, STRIDE } from "./thorough.ts";

const URL_OF_SITE = "https://moss.example/";
const BEGINNING = 1_700_000_000;
const PRESENT = BEGINNING + 10_000;
const RUNS = Number(process.env.BACKFILL_RUNS ?? rounds(2, 8));

/** What an author does to one page, and when it is committed. */
interface Act {
  readonly edits: readonly (readonly [path: string, page: SeenPage | "gone"])[];
  readonly at: number;
}

const page: fc.Arbitrary<SeenPage | "gone"> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      own: fc.constantFrom("1", "2"),
      shell: fc.constantFrom("a", "b"),
      hidden: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 2, arbitrary: fc.constant("gone" as const) },
);
const path = fc.constantFrom("index.html", "a.html", "deep/b.html", "caf\u00e9.html");
/** Times of commits go on, stand still, go back, and come from the future. */
const at = fc.constantFrom(10, 20, 20, 21, 500, 400, 9_998, 9_999, 5_000_000);
const acts = fc.array(fc.record({ edits: fc.array(fc.tuple(path, page), { maxLength: 3 }), at }), {
  minLength: 1,
  maxLength: 8,
  size: "max",
});

/** By the position of an act: the folder that the whole site moves to before it; -1 begins. */
type Moves = ReadonlyMap<number, string>;

/** A site whose folder is committed, with one page from the beginning. */
function play(
  repository: TestRepository,
  script: readonly Act[],
  moves: Moves = new Map(),
): Publication[] {
  let place = moves.get(-1) ?? "public";
  const site = new Map<string, SeenPage>([["index.html", { own: "0", shell: "a", hidden: false }]]);
  const publications: Publication[] = [];
  const publish = (time: number) => {
    const urls = [...site].map(([file, page]) => [urlPath(file), page] as const);
    publications.push({ time, site: new Map(urls) });
    repository.commit(time);
  };
  repository.write("notes.txt", "not a page");
  repository.write(`${place}/index.html`, html({ own: "0", shell: "a", hidden: false }));
  publish(BEGINNING);
  for (const [position, { edits, at }] of script.entries()) {
    const target = moves.get(position);
    if (target !== undefined && site.size > 0 && target !== place) {
      for (const file of site.keys()) repository.move(`${place}/${file}`, `${target}/${file}`);
      place = target;
      publish(BEGINNING + at);
    }
    for (const [file, page] of edits) {
      if (page !== "gone") {
        site.set(file, page);
        repository.write(`${place}/${file}`, html(page));
      } else if (site.delete(file)) repository.remove(`${place}/${file}`);
    }
    publish(BEGINNING + at);
  }
  // A page at the end, so that there is a site to publish.
  site.set("last.html", { own: "0", shell: "a", hidden: false });
  repository.write(`${place}/last.html`, html({ own: "0", shell: "a", hidden: false }));
  publish(BEGINNING + 600);
  return publications;
}

function urlPath(file: string): string {
  return file === "index.html" ? "" : encodeURI(file);
}

/** Each change of content counts: what of it is news, other tests say. */
function options(folder: string) {
  return { folder, url: URL_OF_SITE, previous: "output", news: "content" } as const;
}

const PAGE: SeenPage = { own: "1", shell: "a", hidden: false };
const environment = { clock: () => PRESENT, fileSystem: QUICK_DISK };

test("a committed folder is told as it was at each commit", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(acts, async (script) => {
      using repository = createRepository();
      const publications = play(repository, script);
      const folder = repository.path("public");
      const before = projectOf(repository);
      const result = await backfill(options(folder), {}, environment);
      expect(logOf(folder, URL_OF_SITE)).toEqual(trueLog(publications, PRESENT));
      expectNoFindings(folder, URL_OF_SITE);
      expect(result.next).toEqual([]);
      const documents = documentsIn(folder);
      const isDocument = (file: string) => documents.has(file.replace(/^public\//, ""));
      expect(projectOf(repository, isDocument)).toEqual(before);
      expect(isTidy(repository)).toBe(true);
      expect((await emit(options(folder), environment)).status).toBe("unchanged");
    }),
    { numRuns: RUNS },
  ),
);

test("a folder that was renamed is told under all its names", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(acts, fc.nat({ max: 7 }), fc.nat({ max: 7 }), async (script, one, other) => {
      using repository = createRepository();
      const moves = [one % script.length, other % script.length].sort();
      const [first = 0, second = 0] = moves;
      const publications = play(
        repository,
        script,
        new Map([
          [-1, "www/html"],
          [first, "public"],
          [second, "docs"],
        ]),
      );
      const folder = dirname(repository.path(repository.git("ls-files", "*/last.html")));
      await backfill(options(folder), {}, environment);
      expect(logOf(folder, URL_OF_SITE)).toEqual(trueLog(publications, PRESENT));
      expectNoFindings(folder, URL_OF_SITE);
    }),
    { numRuns: RUNS },
  ),
);

test("a renamed folder has the same past as in a first run", async () => {
  using repository = createRepository();
  const files = Array.from({ length: 12 }, (_, at) => `page-${at}.html`);
  for (const [at, file] of files.entries()) {
    repository.write(`public/${file}`, html({ ...PAGE, own: file }));
    repository.write("public/index.html", html({ ...PAGE, own: `${at}` })).commit(BEGINNING + at);
  }
  for (const file of ["index.html", ...files]) repository.move(`public/${file}`, `docs/${file}`);
  // The rename and an edit in one commit.
  repository.write("docs/page-0.html", html({ ...PAGE, own: "moved" })).commit(BEGINNING + 100);
  repository.remove("docs/page-11.html").commit(BEGINNING + 200);
  const folder = repository.path("docs");
  const first = await emit({ ...options(folder), first: true, dryRun: true }, environment);
  const told = first.collections.flatMap(({ changes }) =>
    changes.map(({ kind, url, lastmod }) => ({ kind, url, lastmod })),
  );
  const { collections, past } = await backfill(options(folder), {}, environment);
  expect(
    collections.flatMap(({ changes }) =>
      changes.map(({ kind, url, lastmod }) => ({ kind, url, lastmod })),
    ),
  ).toEqual(told);
  expect(told.length).toBe(12 + 12 + 1 + 1);
  expect(past.commits).toBe(14);
});

test("a deployed branch is told, wherever the documents are written", async () => {
  using repository = createRepository();
  const publications = play(repository, [{ edits: [["a.html", PAGE]], at: 10 }]);
  // The pages stand at the root of a branch that is deployed.
  const pages = repository.worktree("gh-pages");
  onTestFinished(() => pages[Symbol.dispose]());
  repository.git("branch", "--force", "empty", "main");
  pages.git("checkout", "--quiet", "--orphan", "deployed");
  for (const { time, site } of publications) {
    pages.git("rm", "-rfq", "--ignore-unmatch", ".");
    for (const [path, page] of site) pages.write(decodeURI(path) || "index.html", html(page));
    pages.commit(time);
  }
  const folder = repository.path("_site");
  const where = { branch: "deployed", project: repository.root };
  const result = await backfill(options(folder), where, environment);
  expect(logOf(folder, URL_OF_SITE)).toEqual(trueLog(publications, PRESENT));
  expect(result.next).toBeUndefined();
  expect(repository.git("worktree", "list").split("\n").length).toBe(2);
});

test("the branch may be at origin only", async () => {
  using origin = createRepository();
  const publications = play(origin, [{ edits: [["a.html", PAGE]], at: 10 }]);
  origin.git("branch", "pages");
  using clone = origin.clone("--branch=main");
  const folder = clone.path("_site");
  const where = { branch: "pages", folder: "public", project: clone.root };
  await backfill(options(folder), where, environment);
  expect(logOf(folder, URL_OF_SITE)).toEqual(trueLog(publications, PRESENT));
});

test("a folder that was absent for a while had no pages then", async () => {
  using repository = createRepository();
  repository.write("public/index.html", html(PAGE)).commit(BEGINNING);
  repository.remove("public").commit(BEGINNING + 10);
  repository.write("public/style.css", "").commit(BEGINNING + 20);
  repository.write("public/index.html", html(PAGE)).commit(BEGINNING + 30);
  const folder = repository.path("public");
  await backfill(options(folder), {}, environment);
  expect(logOf(folder, URL_OF_SITE)).toEqual([
    "2023-11-14T22:13:20Z created /",
    "2023-11-14T22:13:30Z deleted /",
    "2023-11-14T22:13:50Z created /",
  ]);
});

test("of each day, the last commit is told", async () => {
  using repository = createRepository();
  for (const [position, time] of [0, 3600, 86_400, 86_500, 200_000].entries()) {
    repository.write("public/index.html", html({ ...PAGE, own: `${position}` }));
    repository.commit(BEGINNING + time);
  }
  const folder = repository.path("public");
  const clock = () => BEGINNING + 300_000;
  await backfill(options(folder), { every: "day" }, { ...environment, clock });
  expect(logOf(folder, URL_OF_SITE)).toEqual([
    "2023-11-14T23:13:20Z created /",
    "2023-11-15T22:15:00Z updated /",
    "2023-11-17T05:46:40Z updated /",
  ]);
});

test.each(["HEAD~2", "2023-11-14T22:14:00Z"])(
  "since %s: older pages are listed, not told",
  async (since) => {
    using repository = createRepository();
    repository.write("public/old.html", html(PAGE)).commit(BEGINNING);
    repository.write("public/index.html", html(PAGE)).commit(BEGINNING + 10);
    repository.write("public/new.html", html(PAGE)).commit(BEGINNING + 50);
    repository.write("public/old.html", html({ ...PAGE, own: "9" })).commit(BEGINNING + 60);
    const folder = repository.path("public");
    const result = await backfill(options(folder), { since }, environment);
    expect(logOf(folder, URL_OF_SITE)).toEqual([
      "2023-11-14T22:14:10Z created /new.html",
      "2023-11-14T22:14:20Z updated /old.html",
    ]);
    expect(result.collections.map(({ undated }) => undated)).toEqual([[URL_OF_SITE]]);
    expect(result.next).toEqual([]);
  },
);

test("each collection has its own log, in the words of the commits", async () => {
  using repository = createRepository();
  repository.write("public/moss/a.html", html(PAGE)).commit(BEGINNING, "Grow moss");
  repository.write("public/b.html", html(PAGE)).commit(BEGINNING + 10, "Add b");
  const folder = repository.path("public");
  const more = { collections: ["moss/", "/"], messages: true };
  const result = await backfill({ ...options(folder), ...more }, {}, environment);
  const told = result.collections.map(({ url, changes }) => [
    url,
    changes.map(({ message }) => message),
  ]);
  expect(told).toEqual([
    [`${URL_OF_SITE}moss/`, ["Grow moss"]],
    [URL_OF_SITE, ["Add b"]],
  ]);
  expect(logOf(folder, URL_OF_SITE, "moss/")).toEqual([
    "2023-11-14T22:13:20Z created /moss/a.html",
  ]);
});

test("what is not committed is what the next run would report", async () => {
  using repository = createRepository();
  play(repository, []);
  repository.write("public/draft.html", html(PAGE));
  const folder = repository.path("public");
  const result = await backfill(options(folder), {}, environment);
  expect(result.next?.map(({ kind, url }) => `${kind} ${url}`)).toEqual([
    `created ${URL_OF_SITE}draft.html`,
  ]);
});

test("killed while it writes, at any document: the next run starts over", async () => {
  using repository = createRepository();
  repository.write("public/moss/a.html", html(PAGE)).commit(BEGINNING);
  repository.write("public/b.html", html(PAGE)).commit(BEGINNING + 10);
  const folder = repository.path("public");
  const run = (fileSystem = QUICK_DISK) =>
    backfill(
      { ...options(folder), collections: ["moss/", "/"] },
      {},
      { ...environment, fileSystem },
    );
  let killed = true;
  for (let kept = 0; killed; kept += STRIDE) {
    removeDocuments(folder);
    let renames = 0;
    const rename = (from: string, to: string) => {
      if (renames++ === kept) throw new Error("killed");
      QUICK_DISK.rename(from, to);
    };
    await run({ ...QUICK_DISK, rename }).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "WRITE_FAILED" });
    });
    killed = renames === kept + 1;
    if (killed) await run();
    expect(logOf(folder, URL_OF_SITE, "moss/").length).toBe(1);
    expect(logOf(folder, URL_OF_SITE)).toEqual(["2023-11-14T22:13:30Z created /b.html"]);
    expectNoFindings(folder, URL_OF_SITE);
  }
});

test("a dry run writes no document", async () => {
  using repository = createRepository();
  play(repository, []);
  const folder = repository.path("public");
  const isWork = (file: string) => file.startsWith(".git/rs-emit/");
  const before = projectOf(repository, isWork);
  const dry = { ...options(folder), dryRun: true };
  const result = await backfill(dry, {}, environment);
  expect(result.documents.map(({ status }) => status)).toEqual(Array(7).fill("written"));
  const elsewhere = { ...dry, folder: repository.path("new/folder") };
  await backfill(elsewhere, { folder: "public", project: repository.root }, environment);
  expect(existsSync(repository.path("new"))).toBe(false);
  expect(projectOf(repository, isWork)).toEqual(before);
});

test("a folder that a publication refuses is refused", async () => {
  using repository = createRepository();
  play(repository, []);
  repository.git("branch", "pages");
  const { root } = repository;
  const run = (where: string, past = {}, more = {}) =>
    backfill({ ...options(where), ...more }, { project: root, ...past }, environment);
  const refusal = { code: "EMPTY_SITE", option: "anyFolder" };
  await expect(emit({ ...options(root), first: true })).rejects.toMatchObject(refusal);
  await expect(run(root)).rejects.toMatchObject(refusal);
  await expect(run(root)).rejects.toThrow(
    "There are no pages in the root of the repository itself.",
  );
  // The pages stand below the branch's root, and below the folder that the log is for.
  await expect(run(repository.path("_site"), { branch: "pages" })).rejects.toThrow(
    "in pages itself",
  );
  await expect(run(root, { folder: "public" })).rejects.toThrow(`in ${root} itself`);
  const built = { build: "mkdir -p _site && cp -r public _site", project: root };
  await expect(run(repository.path("_site"), built)).rejects.toThrow("in _site itself");
  await expect(run(homedir(), { branch: "main", folder: "public" })).rejects.toMatchObject({
    code: "UNLIKELY_FOLDER",
  });
  expect(projectOf(repository).has("about.xml")).toBe(false);
  await run(root, {}, { anyFolder: true });
  expect(logOf(root, URL_OF_SITE)).toEqual([
    "2023-11-14T22:13:20Z created /public/",
    "2023-11-14T22:23:20Z created /public/last.html",
  ]);
  expect((await emit({ ...options(root), anyFolder: true }, environment)).status).toBe("unchanged");
});

test("an author who confirms the folder is asked once", async () => {
  using repository = createRepository();
  play(repository, []);
  const asked: string[] = [];
  const confirmFolder = async (why: string) => asked.push(why) > 0;
  await backfill(options(repository.root), {}, { ...environment, confirmFolder });
  expect(asked).toEqual(["There are no pages in the root of the repository itself."]);
});

test("refused: a shallow clone, one commit, no such branch, nothing committed, a log", async () => {
  using repository = createRepository();
  play(repository, []);
  const folder = repository.path("public");
  const run = (past = {}, where = folder) => backfill(options(where), past, environment);
  using shallow = repository.shallowClone(2);
  await expect(run({}, shallow.path("public"))).rejects.toMatchObject({ code: "SHALLOW_CLONE" });
  repository.git("switch", "--quiet", "--orphan", "gh-pages");
  repository.write("index.html", html(PAGE)).commit(BEGINNING);
  repository.checkout("main");
  const project = repository.root;
  await expect(run({ branch: "gh-pages", project })).rejects.toMatchObject({ code: "NO_PAST" });
  await expect(run({ branch: "nowhere", project })).rejects.toMatchObject({ code: "NO_LINE" });
  await expect(run({ since: "nowhere" })).rejects.toMatchObject({ code: "NO_LINE" });
  await expect(run({}, repository.path("_site"))).rejects.toMatchObject({ code: "NO_PAST" });
  await expect(run({ since: "HEAD" })).rejects.toThrow(/No commit after .* the option since/);
  for (const carry of [["../.env"], ["/etc/hosts"], ["a/../../b"]]) {
    const out = run({ build: "true", carry });
    await expect(out).rejects.toMatchObject({ code: "OPTION", option: "carry" });
  }
  const file = repository.path("notes.txt");
  await expect(run({}, file)).rejects.toMatchObject({ code: "NO_FOLDER" });
  await expect(run({ work: file })).rejects.toMatchObject({ code: "WORK_FOLDER" });
  const nowhere = temporaryFolder();
  onTestFinished(() => removeFolder(nowhere));
  await expect(run({}, nowhere)).rejects.toThrow("is in no git repository. Run this in");
  await emit({ ...options(folder), first: true, history: "files" }, environment);
  const published = filesIn(folder);
  await expect(run()).rejects.toMatchObject({ code: "ALREADY_PUBLISHED" });
  const unproven = backfill({ ...options(folder), previous: "none" }, {}, environment);
  await expect(unproven).rejects.toMatchObject({ code: "OPTION", option: "previous" });
  expect(filesIn(folder)).toEqual(published);
  expect(isTidy(repository)).toBe(true);
});
