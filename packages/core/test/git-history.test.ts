import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startLog } from "../src/git/log.ts";
import { historyOf, inShort, open } from "./support/history.ts";
import { createRepository, runGit } from "./support/repository.ts";

describe("history", () => {
  test("is empty in a repository without commits", async () => {
    using site = createRepository();
    expect(await historyOf(site.root)).toEqual([]);
  });

  test("tells what each commit did, at the time it was committed", async () => {
    using site = createRepository();
    const first = site.write("a.md", "1").write("b.md", "1").commit(10, "First\n\nMore words");
    const second = site.write("a.md", "2").remove("b.md").commit(20, "Second");
    expect(await historyOf(site.root)).toEqual([
      {
        id: first,
        time: 10,
        subject: "First",
        boundary: false,
        changes: [
          { path: "a.md", kind: "added", blob: site.blob("a.md", first), previous: "" },
          { path: "b.md", kind: "added", blob: site.blob("b.md", first), previous: "" },
        ],
      },
      {
        id: second,
        time: 20,
        subject: "Second",
        boundary: false,
        changes: [
          {
            path: "a.md",
            kind: "modified",
            blob: site.blob("a.md"),
            previous: site.blob("a.md", first),
          },
          { path: "b.md", kind: "removed", blob: "", previous: site.blob("b.md", first) },
        ],
      },
    ]);
  });

  test("comes newest first when asked, and without subjects unless asked", async () => {
    using site = createRepository();
    site.write("a", "1").commit(10);
    site.write("a", "2").commit(20);
    const history = await historyOf(site.root, { order: "newest", subjects: false });
    expect(inShort(history)).toEqual(["20 undefined: ~a", "10 undefined: +a"]);
  });

  test("shows a commit without changes, and one without words", async () => {
    using site = createRepository();
    site.commit(10, "Nothing");
    site.write("a").commit(20, "");
    site.commit(30, "Nothing again");
    expect(inShort(await historyOf(site.root))).toEqual([
      "10 Nothing:",
      "20 : +a",
      "30 Nothing again:",
    ]);
  });

  test("keeps the order of commits when the clock goes back", async () => {
    using site = createRepository();
    site.write("a").commit(300, "One");
    site.write("b").commit(100, "Two");
    site.write("c").commit(200, "Three");
    expect(inShort(await historyOf(site.root))).toEqual([
      "300 One: +a",
      "100 Two: +b",
      "200 Three: +c",
    ]);
  });

  test("is that of the commit checked out, detached or not", async () => {
    using site = createRepository();
    const first = site.write("a").commit(10, "One");
    site.write("b").commit(20, "Two");
    site.checkout(first);
    expect(inShort(await historyOf(site.root))).toEqual(["10 One: +a"]);
  });

  test("is each working tree's own", async () => {
    using site = createRepository();
    site.write("a").commit(10, "One");
    using draft = site.worktree("draft");
    draft.write("b").commit(20, "Two");
    expect(inShort(await historyOf(site.root))).toEqual(["10 One: +a"]);
    expect(inShort(await historyOf(draft.root))).toEqual(["10 One: +a", "20 Two: +b"]);
  });

  test("starts from several roots where histories were joined", async () => {
    using site = createRepository();
    site.write("a").commit(10, "One");
    site.git("checkout", "--quiet", "--orphan", "other");
    site.git("rm", "-rfq", ".");
    site.write("b").commit(20, "Other");
    site.checkout("main");
    runGit(site.root, ["merge", "-q", "--allow-unrelated-histories", "-m", "Join", "other"], 30);
    expect(inShort(await historyOf(site.root))).toEqual(["10 One: +a", "30 Join: +b"]);
  });
});

