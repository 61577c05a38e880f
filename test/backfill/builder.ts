import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestRepository } from "../../packages/core/test/support/repository.ts";
import { orderedTimes } from "../history/commit-times.ts";
import { filesIn } from "../model/documents.ts";
import { type Publication, readHtml, type SeenSite } from "./truth.ts";

/** A builder of few lines: each note becomes a page inside the layout. Some notes stop it. */
export const BUILDER = `
rm -rf _site && mkdir -p _site
for note in content/*.txt; do
  [ -e "$note" ] || continue
  name=$(basename "$note" .txt)
  [ "$name" = fail ] && echo "cannot read $note" >&2 && exit 3
  [ "$name" = hang ] && touch "$HANGS" && sleep 3600
  printf '<title>T</title><nav>%s</nav><main>%s</main>' "$(cat layout)" "$(cat "$note")" > "_site/$name.html"
done
`;

/** What an author does to the notes, and when it is committed. */
export interface Act {
  /** Notes by name; an empty one is removed. */
  readonly notes: Readonly<Record<string, string>>;
  readonly layout: string;
  readonly at: number;
}

export const BEGINNING = 1_700_000_000;

/** A project whose notes are built into `_site`, which git ignores. */
export function play(repository: TestRepository, acts: readonly Act[]): void {
  repository.write(".gitignore", "_site\n").write("build.sh", BUILDER).write("layout", "a");
  repository.write("content/index.txt", "home").commit(BEGINNING);
  for (const { notes, layout, at } of acts) {
    repository.write("layout", layout);
    for (const [name, text] of Object.entries(notes)) {
      const file = `content/${name}.txt`;
      if (text !== "") repository.write(file, text);
      else if (existsSync(repository.path(file))) repository.remove(file);
    }
    repository.commit(BEGINNING + at);
  }
  rmSync(repository.path("content/fail.txt"), { force: true });
  repository.write("content/last.txt", "the end").commit(BEGINNING + 600);
}

/** What each commit builds to, each in a clone of its own; commits that do not build leave a gap. */
export function buildEach(repository: TestRepository, present: number): Publication[] {
  using clone = repository.clone();
  const line = repository.git("log", "--first-parent", "--reverse", "--format=%H %ct").split("\n");
  const committed = line.map((commit) => Number(commit.split(" ")[1]));
  const times = orderedTimes(committed, present);
  let isBehindGap = false;
  return line.flatMap((commit, at) => {
    const [id = ""] = commit.split(" ");
    clone.git("checkout", "--quiet", "--detach", id);
    const { status } = spawnSync("sh", ["build.sh"], { cwd: clone.root });
    const site = status === 0 ? seenSite(clone.path("_site")) : new Map();
    const publication = { time: times[at] ?? present, site, isBehindGap };
    isBehindGap = site.size === 0;
    return isBehindGap ? [] : [publication];
  });
}

function seenSite(folder: string): SeenSite {
  const pages = filesIn(folder).filter((file) => file.endsWith(".html"));
  return new Map(
    pages.map((file) => [
      file === "index.html" ? "" : file,
      readHtml(readFileSync(join(folder, file), "utf8")),
    ]),
  );
}
