import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
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
import { type Act, BEGINNING, BUILDER, buildEach, play } from "./backfill/builder.ts";
import { trueLog } from "./backfill/truth.ts";
import { QUICK_DISK } from "./model/documents.ts";
import { rounds } from "./thorough.ts";

const SITE = "https://moss.example/";
const PRESENT = BEGINNING + 10_000;
const COMMAND = join(import.meta.dirname, "../packages/cli/bin/rs-emit.js");
const BUILD = { build: "sh build.sh", allowSkipped: true };
const RUNS = Number(process.env.BACKFILL_RUNS ?? rounds(1, 3));

const text = fc.constantFrom("", "one", "two");
const notes = fc.record(
  {
    index: text,
    moss: text,
    fail: fc.constantFrom("", "!"),
  },
  { requiredKeys: [] },
);
const act: fc.Arbitrary<Act> = fc.record({
  notes,
  layout: fc.constantFrom("a", "a", "b"),
  at: fc.constantFrom(10, 20, 20, 300, 200),
});
const acts = fc.array(act, { minLength: 2, maxLength: 6, size: "max" });

const environment = { clock: () => PRESENT, fileSystem: QUICK_DISK };

function options(repository: TestRepository) {
  return {
    folder: repository.path("_site"),
    url: SITE,
    previous: "output",
    news: "content",
  } as const;
}

test("the log tells what each commit builds to, built one by one", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(acts, fc.constantFrom(1, 3), async (script, jobs) => {
      using repository = createRepository();
      play(repository, script);
      const publications = buildEach(repository, PRESENT);
      const before = projectOf(repository);
      const past = { ...BUILD, project: repository.root, jobs };
      const result = await backfill(options(repository), past, environment);
      expect(logOf(result.folder, SITE)).toEqual(trueLog(publications, PRESENT));
      expect(result.past.commits - result.past.skipped.length).toBeLessThanOrEqual(
        publications.length,
      );
      expectNoFindings(result.folder, SITE);
      expect(projectOf(repository, (file) => file.startsWith("_site/"))).toEqual(before);
      expect(isTidy(repository)).toBe(true);
    }),
    { numRuns: RUNS },
  ),
);