describe("a merge", () => {
  test("is the moment its pages landed", async () => {
    using site = createRepository();
    site.write("a").commit(10, "Start");
    site.branch("draft").write("b").commit(20, "Draft");
    site.write("b", "better").commit(30, "Better");
    site.checkout("main").write("a", "edit").commit(40, "Edit");
    site.merge("draft", 50, "Publish");
    expect(inShort(await historyOf(site.root))).toEqual([
      "10 Start: +a",
      "40 Edit: ~a",
      "50 Publish: +b",
    ]);
  });

  test("of many branches is one moment, too", async () => {
    using site = createRepository();
    site.write("a").commit(10, "Start");
    for (const name of ["b", "c", "d"]) {
      site.branch(name, "main").write(name).commit(20, name);
    }
    site.checkout("main").merge(["b", "c", "d"], 30, "Octopus");
    expect(inShort(await historyOf(site.root))).toEqual(["10 Start: +a", "30 Octopus: +b +c +d"]);
  });

  test("that changed nothing is there, with nothing", async () => {
    using site = createRepository();
    site.write("a").commit(10, "Start");
    site.branch("draft").write("b").commit(20, "Draft");
    site.checkout("main");
    runGit(site.root, ["merge", "--quiet", "--no-ff", "-s", "ours", "-m", "Ours", "draft"], 30);
    expect(inShort(await historyOf(site.root))).toEqual(["10 Start: +a", "30 Ours:"]);
  });
});

describe("what counts as a change of a file", () => {
  test("a move is a removal and an addition", async () => {
    using site = createRepository();
    site.write("a", "the same words".repeat(99)).commit(10, "Start");
    site.move("a", "deep/b").commit(20, "Move");
    expect(inShort(await historyOf(site.root))).toEqual(["10 Start: +a", "20 Move: -a +deep/b"]);
  });

  test("a change of mode is nothing, unless the contents changed with it", async () => {
    using site = createRepository();
    site.write("a").write("b").commit(10, "Start");
    site.chmod("a", 0o755).chmod("b", 0o755).write("b", "2").commit(20, "Run");
    expect(inShort(await historyOf(site.root))).toEqual(["10 Start: +a +b", "20 Run: ~b"]);
  });

  test("a link is no file: becoming one removes a file, becoming a file adds one", async () => {
    using site = createRepository();
    site.write("a").commit(10, "File");
    site.remove("a");
    symlinkSync("elsewhere", site.path("a"));
    site.commit(20, "Link");
    site.remove("a");
    symlinkSync("nowhere", site.path("a"));
    site.commit(30, "Other link");
    site.remove("a").write("a", "2").commit(40, "File again");
    expect(inShort(await historyOf(site.root))).toEqual([
      "10 File: +a",
      "20 Link: -a",
      "30 Other link:",
      "40 File again: +a",
    ]);
  });

  test("a submodule is no file, whatever it does", async () => {
    using theme = createRepository();
    theme.write("style").commit(10);
    using site = createRepository();
    site.write("a").write("theme").commit(20, "Start");
    site.remove("theme").git("rm", "-q", "--cached", "theme");
    const inside = site.submodule(theme, "theme");
    site.commit(30, "Submodule");
    inside.write("style", "2").commit(40);
    site.commit(50, "New style");
    expect(inShort(await historyOf(site.root))).toEqual([
      "20 Start: +a +theme",
      "30 Submodule: +.gitmodules -theme",
      "50 New style:",
    ]);
  });
});

describe("paths", () => {
  const odd = ["two\nlines", 'a "quoted" one', "back\\slash", "tab\there", " :100644 ", "ü/é"];

  test.each(odd)("%j is read as it is", async (path) => {
    using site = createRepository();
    site.write(path).commit(10);
    const [commit] = await historyOf(site.root);
    const bytes = Buffer.from(path).toString("latin1");
    expect(commit?.changes.map((change) => change.path)).toEqual([bytes]);
  });

  test("that are not UTF-8, or differ only in Unicode's form, stay apart", async () => {
    using site = createRepository();
    site
      .write(Buffer.from([0x61, 0xe9]))
      .write("é")
      .write("é".normalize("NFD"))
      .commit(10);
    const [commit] = await historyOf(site.root);
    const paths = commit?.changes.map(({ path }) => Buffer.from(path, "latin1").toString("hex"));
    expect(paths?.sort()).toEqual(["61e9", "65cc81", "c3a9"]);
  });

  test("that are not wanted are left out; every commit is told", async () => {
    using site = createRepository();
    site.write("docs/a").write("other").commit(10, "One");
    site.write("README", "2").remove("docs/a").commit(20, "Two");
    const wants = (path: string, kind: string) => path.startsWith("docs/") && kind === "added";
    expect(inShort(await historyOf(site.root, { wants }))).toEqual(["10 One: +docs/a", "20 Two:"]);
  });
});

