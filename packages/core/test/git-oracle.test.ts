import { existsSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import type { FileChange } from "../src/git/log.ts";
import { historyOf } from "./support/history.ts";
import { createRepository, type TestRepository } from "./support/repository.ts";

const paths = fc.constantFrom("a", "b", "docs/a", "docs/b", "ü", "new\nline");
const edit = fc.record({
  kind: fc.constantFrom("write", "remove", "chmod"),
  path: paths,
  text: fc.constantFrom("1", "2", "3"),
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant("commit"), edits: fc.array(edit) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("switch"), edits: fc.constant([]) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("merge"), edits: fc.constant([]) }) },
);
type Step = { readonly act: string; readonly edits: readonly Edit[] };
type Edit = { readonly kind: string; readonly path: string; readonly text: string };

test("any history is what git diff-tree says of each first-parent commit", async () => {
  const history = fc.tuple(fc.array(step, { minLength: 1, maxLength: 8 }), fc.nat(1_000));
  await fc.assert(
    fc.asyncProperty(history, async ([steps, start]) => {
      using site = createRepository();
      site.write("a", "0").commit(start);
      site.git("branch", "other");
      steps.forEach((each, index) => {
        // Clocks may go back.
        take(site, each, start + ((index * 7919) % 100));
      });
      const told = await historyOf(site.root);
      expect(told.map(({ id, time, changes }) => ({ id, time, changes }))).toEqual(oracle(site));
      const newest = await historyOf(site.root, { order: "newest" });
      expect(newest.reverse()).toEqual(told);
    }),
    { numRuns: rounds(6, 30) },
  );
});

function take(site: TestRepository, { act, edits }: Step, time: number): void {
  const [here, there] =
    site.git("branch", "--show-current") === "main" ? ["main", "other"] : ["other", "main"];
  if (act === "switch") site.checkout(there);
  else if (act === "merge") mergeOrGiveUp(site, there, time);
  else {
    for (const one of edits) apply(site, one);
    site.commit(time, `On ${here}`);
  }
}

function apply(site: TestRepository, { kind, path, text }: Edit): void {
  const stands = existsSync(site.path(path));
  if (kind === "write") site.write(path, text);
  else if (stands && kind === "remove") site.remove(path);
  else if (stands) site.chmod(path, 0o755);
}

function mergeOrGiveUp(site: TestRepository, branch: string, time: number): void {
  try {
    site.git("merge-tree", "--write-tree", "HEAD", branch);
  } catch {
    return;
  }
  site.merge(branch, time);
}

/** The slow way: one process a commit, renames and modes left as git says. */
function oracle(site: TestRepository): object[] {
  const ids = site.git("rev-list", "--first-parent", "--reverse", "HEAD").split("\n");
  return ids.map((id) => {
    const parent = site.git("rev-list", "--parents", "-n1", id).split(" ")[1];
    const commits = parent ? [parent, id] : ["--root", id];
    const raw = site.git("diff-tree", "-r", "-z", "--no-commit-id", "--no-renames", ...commits);
    return { id, time: Number(site.git("show", "-s", "--format=%ct", id)), changes: parse(raw) };
  });
}

function parse(raw: string): FileChange[] {
  const fields = raw.split("\0");
  const changes: FileChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, , old = "", now = "", status = ""] = fields[index]?.split(" ") ?? [];
    const path = Buffer.from(fields[index + 1] ?? "").toString("latin1");
    if (status === "A") changes.push({ path, kind: "added", blob: now, previous: "" });
    else if (status === "D") changes.push({ path, kind: "removed", blob: "", previous: old });
    else if (now !== old) changes.push({ path, kind: "modified", blob: now, previous: old });
  }
  return changes;
}