test("killed at random moments, it goes on, and tells the same", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      acts,
      fc.array(fc.integer({ min: 250, max: 1500 }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom("SIGKILL" as const, "SIGINT" as const),
      async (script, kills, signal) => {
        using repository = createRepository();
        play(repository, script);
        const work = temporaryFolder();
        onTestFinished(() => removeFolder(work));
        const publications = buildEach(repository, PRESENT);
        const before = projectOf(repository);
        for (const after of kills) await run(repository, work, { after, signal });
        if (signal === "SIGINT") expect(readdirSync(work)).toEqual([]);
        // The run may have been done before it was to be killed; another one is then refused.
        const isDone = existsSync(repository.path("_site/resourcelist.xml"));
        expect(await run(repository, work)).toBe(isDone ? 1 : 0);
        expect(logOf(repository.path("_site"), SITE)).toEqual(trueLog(publications, PRESENT));
        expect(readdirSync(work)).toEqual([]);
        expect(projectOf(repository, (file) => /^(?:_site|\.git\/rs-emit)\//.test(file))).toEqual(
          before,
        );
        if (!isDone) expect(isTidy(repository)).toBe(true);
      },
    ),
    // Each try to find a smaller history starts processes again.
    { numRuns: RUNS, endOnFailure: true },
  ),
);

/** Runs the command, until it ends or is ended; then nothing of it runs any more. */
async function run(
  repository: TestRepository,
  work: string,
  end?: { readonly after: number; readonly signal: "SIGKILL" | "SIGINT" },
): Promise<number | null> {
  const args = [
    "backfill",
    "_site",
    "--news",
    "content",
    "--url",
    SITE,
    "--previous",
    "output",
    "--now",
    "2023-11-15T01:00:00Z",
  ];
  const build = ["--build", "sh build.sh", "--allow-skipped", "--work", work];
  const child = spawn(process.execPath, [COMMAND, ...args, ...build], {
    cwd: repository.root,
    stdio: "ignore",
  });
  const exit = once(child, "exit");
  if (end !== undefined) await Promise.race([exit, setTimeout(end.after)]);
  if (end !== undefined && child.exitCode === null) child.kill(end.signal);
  const [status] = await exit;
  return status;
}

test("interrupted, it goes on where it was: no commit is built again", async () => {
  using repository = createRepository();
  const built = join(temporaryFolder(), "built");
  onTestFinished(() => removeFolder(join(built, "..")));
  play(
    repository,
    [1, 2, 3, 4].map((at) => ({ notes: { moss: `${at}` }, layout: "a", at })),
  );
  const newest = repository.head();
  const build = `git rev-parse HEAD >> ${built}; sh build.sh`;
  const interrupt = new AbortController();
  const onProgress = ({ step, done }: { step: string; done: number }) => {
    if (step === "commits" && done === 3) interrupt.abort();
  };
  const past = { build, project: repository.root };
  const { signal } = interrupt;
  const stopped = backfill(options(repository), past, { ...environment, signal, onProgress });
  await expect(stopped).rejects.toMatchObject({ code: "INTERRUPTED" });
  const result = await backfill(options(repository), past, environment);
  expect(logOf(result.folder, SITE).length).toBe(6);
  const older = readFileSync(built, "utf8")
    .trim()
    .split("\n")
    .filter((id) => id !== newest);
  expect(new Set(older).size).toBe(5);
  // The one that was being built when it was interrupted may have begun twice.
  expect(older.length).toBeLessThanOrEqual(6);
  expect(isTidy(repository)).toBe(true);
});

const RULED = `sh build.sh; printf '{"folder":"%s/_site","options":{},"pages":{"moss.html":{"url":"%s"}}}' "$PWD" "$(cat url)" > "$RS_EMIT_BACKFILL"`;

test.each([
  [
    "the commit that the log begins after",
    "sh build.sh",
    "HEAD~3",
    ["updated /moss.html", "created /last.html", "updated /last.html"],
  ],
  [
    "the rule of URLs",
    RULED,
    undefined,
    [
      "created /",
      "created /moss",
      "updated /moss",
      "updated /moss",
      "created /last",
      "updated /last",
    ],
  ],
])("a new commit that changes %s begins the work anew", async (_, build, since, told) => {
  using repository = createRepository();
  repository.write("url", `${SITE}moss.html`);
  play(
    repository,
    [1, 2, 3].map((at) => ({ notes: { moss: `text ${at}` }, layout: "a", at })),
  );
  const interrupt = new AbortController();
  const onProgress = ({ step, done }: { step: string; done: number }) => {
    if (step === "commits" && done === 2) interrupt.abort();
  };
  const { signal } = interrupt;
  const past = { build, since, project: repository.root };
  const stopped = backfill(options(repository), past, { ...environment, signal, onProgress });
  await expect(stopped).rejects.toMatchObject({ code: "INTERRUPTED" });
  repository
    .write("url", `${SITE}moss`)
    .write("content/last.txt", "a")
    .commit(BEGINNING + 700);
  const { folder } = await backfill(options(repository), past, environment);
  expect(logOf(folder, SITE).map((line) => line.slice("2023-11-14T22:13:20Z ".length))).toEqual(
    told,
  );
});

test("a second run is refused at once while the first goes on", async () => {
  using repository = createRepository();
  play(repository, [{ notes: { moss: "one" }, layout: "a", at: 10 }]);
  const signs = temporaryFolder();
  onTestFinished(() => removeFolder(signs));
  const waits = `touch ${signs}/waits; while [ ! -e ${signs}/go ]; do sleep 0.05; done`;
  const build = `sh build.sh; [ $(git rev-parse HEAD) = ${repository.head()} ] || { ${waits}; }`;
  const past = { build, project: repository.root };
  const first = backfill(options(repository), past, environment);
  while (!existsSync(join(signs, "waits"))) await setTimeout(20);
  const second = backfill(options(repository), past, environment);
  await expect(second).rejects.toMatchObject({ code: "LOCKED" });
  writeFileSync(join(signs, "go"), "");
  expect(logOf((await first).folder, SITE).length).toBe(3);
  expect(isTidy(repository)).toBe(true);
});

test("a folder that holds no page yet receives the log, once", async () => {
  using repository = createRepository();
  play(repository, [{ notes: { moss: "one" }, layout: "a", at: 10 }]);
  mkdirSync(repository.path("_site"));
  const past = { build: "sh build.sh", project: repository.root };
  expect(logOf((await backfill(options(repository), past, environment)).folder, SITE).length).toBe(
    3,
  );
  const again = backfill(options(repository), past, environment);
  await expect(again).rejects.toMatchObject({ code: "ALREADY_PUBLISHED" });
});

test("what fails is skipped, and named by its error", async () => {
  using repository = createRepository();
  play(repository, [
    { notes: { moss: "one", fail: "!" }, layout: "a", at: 10 },
    { notes: { fail: "", hang: "!" }, layout: "a", at: 20 },
    { notes: { hang: "", index: "", moss: "" }, layout: "a", at: 30 },
  ]);
  const { build, deadline } = ending(() => "sh build.sh");
  const past = { ...BUILD, build, project: repository.root };
  const result = await backfill(options(repository), past, { ...environment, deadline });
  expect(result.past.skipped.map(({ reason }) => reason)).toEqual([
    "cannot read content/fail.txt",
    "it took longer than 600 s",
    "it made no page",
  ]);
  expect(logOf(result.folder, SITE)).toEqual([
    "2023-11-14T22:13:20Z created /",
    "2023-11-14T22:23:20Z deleted /",
  ]);
  expect(result.notes.map(({ code }) => code)).toEqual(["SKIPPED", "FIRST_SEEN"]);
  expect(String(result.notes[0]?.message)).toContain(
    "Let builds take longer with the option timeout",
  );
});

/** A build whose time is up as soon as it says that it hangs, however slow the machine is. */
function ending(command: (signs: string) => string) {
  const signs = temporaryFolder();
  onTestFinished(() => removeFolder(signs));
  const hangs = join(signs, "hangs");
  let look: NodeJS.Timeout | undefined;
  onTestFinished(() => clearInterval(look));
  const deadline = () => {
    const late = new AbortController();
    clearInterval(look);
    look = setInterval(() => {
      if (!existsSync(hangs)) return;
      rmSync(hangs);
      late.abort();
    }, 10);
    return late.signal;
  };
  return { build: `export HANGS=${hangs}; ${command(signs)}`, deadline };
}

test.each([
  ["is late", 'touch "$HANGS"; sleep 3600'],
  ["is killed", "kill -KILL $$"],
  ["has a command that is killed", "sh -c 'kill -TERM $$' || exit $?"],
])("a build that %s is tried once more before its commit is skipped", async (_, end) => {
  using repository = createRepository();
  play(repository, [{ notes: { moss: "one" }, layout: "a", at: 10 }]);
  const { build, deadline } = ending((signs) => {
    const tries = `${signs}/$(git rev-parse HEAD)`;
    return `echo >> ${tries}; if [ $(wc -l < ${tries}) = 1 ]; then ${end}; fi; sh build.sh`;
  });
  const past = { build, project: repository.root };
  const result = await backfill(options(repository), past, { ...environment, deadline });
  expect(result.past.skipped).toEqual([]);
  expect(logOf(result.folder, SITE).length).toBe(3);
});

test("a page behind a gap has no creation; what became of it later is told", async () => {
  using repository = createRepository();
  play(repository, [
    { notes: { moss: "one", fail: "!" }, layout: "a", at: 10 },
    { notes: { index: "away", fail: "" }, layout: "a", at: 20 },
    { notes: { moss: "two", stone: "one" }, layout: "a", at: 30 },
    { notes: { moss: "" }, layout: "a", at: 40 },
    { notes: { moss: "three" }, layout: "a", at: 50 },
  ]);
  const past = { ...BUILD, allowSkipped: false, project: repository.root };
  const result = await backfill(options(repository), past, environment);
  expect(logOf(result.folder, SITE)).toEqual([
    "2023-11-14T22:13:20Z created /",
    "2023-11-14T22:13:40Z updated /",
    "2023-11-14T22:13:50Z updated /moss.html",
    "2023-11-14T22:13:50Z created /stone.html",
    "2023-11-14T22:14:00Z deleted /moss.html",
    "2023-11-14T22:14:10Z created /moss.html",
    "2023-11-14T22:23:20Z created /last.html",
  ]);
});

test("a page that was deleted before the gap, and is there behind it, is told as created", async () => {
  using repository = createRepository();
  play(repository, [
    { notes: { moss: "one" }, layout: "a", at: 10 },
    { notes: { moss: "" }, layout: "a", at: 20 },
    { notes: { fail: "!" }, layout: "a", at: 30 },
    { notes: { moss: "two", fail: "" }, layout: "a", at: 40 },
  ]);
  const past = { ...BUILD, project: repository.root };
  const result = await backfill(options(repository), past, environment);
  expect(logOf(result.folder, SITE).filter((line) => line.endsWith("/moss.html"))).toEqual([
    "2023-11-14T22:13:30Z created /moss.html",
    "2023-11-14T22:13:40Z deleted /moss.html",
    "2023-11-14T22:14:00Z created /moss.html",
  ]);
});

test("behind a gap, a page is as old as its source file, where that is known", async () => {
  using repository = createRepository();
  play(repository, [
    { notes: { moss: "one", fail: "!" }, layout: "a", at: 10 },
    { notes: { moss: "two", fern: "one" }, layout: "a", at: 20 },
    { notes: { stone: "one" }, layout: "a", at: 30 },
    { notes: { fail: "" }, layout: "a", at: 40 },
    { notes: { moss: "three", fern: "" }, layout: "a", at: 50 },
  ]);
  const past = { ...BUILD, project: repository.root };
  const sourceFolder = repository.path("content");
  const result = await backfill({ ...options(repository), sourceFolder }, past, environment);
  expect(logOf(result.folder, SITE)).toEqual([
    "2023-11-14T22:13:20Z created /",
    "2023-11-14T22:13:30Z created /moss.html",
    "2023-11-14T22:13:40Z updated /moss.html",
    "2023-11-14T22:13:50Z created /stone.html",
    "2023-11-14T22:14:10Z deleted /fern.html",
    "2023-11-14T22:14:10Z updated /moss.html",
    "2023-11-14T22:23:20Z created /last.html",
  ]);
  expect(result.notes.map(({ code }) => code)).toEqual(["SKIPPED"]);
  expect(result.collections.map(({ undated }) => undated)).toEqual([[]]);
});

test("a commit that the log begins after must build", async () => {
  using repository = createRepository();
  play(repository, [
    { notes: { fail: "!" }, layout: "a", at: 10 },
    { notes: { fail: "", moss: "one" }, layout: "a", at: 20 },
  ]);
  for (const since of ["HEAD~2", "2023-11-14T22:13:31Z"]) {
    const past = { ...BUILD, project: repository.root, since };
    await expect(backfill(options(repository), past, environment)).rejects.toMatchObject({
      code: "BASELINE_FAILED",
      option: "since",
      message: expect.stringContaining("(cannot read content/fail.txt)"),
    });
  }
  expect(existsSync(repository.path("_site"))).toBe(false);
});

test("more than a third failing: the run stops; again, it tries them anew; with gaps, it goes on", async () => {
  using repository = createRepository();
  const built = join(temporaryFolder(), "built");
  onTestFinished(() => removeFolder(join(built, "..")));
  const act = (fail: string, at: number) => ({ notes: { fail, moss: `${at}` }, layout: "a", at });
  play(repository, [act("", 10), act("!", 20), act("!", 30), act("!", 40), act("", 50)]);
  const build = `git rev-parse HEAD >> ${built}; sh build.sh`;
  const past = { build, project: repository.root };
  const refusal = {
    code: "TOO_MANY_SKIPPED",
    option: "allowSkipped",
    message: expect.stringMatching(/^3 of the 5 oldest commits did not build, .* third of all 7: /),
  };
  await expect(backfill(options(repository), past, environment)).rejects.toMatchObject(refusal);
  expect(existsSync(repository.path("_site"))).toBe(false);
  const older = () => readFileSync(built, "utf8").trim().split("\n").slice(2);
  expect(older().length).toBe(5);
  await expect(backfill(options(repository), past, environment)).rejects.toMatchObject(refusal);
  expect(older().length).toBe(2 * (2 + 5) - 2);
  const allowed = { ...past, allowSkipped: true };
  const result = await backfill(options(repository), allowed, environment);
  expect(result.past.skipped.length).toBe(3);
  expect(older().length).toBe(2 * (2 + 5) - 2 + 2 + 1);
  expect(isTidy(repository)).toBe(true);
});

test("a third failing is no reason to stop", async () => {
  using repository = createRepository();
  play(repository, [{ notes: { fail: "!" }, layout: "a", at: 10 }]);
  const past = { build: "sh build.sh", project: repository.root };
  expect((await backfill(options(repository), past, environment)).past.skipped.length).toBe(1);
});

test("where a package is missing, the advice is to install what each commit needs", async () => {
  using repository = createRepository();
  play(repository, [{ notes: { moss: "one" }, layout: "a", at: 10 }]);
  const build = `${ESSENTIAL} || { echo "Error: Cannot find module 'luxon'"; exit 1; }; sh build.sh`;
  const past = { build, project: repository.root };
  const advice = expect.stringContaining('with the option install: "npm install"');
  const run = (more: object) => backfill(options(repository), { ...past, ...more }, environment);
  await expect(run({})).rejects.toMatchObject({ code: "TOO_MANY_SKIPPED", message: advice });
  await expect(run({ stopOnError: true })).rejects.toMatchObject({ message: advice });
  await expect(run({ since: "HEAD~1" })).rejects.toMatchObject({ message: advice });
  await expect(run({ build: build.replace("last", "none") })).rejects.toMatchObject({
    code: "BUILD_FAILED",
    message: advice,
  });
  const installed = run({ install: "echo", stopOnError: true });
  await expect(installed).rejects.toThrow(/'luxon'\. Without the option/);
  const { notes } = await run({ allowSkipped: true });
  expect(notes.map(({ code, message }) => [code, message])).toContainEqual(["SKIPPED", advice]);
});

/** Fails at each commit but the newest. */
const ESSENTIAL = "[ -e content/last.txt ]";

test("a commit whose hand-over cannot be read is skipped; the newest must hand over what can be", async () => {
  using repository = createRepository();
  const handOver =
    'sh build.sh; if [ -f content/hand.txt ]; then cat content/hand.txt > "$RS_EMIT_BACKFILL"; fi';
  const past = { ...BUILD, build: handOver, project: repository.root };
  play(repository, []);
  for (const [index, hand] of [
    "{",
    '{"folder":3}',
    '{"folder":"/","options":{},"pages":[]}',
  ].entries()) {
    repository.write("content/hand.txt", hand).commit(BEGINNING + 700 + index);
  }
  const failed = backfill(options(repository), past, environment);
  await expect(failed).rejects.toMatchObject({
    code: "BUILD_FAILED",
    message: expect.stringContaining("RS_EMIT_BACKFILL cannot be read"),
  });
  repository.remove("content/hand.txt").commit(BEGINNING + 710);
  const result = await backfill(options(repository), past, environment);
  expect(result.past.skipped.map(({ reason }) => reason)).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining("RS_EMIT_BACKFILL cannot be read")),
  );
  expect(isTidy(repository)).toBe(true);
});