describe("words", () => {
  test("come as UTF-8 whatever encoding they were written in", async () => {
    using site = createRepository();
    site.git("config", "i18n.commitEncoding", "ISO-8859-1");
    runGit(site.root, ["commit", "-q", "--allow-empty", "-F", site.write("m", latin1()).path("m")]);
    expect((await historyOf(site.root))[0]?.subject).toBe("Käse");
  });

  test("may have spaces at their heart and look like anything", async () => {
    using site = createRepository();
    site.commit(10, ":100644 two  spaces M");
    expect((await historyOf(site.root))[0]?.subject).toBe(":100644 two  spaces M");
  });

  function latin1(): Buffer {
    return Buffer.from("Käse", "latin1");
  }
});

describe("a shallow clone", () => {
  test("has no evidence at its boundary", async () => {
    using site = createRepository();
    site.write("a").write("b").commit(10, "One");
    site.write("a", "2").commit(20, "Two");
    site.write("a", "3").commit(30, "Three");
    using clone = site.shallowClone(2);
    const history = await historyOf(clone.root);
    expect(inShort(history)).toEqual(["20 Two:", "30 Three: ~a"]);
    expect(history.map(({ boundary }) => boundary)).toEqual([true, false]);
  });

  test("that was completed is whole", async () => {
    using site = createRepository();
    site.write("a").commit(10, "One");
    site.write("a", "2").commit(20, "Two");
    using clone = site.shallowClone(1);
    clone.git("fetch", "--quiet", "--unshallow");
    const history = await historyOf(clone.root);
    expect(inShort(history)).toEqual(["10 One: +a", "20 Two: ~a"]);
    expect(history.some(({ boundary }) => boundary)).toBe(false);
  });
});

describe("reading", () => {
  test("may be stopped at any commit, and no process is left", async () => {
    using site = createRepository();
    for (let time = 1; time <= 20; time++) site.commit(time, "x".repeat(9_000));
    const times: number[] = [];
    const visit = ({ time }: { time: number }) => (times.push(time) === 2 ? "stop" : undefined);
    await historyOf(site.root, { order: "newest", visit });
    expect(times).toEqual([20, 19]);
    expect(children()).toEqual([]);
  });

  test("ends with the visitor's own error, and no process is left", async () => {
    using site = createRepository();
    for (let time = 1; time <= 20; time++) site.commit(time, "x".repeat(9_000));
    const fail = (): never => {
      throw new RangeError("enough");
    };
    await expect(historyOf(site.root, { order: "newest", visit: fail })).rejects.toThrow("enough");
    expect(children()).toEqual([]);
  });

  test("fails when git fails midway, with git's reason", async () => {
    using site = createRepository();
    site.write("a").commit(10);
    const lost = site.git("rev-parse", "HEAD^{tree}");
    site.write("a", "2").commit(20);
    site.remove(`.git/objects/${lost.slice(0, 2)}/${lost.slice(2)}`);
    const repository = await open(site.root);
    await expect(startLog(repository).read({ visit: () => undefined })).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining(lost),
    });
  });

  function children(): string[] {
    const processes = runGit("/", ["-c", `alias.ps=!ps -o args= --ppid ${process.pid}`, "ps"]);
    return processes.split("\n").filter((line) => /\bgit (.*)log\b/.test(line));
  }
});
