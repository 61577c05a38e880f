import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTree } from "../src/git/blobs.ts";
import { readStatus } from "../src/git/status.ts";
import { withGitConfig } from "./support/environment.ts";
import { historyOf, open } from "./support/history.ts";
import { createRepository, type TestRepository } from "./support/repository.ts";

/** Settings of a user that change what git shows; none may change what we read. */
const HOSTILE = {
  "a diff relative to the folder": "[diff]\n relative = true",
  "no root commit": "[log]\n showRoot = false",
  signatures: "[log]\n showSignature = true\n[gpg]\n program = git",
  "following one file": "[log]\n follow = true",
  "renames found": "[diff]\n renames = copies",
  "submodules ignored": "[diff]\n ignoreSubmodules = all",
  "submodules as logs": "[diff]\n submodule = log",
  "an order of files": "[diff]\n orderFile = /nowhere",
  "colours always": "[color]\n ui = always\n diff = always",
  "notes shown": "[notes]\n displayRef = refs/notes/*",
  mailmap: "[log]\n mailmap = true",
  "merges not shown": "[log]\n diffMerges = off",
  "merges combined": "[log]\n diffMerges = combined",
  "merges remerged": "[log]\n diffMerges = remerge",
  "merges against every parent": "[log]\n diffMerges = separate",
  "dates in words": "[log]\n date = relative",
  "a format of its own": "[format]\n pretty = oneline",
  "short ids": "[log]\n abbrevCommit = true\n[core]\n abbrev = 4",
  "decorated commits": "[log]\n decorate = full",
  "quoted paths": "[core]\n quotePath = true",
  "output in another encoding": "[i18n]\n logOutputEncoding = UTF-16LE",
  "an external diff": "[diff]\n external = false",
  "a text conversion": '[diff "words"]\n textconv = false',
  "an algorithm and no prefix": "[diff]\n algorithm = patience\n noprefix = true",
  "patches by default": "[log]\n diff = true\n[diff]\n statNameWidth = 3\n context = 0",
  "status cut short":
    "[status]\n showUntrackedFiles = no\n short = true\n branch = true\n showStash = true\n" +
    " renames = copies\n relativePaths = true\n submoduleSummary = true",
  "modes unnoticed": "[core]\n fileMode = true",
  "an alias and a pager": "[alias]\n log = status\n[pager]\n log = false\n[core]\n pager = false",
  "recursion into submodules": "[submodule]\n recurse = true",
};

describe("a user's configuration changes nothing", () => {
  let site: TestRepository;
  let expected: object;

  beforeAll(async () => {
    site = everySituation();
    expected = await withGitConfig("", () => everything(site.path("docs")));
  });
  afterAll(() => site[Symbol.dispose]());

  test.each(Object.entries(HOSTILE))("%s", async (_, config) => {
    // The user's own, and the repository's.
    site.write(".git/extra", config).git("config", "include.path", "extra");
    expect(await withGitConfig(config, () => everything(site.path("docs")))).toEqual(expected);
  });

  test("nor do replaced commits, grafts and notes", async () => {
    site.write(".git/extra").git("replace", "HEAD", "HEAD~2");
    site.write(".git/info/grafts", `${site.head()}\n`);
    site.git("config", "advice.graftFileDeprecated", "false");
    site.git("notes", "add", "-m", "a note");
    expect(await withGitConfig("", () => everything(site.path("docs")))).toEqual(expected);
  });
});

async function everything(folder: string): Promise<object> {
  const repository = await open(folder);
  return {
    repository,
    history: await historyOf(folder),
    newest: await historyOf(folder, { order: "newest" }),
    status: await readStatus(repository),
    tree: await readTree(repository),
  };
}

/** Commits what stands, with a signature that nobody can check. */
function commitSigned(site: TestRepository, time: number): void {
  site.commit(time, "Signed");
  const [headers = "", ...message] = site.git("cat-file", "commit", "HEAD").split("\n\n");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----";
  const commit = `${headers}\n${signature}\n\n${message.join("\n\n")}\n`;
  site.write(".git/signed", commit);
  site.git("reset", "-q", site.git("hash-object", "-t", "commit", "-w", ".git/signed"));
}

/** A repository with one of each kind of thing that a setting could touch. */
function everySituation(): TestRepository {
  using theme = createRepository();
  theme.write("style").commit(5);
  const site = createRepository();
  site.write("docs/ä.md", "1").write("root.md", "1").write("old", "same".repeat(50));
  site.write(".gitattributes", "*.md diff=words\n").write(".mailmap", "X <x@x> <ada@example.org>");
  site.commit(10, "Stärt");
  site.branch("draft").write("docs/b.md", "1").commit(20);
  site.checkout("main").move("old", "new").commit(30, "Move");
  site.merge("draft", 40);
  site.write("theme").commit(45);
  site.remove("theme").git("rm", "-q", "--cached", "theme");
  site.submodule(theme, "theme");
  site.commit(50, "Theme");
  site.write("docs/c.md", "signed");
  commitSigned(site, 60);
  site.write("docs/c.md", "stash");
  site.git("stash", "-u", "-q");
  site.write("docs/ä.md", "2").write("docs/new/d.md").chmod("root.md", 0o755);
  site.write("theme/style", "edited");
  return site;
}