test("a disk that is full stops the run, and no commit is skipped for it", async () => {
  using repository = createRepository();
  play(repository, [{ notes: { moss: "one" }, layout: "a", at: 10 }]);
  const full = join(temporaryFolder(), "full");
  onTestFinished(() => removeFolder(join(full, "..")));
  const build = `${ESSENTIAL} || [ ! -e ${full} ] || { echo "Error: ENOSPC: no space left on device, write"; exit 1; }; sh build.sh`;
  const past = { build, project: repository.root };
  writeFileSync(full, "");
  const stopped = backfill(options(repository), past, environment);
  await expect(stopped).rejects.toMatchObject({ code: "CHECKOUT_FAILED" });
  removeFolder(full);
  const result = await backfill(options(repository), past, environment);
  expect(result.past.skipped).toEqual([]);
  expect(logOf(result.folder, SITE).length).toBe(3);
});

test("--stop-on-error stops at a build that fails; without it, the run goes on from there", async () => {
  using repository = createRepository();
  play(repository, [{ notes: { fail: "!" }, layout: "a", at: 10 }]);
  const past = { build: "sh build.sh", project: repository.root };
  const stopped = backfill(options(repository), { ...past, stopOnError: true }, environment);
  await expect(stopped).rejects.toMatchObject({ code: "BUILD_FAILED" });
  const result = await backfill(options(repository), past, environment);
  expect(result.past.skipped.length).toBe(1);
  expect(isTidy(repository)).toBe(true);
});

