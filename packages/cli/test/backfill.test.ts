import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMAND, rsEmit } from "./support/command.ts";
import {
  commitAll,
  contentsOf,
  folderOf,
  git,
  page,
  temporaryFolder,
  write,
} from "./support/folder.ts";
import { host, serve } from "./support/host.ts";
import { Terminal } from "./support/terminal.ts";

const URL_OF_SITE = "https://example.org/";

/** A project whose pages stand in `public`, in two commits. */
function handmade(): string {
  const folder = folderOf({ "public/index.html": page("Home") });
  commitAll(folder);
  write(folder, { "public/moss.html": page("Moss") });
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "Add moss");
  return folder;
}

/** A project whose pages are built into `_site`. */
function built(build: string): string {
  const folder = folderOf({
    ".gitignore": "_site\n",
    "notes/index.html": page("Home"),
    "notes/moss/index.html": page("Moss"),
    "package.json": JSON.stringify({ scripts: { build } }),
  });
  commitAll(folder);
  write(folder, { "notes/moss/index.html": page("Moss", "Green") });
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "Edit moss");
  return folder;
}

/** The log as the command tells it in JSON: `updated /moss/`. */
function told(stdout: string): string[] {
  const { collections } = JSON.parse(stdout);
  return collections.flatMap(({ changes }: { changes: { kind: string; url: string }[] }) =>
    changes.map(({ kind, url }) => `${kind} ${url}`),
  );
}

test("a committed folder in one command", async () => {
  const cwd = handmade();
  const args = ["backfill", "public", "--url", URL_OF_SITE, "--previous", "output"];
  const { exit, stdout, stderr } = await rsEmit(args, { cwd });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(stdout).toContain("2 pages, 2 changes since 5 October 2026");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("is written. 2 of 2 commits read.");
  const line = stdout.replaceAll(/\s+/g, " ");
  expect(line).toContain(`After each edit, run npx rs-emit public --url ${URL_OF_SITE} (or build,`);
  const again = await rsEmit([...args, "--json"], { cwd });
  expect(again.exit).toBe(1);
  expect(JSON.parse(again.stdout).error.code).toBe("ALREADY_PUBLISHED");
});

test("a folder without a page at its top is published as its refusal says", async () => {
  const cwd = folderOf({ "notes/moss/index.html": page("Moss") });
  commitAll(cwd);
  write(cwd, { "notes/moss/index.html": page("Moss", "Green") });
  git(cwd, "commit", "--quiet", "--all", "--message", "Edit moss");
  const args = ["backfill", ".", "--url", URL_OF_SITE, "--previous", "output"];
  const refused = await rsEmit(args, { cwd });
  expect(refused.exit).toBe(1);
  expect(refused.stderr).toContain("--any-folder");
  const { exit, stdout } = await rsEmit([...args, "--any-folder"], { cwd });
  expect(exit).toBe(0);
  expect(stdout).toContain("1 page, 2 changes since");
});

test("Ctrl-C at a question ends the run in order", async () => {
  const cwd = folderOf({ "notes/moss/index.html": page("Moss") });
  commitAll(cwd);
  write(cwd, { "notes/moss/index.html": page("Moss", "Green") });
  git(cwd, "commit", "--quiet", "--all", "--message", "Edit moss");
  const terminal = new Terminal();
  terminal.stdin.write("\u0003");
  const args = ["backfill", cwd, "--url", URL_OF_SITE, "--previous", "output"];
  const { exit, stderr } = await terminal.run(args);
  expect(exit).toBe(130);
  expect(stderr).toContain("The backfill was interrupted. Run the same command again");
  expect(git(cwd, "worktree", "list").trim().split("\n")).toHaveLength(1);
});

test("its JSON tells of the past, and of what the next run would report", async () => {
  const cwd = handmade();
  write(cwd, { "public/draft.html": page("Draft") });
  const args = ["backfill", "public", "--url", URL_OF_SITE, "--previous", "output", "--json"];
  const result = JSON.parse((await rsEmit(args, { cwd })).stdout);
  expect(result.past).toEqual({ commits: 2, skipped: [], passedOver: 0, unstable: [] });
  expect(result.next).toMatchObject([{ kind: "created", url: `${URL_OF_SITE}draft.html` }]);
});

test("a dry run says nothing of the next run", async () => {
  const args = ["backfill", "public", "--url", URL_OF_SITE, "--previous", "output", "--dry-run"];
  const { exit, stdout } = await rsEmit(args, { cwd: handmade() });
  expect(exit).toBe(0);
  expect(stdout).toContain("A dry run");
  expect(stdout).not.toContain("No page stands");
  expect(stdout).not.toContain("next run");
});

test("a script that ends with rs-emit hands over its options, and publishes nothing", async () => {
  const publish = `node ${COMMAND} _site --url ${URL_OF_SITE} --test-address --previous output --exclude index.html`;
  const cwd = built(`cp -r notes _site && ${publish}`);
  const args = ["backfill", "_site", "--build", "npm run build", "--json"];
  const { exit, stdout } = await rsEmit(args, { cwd });
  expect(exit).toBe(0);
  expect(told(stdout)).toEqual([`created ${URL_OF_SITE}moss/`, `updated ${URL_OF_SITE}moss/`]);
});

