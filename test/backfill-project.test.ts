import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { backfill } from "@rs-emit/core/backfill";
import { expect, onTestFinished, test } from "vitest";
import {
  createRepository,
  removeFolder,
  type TestRepository,
  temporaryFolder,
} from "../packages/core/test/support/repository.ts";
import { logOf } from "../packages/core/test/support/site.ts";
import { isTidy, projectOf } from "./backfill/author.ts";
import { BEGINNING, play } from "./backfill/builder.ts";
import { QUICK_DISK } from "./model/documents.ts";

const SITE = "https://moss.example/";
const environment = { clock: () => BEGINNING + 10_000, fileSystem: QUICK_DISK };
const LOG = [
  "2023-11-14T22:13:20Z created /",
  "2023-11-14T22:13:30Z created /moss.html",
  "2023-11-14T22:23:20Z created /last.html",
];

function notes(): TestRepository {
  const repository = createRepository();
  play(repository, [{ notes: { moss: "one" }, layout: "a", at: 10 }]);
  return repository;
}

function tell(repository: TestRepository, past: Parameters<typeof backfill>[1] = {}) {
  const options = {
    folder: repository.path("_site"),
    url: SITE,
    previous: "output",
    news: "content",
  } as const;
  const build = "sh build.sh";
  return backfill(options, { build, project: repository.root, ...past }, environment);
}

function folder(): string {
  const path = temporaryFolder();
  onTestFinished(() => removeFolder(path));
  return path;
}