test("the newest commit must build", async () => {
  using repository = createRepository();
  play(repository, []);
  repository.write("content/fail.txt", "!").commit(BEGINNING + 700);
  const past = { build: "sh build.sh", project: repository.root };
  const failed = backfill(options(repository), past, environment);
  await expect(failed).rejects.toMatchObject({
    code: "BUILD_FAILED",
    message: expect.stringContaining("cannot read content/fail.txt. Run the build"),
  });
  const away = {
    ...past,
    build: "mkdir -p ../out; ln -s ../out _site; cd _site; echo '<p>' > index.html",
  };
  await expect(backfill(options(repository), away, environment)).rejects.toThrow(
    /it wrote its pages into .*out, outside the checkout\. Run/,
  );
  const empty = backfill(options(repository), { ...past, build: "true" }, environment);
  await expect(empty).rejects.toThrow("it made no page in _site. Run the build");
  expect(isTidy(repository)).toBe(true);
});

test("a page that is different each time tells no update", async () => {
  using repository = createRepository();
  play(repository, [{ notes: { moss: "one" }, layout: "a", at: 10 }]);
  const random = "date +%N > content/dice.txt; date +%N > layout; sh build.sh";
  const past = { build: random, project: repository.root };
  const result = await backfill(options(repository), past, environment);
  expect(result.past.unstable).toEqual([`${SITE}dice.html`]);
  expect(logOf(result.folder, SITE)).toEqual([
    "2023-11-14T22:13:20Z created /",
    "2023-11-14T22:13:20Z created /dice.html",
    "2023-11-14T22:13:30Z created /moss.html",
    "2023-11-14T22:23:20Z created /last.html",
  ]);
});