test("commits that do not build are counted in the headline, and many of them stop the run", async () => {
  const cwd = built(
    "[ -e fail ] && echo 'Error: Cannot find module x' && exit 1; cp -r notes _site",
  );
  for (const [day, file] of ["fail", "notes/stone.html", "notes/fern.html"].entries()) {
    write(cwd, { [file]: page("Stone") });
    if (day === 2) rmSync(join(cwd, "fail"));
    git(cwd, "add", "--all");
    git(cwd, "commit", "--quiet", "--message", "Edit");
  }
  const args = ["backfill", "_site", "--url", URL_OF_SITE, "--previous", "output"];
  const build = ["--build", "npm run build"];
  const refused = await rsEmit([...args, ...build], { cwd });
  const words = refused.stderr.replaceAll(/\s+/g, " ");
  expect(refused.exit).toBe(1);
  expect(words).toContain("2 of the 4 oldest commits did not build");
  expect(words).toContain('--install "npm install"');
  expect(words).toContain("with the option --allow-skipped");
  const { exit, stdout } = await rsEmit([...args, ...build, "--allow-skipped"], { cwd });
  expect(exit).toBe(0);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("3 of 5 commits built.");
});

test("a build that empties the folder: the log is read from a copy", async () => {
  const cwd = built("rm -rf _site && cp -r notes _site");
  const site = ["_site", "--url", URL_OF_SITE, "--previous"];
  const args = ["backfill", ...site, "output", "--build", "npm run build"];
  const { stdout } = await rsEmit(args, { cwd });
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("from the copy (--previous <copy>).");
  const log = readFileSync(join(cwd, "_site/changelist/2026-10.xml"), "utf8");
  cpSync(join(cwd, "_site"), join(cwd, "copy"), { recursive: true });
  rmSync(join(cwd, "_site"), { recursive: true });
  cpSync(join(cwd, "notes"), join(cwd, "_site"), { recursive: true });
  expect((await rsEmit([...site, "copy"], { cwd })).exit).toBe(0);
  expect(readFileSync(join(cwd, "_site/changelist/2026-10.xml"), "utf8")).toBe(log);
});

test("its examples name the backfill, not the publication that would keep it from being told", async () => {
  const { exit, stderr } = await rsEmit(["backfill"], { cwd: handmade() });
  expect(exit).toBe(2);
  expect(stderr).toContain("rs-emit backfill public --url");
});

test("mistakes are told before anything runs", async () => {
  const cwd = handmade();
  const base = ["backfill", "public", "--url", URL_OF_SITE];
  for (const [args, words] of [
    [["--jobs", "many"], "option --jobs"],
    [["--timeout", "soon"], "option --timeout"],
    [["--install", "npm ci"], "option --install"],
    [["--jobs", "4"], "where nothing is built"],
    [["--stop-on-error"], "where nothing is built"],
    [["--every", "week"], "option --every"],
    [["--jobs", "1.5"], "a whole number"],
    [["--timeout", "9999999h"], "no longer than 500 hours"],
    [["--previous", "none"], "proof that nothing was published"],
    [["--brunch", "x"], "Unknown option '--brunch'"],
  ] as const) {
    const { exit, stderr } = await rsEmit([...base, ...args], { cwd });
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(words) });
  }
});

test("the help warns of old build scripts", async () => {
  const { exit, stdout } = await rsEmit(["backfill", "--help"]);
  expect(exit).toBe(0);
  expect(stdout).toContain("the build scripts of old commits run on this machine");
  expect((await rsEmit(["--help"])).stdout).toMatch(/rs-emit backfill .*publish the exact past/);
});

test("one CI job backfills, builds and deploys; the next one goes on", async () => {
  const live = temporaryFolder();
  const url = await host(serve(live));
  const author = built("cp -r notes/. _site");
  const build = "mkdir -p _site && npm run build";
  const clone = () => {
    const folder = join(temporaryFolder(), "clone");
    git(author, "clone", "--quiet", author, folder);
    return folder;
  };
  const publish = ["_site", "--url", url, "--previous", "site", "--json"];
  const first = clone();
  const backfill = ["backfill", ...publish, "--build", build];
  const run = await rsEmit(backfill, { cwd: first });
  expect(told(run.stdout)).toEqual([
    `created ${url}`,
    `created ${url}moss/`,
    `updated ${url}moss/`,
  ]);
  cpSync(join(first, "notes"), join(first, "_site"), { recursive: true });
  const next = await rsEmit(publish, { cwd: first });
  // A run that has the pages knows their language.
  expect(JSON.parse(next.stdout).rewritten).toEqual(["about.xml"]);
  cpSync(join(first, "_site"), live, { recursive: true });
  const documents = contentsOf(live);

  write(author, { "notes/stone.html": page("Stone") });
  git(author, "add", "--all");
  git(author, "commit", "--quiet", "--message", "Add stone");
  const second = clone();
  cpSync(join(second, "notes"), join(second, "_site"), { recursive: true });
  expect(told((await rsEmit(publish, { cwd: second })).stdout)).toEqual([
    `created ${url}stone.html`,
  ]);
  const refused = await rsEmit(backfill, { cwd: clone() });
  expect(JSON.parse(refused.stdout).error.code).toBe("ALREADY_PUBLISHED");
  expect(contentsOf(live)).toEqual(documents);
});

test("the job in docs/backfill.md backfills first, then builds, then deploys", () => {
  const readme = readFileSync(new URL("../../../docs/backfill.md", import.meta.url), "utf8");
  const job = /```yaml\n([\s\S]*?rs-emit backfill[\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const steps = [
    "fetch-depth: 0",
    "npm ci",
    'rs-emit backfill _site --build "npm run build"',
    "cp -r _site ../published",
    "run: npm run build",
    "rs-emit _site --previous ../published",
    "deploy-pages",
  ];
  const places = steps.map((step) => job.indexOf(step));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
  expect(job).toContain("workflow_dispatch");
  expect(job).toContain("include-hidden-files: true");
});