test("the author's edits, index, stash, hooks and other worktrees stay as they are", async () => {
  using repository = notes();
  repository.write("content/index.txt", "stashed").git("stash", "--quiet");
  repository.write("content/index.txt", "staged").git("add", "--all");
  repository.write("content/index.txt", "edited").write("content/new.txt", "untracked");
  using other = repository.worktree("other");
  // A working tree whose folder is not mounted today: git worktree prune would forget it.
  const away = repository.worktree("away");
  away[Symbol.dispose]();
  const ran = join(folder(), "ran");
  for (const hook of [
    "post-checkout",
    "post-commit",
    "reference-transaction",
    "post-index-change",
  ]) {
    repository.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> ${ran}\n`);
    repository.chmod(`.git/hooks/${hook}`, 0o755);
  }
  const before = [projectOf(repository), projectOf(other)];
  await tell(repository);
  expect(logOf(repository.path("_site"), SITE)).toEqual(LOG);
  const isSite = (file: string) => file.startsWith("_site/");
  expect([projectOf(repository, isSite), projectOf(other)]).toEqual(before);
  expect(existsSync(ran)).toBe(false);
});

test("in a sparse clone, commits are complete", async () => {
  using origin = notes();
  using sparse = origin.clone("--sparse");
  sparse.git("sparse-checkout", "set", "nothing");
  expect(existsSync(sparse.path("content"))).toBe(false);
  const before = projectOf(sparse);
  await tell(sparse);
  expect(logOf(sparse.path("_site"), SITE)).toEqual(LOG);
  expect(projectOf(sparse, (file) => file.startsWith("_site/"))).toEqual(before);
});

test("submodules are there when a commit is built", async () => {
  using theme = createRepository();
  theme.write("note.txt", "<body>from the theme").commit(BEGINNING - 10);
  using repository = notes();
  repository.submodule(theme, "theme");
  repository.commit(BEGINNING + 700);
  const settings = process.env.XDG_CONFIG_HOME;
  process.env.XDG_CONFIG_HOME = folder();
  onTestFinished(() => restore(settings));
  mkdirSync(join(process.env.XDG_CONFIG_HOME, "git"));
  writeFileSync(
    join(process.env.XDG_CONFIG_HOME, "git/config"),
    '[protocol "file"]\n\tallow = always\n',
  );
  const build = "sh build.sh; cp theme/note.txt _site/theme.html; true";
  const result = await tell(repository, { build });
  expect(logOf(result.folder, SITE)).toEqual([...LOG, "2023-11-14T22:25:00Z created /theme.html"]);
  expect(isTidy(repository)).toBe(true);
});

function restore(settings: string | undefined): void {
  if (settings === undefined) delete process.env.XDG_CONFIG_HOME;
  else process.env.XDG_CONFIG_HOME = settings;
}

test("what a killed run left is removed by the next; what a living one uses stays", async () => {
  using repository = notes();
  const work = folder();
  const dead = spawnSync("true").pid;
  const name = (pid: number) =>
    `rs-emit-backfill-${hostname().replaceAll(/[^\w.]/g, "_")}-${pid}-x1`;
  for (const pid of [dead, process.ppid]) {
    mkdirSync(join(work, name(pid), "tree-1/.git"), { recursive: true });
  }
  // Not a folder of ours, whatever it is called.
  symlinkSync(repository.path("content"), join(work, name(dead).replace("x1", "x2")));
  await tell(repository, { work });
  expect(readdirSync(work)).toEqual([name(process.ppid)]);
  expect(existsSync(repository.path("content/index.txt"))).toBe(true);
});

test.each([
  ["checks out a branch", "git checkout --quiet --ignore-other-worktrees other"],
  ["leaves locks", 'touch "$(git rev-parse --git-dir)"/{index,HEAD}.lock'],
  [
    "stashes, and drops what is stashed",
    "date > content/index.txt; git stash --quiet; git stash clear",
  ],
  ["tags and branches", "git tag mark; git branch --force other; git branch new; git tag -d old"],
  [
    "commits to the branch",
    "git checkout --quiet -B main; git -c user.name=x -c user.email=x commit --quiet --allow-empty -m x",
  ],
  ["sets a hook", 'echo exit 1 > "$(git rev-parse --git-path hooks)/pre-commit"'],
  ["changes settings", "git config core.bare true; git config --add user.name Build"],
  ["pushes", "git push --quiet --force --all; git push --quiet origin HEAD:refs/heads/other"],
  [
    "tidies up",
    "git worktree prune; git gc --quiet --prune=now; git reflog expire --expire=now --all",
  ],
  ["removes .git", "rm -rf .git; git stash clear; git tag mark"],
  ["begins a repository", "rm -rf .git; git init --quiet"],
])("a build that %s changes neither other commits nor the author's own", async (_, act) => {
  using repository = notes();
  repository.git("branch", "other", "HEAD~1");
  repository.git("tag", "old");
  repository.write("content/index.txt", "stashed").git("stash", "--quiet");
  repository.git("config", "user.email", "author@moss.example");
  repository.write(".git/info/exclude", "work\n").write("content/index.txt", "edited");
  const before = projectOf(repository);
  const build = `sh build.sh; bash -c '${act}'; true`;
  const { folder, past } = await tell(repository, { build, work: repository.path("work") });
  expect(logOf(folder, SITE)).toEqual(LOG);
  expect(past.skipped).toEqual([]);
  expect(projectOf(repository, (file) => file.startsWith("_site/"))).toEqual(before);
  expect(isTidy(repository)).toBe(true);
});

test("each build has a repository of its own, with the author's tags, and no remote", async () => {
  using origin = notes();
  using repository = origin.clone();
  repository.git("tag", "v1", "HEAD~1");
  const say = 'echo "<body>$(git tag) $(git remote) $(git branch --list made) $(git stash list)"';
  const act = "git branch made; date > made.txt; git stash --quiet --include-untracked";
  const build = `sh build.sh; ${say} > _site/git.html; ${act}; true`;
  const result = await tell(repository, { build });
  expect(logOf(result.folder, SITE)).toEqual(
    [...LOG, "2023-11-14T22:13:20Z created /git.html"].sort(),
  );
  expect(repository.git("show-ref", "--heads", "--tags").split("\n")).toHaveLength(2);
});

test("in a partial clone, all that the commits hold is fetched once", async () => {
  using origin = notes();
  origin.git("config", "uploadpack.allowFilter", "true");
  origin.git("config", "uploadpack.allowAnySHA1InWant", "true");
  using partial = origin.clone("--filter=blob:none", "--no-checkout");
  const packs = () => Number(/packs: (\d+)/.exec(partial.git("count-objects", "-v"))?.[1]);
  const before = packs();
  await tell(partial);
  expect(logOf(partial.path("_site"), SITE)).toEqual(LOG);
  expect(packs()).toBe(before + 1);
  expect(partial.git("rev-list", "--objects", "--missing=print", "HEAD")).not.toMatch(/^\?/m);
});

test("of a committed folder in a partial clone, the versions of pages are fetched; it stops where none has them", async () => {
  using origin = createRepository();
  for (const [at, text] of ["home", "one", "two"].entries()) {
    origin.write("_site/index.html", `<title>T</title><main>${text}</main>`);
    origin.write("data.bin", text).commit(BEGINNING + at);
  }
  origin.git("config", "uploadpack.allowFilter", "true");
  origin.git("config", "uploadpack.allowAnySHA1InWant", "true");
  const missing = (clone: TestRepository) =>
    clone.git("rev-list", "--objects", "--missing=print", "HEAD").match(/^\?.*/gm) ?? [];
  const past = (clone: TestRepository) => ({ build: undefined, project: clone.root });
  using whole = origin.clone();
  const told = logOf((await tell(whole, past(whole))).folder, SITE);
  expect(told).toHaveLength(3);
  using cut = origin.clone("--filter=blob:none");
  cut.git("remote", "set-url", "origin", cut.path("nowhere"));
  await expect(tell(cut, past(cut))).rejects.toMatchObject({
    code: "MISSING_VERSIONS",
    option: "allowSkipped",
  });
  const { folder } = await tell(cut, { ...past(cut), allowSkipped: true });
  expect(logOf(folder, SITE)).toEqual(told);
  using partial = origin.clone("--filter=blob:none");
  expect(logOf((await tell(partial, past(partial))).folder, SITE)).toEqual(told);
  // Two versions of a file that is no page.
  expect(missing(partial)).toHaveLength(2);
});

test("what the author's repository says of files is so in each build", async () => {
  using repository = notes();
  repository.write(".gitattributes", "content/* filter=loud").commit(BEGINNING + 700);
  repository.git("config", "filter.loud.smudge", "tr a-z A-Z");
  const build =
    'sh build.sh; grep -q ONE content/moss.txt && echo "<body>" > _site/loud.html; true';
  const result = await tell(repository, { build });
  expect(logOf(result.folder, SITE)).toContain("2023-11-14T22:25:00Z created /loud.html");
});

test("a temporary folder that is swept meanwhile stops the run, which goes on later", async () => {
  using repository = notes();
  const work = folder();
  const sweep = `[ -e content/last.txt ] || rm -rf ${work}/*/tree-1/_site`;
  const stopped = tell(repository, { work, build: `sh build.sh; ${sweep}` });
  await expect(stopped).rejects.toMatchObject({ code: "WORK_FOLDER", option: "work" });
  expect(logOf((await tell(repository)).folder, SITE)).toEqual(LOG);
});

test("a process that escapes from a build, and goes on to write, stops nothing", async () => {
  using repository = notes();
  const signs = folder();
  const write = `while [ -e ${signs}/go ]; do mkdir -p "$PWD/a"; : > "$PWD/a/b"; done 2> /dev/null`;
  const escaping = `(setsid sh -c '${write}' > /dev/null &)`;
  const waiting = "until [ -e a/b ]; do sleep 0.01; done";
  const build = `sh build.sh; touch ${signs}/go; ${escaping}; ${waiting}`;
  const result = await tell(repository, { build });
  expect(logOf(result.folder, SITE)).toEqual(LOG);
  expect(result.past.skipped).toEqual([]);
  expect(isTidy(repository)).toBe(true);
});

test.each(["sh build.sh", undefined])(
  "with the build %s, a commit that git cannot read stops the run, which goes on later",
  async (build) => {
    using repository = createRepository();
    const act = (moss: string, at: number) => ({ notes: { moss }, layout: "a", at });
    if (build !== undefined) play(repository, [act("one", 10), act("two", 20)]);
    else {
      for (const [at, text] of ["home", "one", "two", "three"].entries()) {
        repository.write("_site/index.html", `<title>T</title><main>${text}</main>`);
        repository.commit(BEGINNING + at);
      }
    }
    const past = { build, project: repository.root };
    const page = build === undefined ? "_site/index.html" : "content/moss.txt";
    const blob = repository.blob(page, "HEAD~2");
    const object = repository.path(".git/objects", blob.slice(0, 2), blob.slice(2));
    renameSync(object, `${object}.away`);
    const refused =
      build === undefined
        ? { code: "GIT_FAILED", reason: `${blob} is missing` }
        : { code: "CHECKOUT_FAILED", option: "allowSkipped" };
    await expect(tell(repository, past)).rejects.toMatchObject(refused);
    renameSync(`${object}.away`, object);
    const { folder } = await tell(repository, past);
    expect(logOf(folder, SITE).length).toBe(4);
    expect(isTidy(repository)).toBe(true);
  },
);

test("files that git ignores are carried along where they are asked for", async () => {
  using repository = notes();
  repository.write(".env", "SECRET=moss");
  repository.git("config", "core.excludesFile", repository.path("excluded"));
  repository.write("excluded", ".env\nexcluded\n");
  const build = '. ./.env; sh build.sh; echo "<body>$SECRET" > _site/env.html';
  const skipped = await tell(repository, { build, carry: [".env"] });
  expect(logOf(skipped.folder, SITE)).toContain("2023-11-14T22:13:20Z created /env.html");
});

/** A project with a package, a scope, a cache, and a package of its own workspace. */
function withModules(): TestRepository {
  const repository = createRepository();
  repository.write(".gitignore", "_site\nnode_modules\n");
  repository.write("packages/own/index.cjs", "module.exports = 'own one';");
  const build = `
    const { mkdirSync, writeFileSync } = require("node:fs");
    mkdirSync("_site", { recursive: true });
    mkdirSync("node_modules/.cache", { recursive: true });
    writeFileSync("node_modules/.cache/spoiled", "");
    writeFileSync("node_modules/written", "");
    writeFileSync("_site/index.html", "<body><main>" + [require("plain"), require("@scope/a"), require("own")] + "</main>");
  `;
  repository.write("build.cjs", build).commit(BEGINNING);
  repository.write("packages/own/index.cjs", "module.exports = 'own two';").commit(BEGINNING + 10);
  repository.write("node_modules/plain/index.js", "module.exports = 'plain';");
  repository.write("node_modules/@scope/a/index.js", "module.exports = 'scoped';");
  repository.write("node_modules/.cache/kept", "kept");
  symlinkSync("../packages/own", repository.path("node_modules/own"));
  repository.write("packages/own/package.json", '{"main":"index.cjs"}');
  return repository;
}

test("packages are linked one by one, those of the workspace into the checkout", async () => {
  using repository = withModules();
  repository.remove("packages/own/package.json");
  repository.write("packages/own/index.js", "module.exports = 'not committed';");
  repository.remove("packages/own/index.js");
  const before = projectOf(repository);
  const build = "cp packages/own/index.cjs packages/own/index.js && node build.cjs";
  const result = await tell(repository, { build });
  expect(logOf(result.folder, SITE)).toEqual([
    "2023-11-14T22:13:20Z created /",
    "2023-11-14T22:13:30Z updated /",
  ]);
  expect(projectOf(repository, (file) => file.startsWith("_site/"))).toEqual(before);
});

test("an install that empties node_modules leaves the author's whole", async () => {
  using repository = withModules();
  repository.write("packages/own/index.js", "module.exports = 'own';");
  const manifest = { name: "site", version: "1.0.0", dependencies: {} };
  const lock = { name: "site", version: "1.0.0", lockfileVersion: 3, packages: { "": manifest } };
  repository.write("package.json", JSON.stringify(manifest));
  repository.write("package-lock.json", JSON.stringify(lock));
  repository.write(
    "build.sh",
    "mkdir -p _site; (echo '<body>'; ls node_modules) > _site/index.html; true",
  );
  repository.commit(BEGINNING + 20);
  repository.write("build.sh", "mkdir -p _site; (echo '<body>'; ls -a) > _site/index.html; true");
  repository.commit(BEGINNING + 30);
  const before = projectOf(repository);
  const build = "npm ci --offline --no-audit --no-fund && sh build.sh";
  const result = await tell(repository, { build, allowSkipped: true });
  expect(result.past.skipped.map(({ subject }) => subject)).toEqual(["Edit", "Edit"]);
  expect(projectOf(repository, (file) => file.startsWith("_site/"))).toEqual(before);
  expect(lstatSync(repository.path("node_modules/own")).isSymbolicLink()).toBe(true);
});