test("an unstable page hides no minor change of another, be that gone today or not", async () => {
  using repository = createRepository();
  play(repository, [
    { notes: { moss: "one", fern: "one" }, layout: "a", at: 10 },
    { notes: {}, layout: "b", at: 20 },
    { notes: { fern: "" }, layout: "b", at: 30 },
  ]);
  const dice = `sh build.sh; echo "<title>Dice</title><nav>$(date +%N)</nav><main>Dice</main>" > _site/dice.html`;
  const past = { build: dice, project: repository.root };
  const { folder } = await backfill(options(repository), past, environment);
  expect(logOf(folder, SITE).filter((entry) => entry.includes("updated"))).toEqual([
    "2023-11-14T22:13:40Z updated (minor) /",
    "2023-11-14T22:13:40Z updated (minor) /fern.html",
    "2023-11-14T22:13:40Z updated (minor) /moss.html",
  ]);
});

test("where most pages are unstable, the pages that are gone are taken to be, and the run says so", async () => {
  using repository = createRepository();
  play(repository, [
    { notes: { moss: "one", fern: "one" }, layout: "a", at: 10 },
    { notes: { fern: "" }, layout: "a", at: 20 },
  ]);
  const dated = "date +%N > layout; sh build.sh";
  const past = { build: dated, project: repository.root };
  const { folder, notes } = await backfill(options(repository), past, environment);
  expect(logOf(folder, SITE).filter((entry) => entry.includes("updated"))).toEqual([]);
  expect(notes.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^3 pages have other markup each time they are built, .*no minor change of them: .*moss/,
    ),
  ]);
});

test("a list in the order in which files were made is that of a fresh clone", async () => {
  using repository = createRepository();
  const lists = `
const { mkdirSync, readdirSync, statSync, writeFileSync } = require("node:fs");
const made = (name) => statSync("content/" + name).birthtimeMs;
const names = readdirSync("content").sort().sort((one, other) => made(one) - made(other));
mkdirSync("_site", { recursive: true });
writeFileSync("_site/index.html", "<title>T</title><main>" + names + "</main>");
`;
  repository.write(".gitignore", "_site\n").write("list.cjs", lists);
  repository.write("content/a", "1").write("content/b", "1").commit(BEGINNING);
  for (const time of [10, 20, 30]) {
    // More than a tick of the clock by which the file system tells when a file was made.
    repository.write(time === 20 ? "content/b" : "content/a", `${time}`).commit(BEGINNING + time);
  }
  const past = { build: "sleep 0.05; node list.cjs", project: repository.root };
  const result = await backfill(options(repository), past, environment);
  expect(logOf(result.folder, SITE)).toEqual(["2023-11-14T22:13:20Z created /"]);
});

test("commits from before the build are passed over, or told as their folder was committed", async () => {
  using repository = createRepository();
  repository.write("readme", "soon").commit(BEGINNING - 100);
  repository
    .write("_site/index.html", "<title>T</title><main>by hand</main>")
    .commit(BEGINNING - 50);
  repository.remove("_site");
  repository.write("package.json", JSON.stringify({ scripts: { build: "sh build.sh" } }));
  play(repository, []);
  const past = { build: "npm run build", project: repository.root };
  const result = await backfill(options(repository), past, environment);
  expect(result.past.passedOver).toBe(1);
  expect(logOf(result.folder, SITE)).toEqual([
    "2023-11-14T22:12:30Z created /",
    "2023-11-14T22:13:20Z updated /",
    "2023-11-14T22:23:20Z created /last.html",
  ]);
});

test.each([
  ["after a README", "README.md", ["2023-11-14T22:13:20Z created /"]],
  ["elsewhere", "content/index.txt", []],
])("a project that began %s, before it had its folder", async (_, file, created) => {
  using repository = createRepository();
  repository.write(file, "soon").commit(BEGINNING - 100);
  repository.remove(file).write("site/.gitignore", "_site\n");
  repository.write("site/build.sh", BUILDER).write("site/layout", "a");
  repository.write("site/content/index.txt", "home").commit(BEGINNING);
  repository.write("site/content/index.txt", "another home").commit(BEGINNING + 10);
  repository.write("site/content/last.txt", "end").commit(BEGINNING + 20);
  const past = { build: "sh build.sh", project: repository.path("site") };
  const here = { ...options(repository), folder: repository.path("site/_site") };
  const result = await backfill(here, past, environment);
  expect(result.past).toMatchObject({ skipped: [], passedOver: 1 });
  expect(logOf(result.folder, SITE)).toEqual([
    ...created,
    "2023-11-14T22:13:30Z updated /",
    "2023-11-14T22:13:40Z created /last.html",
  ]);
});

test("pages of another builder's time are no creations of this one", async () => {
  using repository = createRepository();
  repository.write("README.md", "Soon").write("_config.yml", "title: T");
  repository.write("_posts/moss.md", "Moss").commit(BEGINNING - 100);
  repository.remove("_posts").remove("_config.yml");
  repository.write("package.json", JSON.stringify({ scripts: { build: "sh build.sh" } }));
  play(repository, []);
  const past = { build: "npm run build", project: repository.root };
  const result = await backfill(options(repository), past, environment);
  expect(result.past.passedOver).toBe(1);
  expect(logOf(result.folder, SITE)).toEqual(["2023-11-14T22:23:20Z created /last.html"]);
  expect(result.collections.map(({ undated }) => undated)).toEqual([[SITE]]);
  expect(result.notes.map(({ code }) => code)).toEqual(["FIRST_SEEN", "PASSED_OVER"]);
});

test("a build has its own environment, and ends with all that it started", async () => {
  using repository = createRepository();
  const seen = join(temporaryFolder(), "seen");
  onTestFinished(() => removeFolder(join(seen, "..")));
  play(repository, []);
  const script = `
    sleep 30 & echo $! >> ${seen}
    env | grep -E '^(CI|GIT_|SOURCE_DATE_EPOCH|RS_EMIT_BACKFILL)' >> ${seen}
    read line || echo no input >> ${seen}
    sh build.sh
  `;
  writeFileSync(seen, "");
  process.env.GIT_DIR = "/nowhere";
  onTestFinished(() => void delete process.env.GIT_DIR);
  await backfill(options(repository), { build: script, project: repository.root }, environment);
  const lines = readFileSync(seen, "utf8").trim().split("\n");
  expect(new Set(lines.filter((line) => /^(?:CI|SOURCE)|no/.test(line)))).toEqual(
    new Set([
      "CI=1",
      "no input",
      `SOURCE_DATE_EPOCH=${BEGINNING}`,
      `SOURCE_DATE_EPOCH=${BEGINNING + 600}`,
    ]),
  );
  expect(lines.filter((line) => /^GIT_(?!CEILING_DIRECTORIES=)/.test(line))).toEqual([]);
  const left = lines.filter((line) => /^\d+$/.test(line) && isAlive(Number(line)));
  expect(left).toEqual([]);
});

/** A process that ended, and that nobody has waited for yet, is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", `${pid}`], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}
