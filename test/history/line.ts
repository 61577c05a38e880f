import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import type { TestRepository } from "../../packages/core/test/support/repository.ts";

/** The files of one moment by their paths: their whole contents. */
export type Tree = ReadonlyMap<string, string>;

/** A commit of the first-parent line, by all files it holds. */
export interface TreeCommit {
  readonly time: number;
  readonly tree: Tree;
  /** It merges a commit with these files. */
  readonly merged?: Tree;
}

const folders = ["", "content/", "content/blog/", "src/", "src/blog/"];
const names = ["a", "b", "index", "\u00fc"];
const paths = folders.flatMap((folder) =>
  names.flatMap((name) => [".md", ".html", ".njk"].map((extension) => folder + name + extension)),
);
const path = fc.constantFrom(...paths);
const text = fc.constantFrom("", "one", "two", "three", "four");
const place = fc.nat(1000);

/** Something an author does to the files. */
export type Act =
  | { readonly act: "write"; readonly path: string; readonly text: string }
  | { readonly act: "remove"; readonly one: number }
  | { readonly act: "swap"; readonly one: number; readonly other: number }
  | { readonly act: "move"; readonly one: number; readonly path: string }
  | { readonly act: "copy"; readonly one: number; readonly path: string }
  | {
      readonly act: "edit and move";
      readonly one: number;
      readonly path: string;
      readonly text: string;
    }
  | { readonly act: "move folder"; readonly from: string; readonly to: string };

function some<Name extends Act["act"], Rest extends object>(
  weight: number,
  act: Name,
  rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
) {
  const arbitrary = fc.record(rest).map((given) => ({ ...given, act }));
  return { weight, arbitrary };
}

const one = place;
const folder = fc.constantFrom(...folders, "old/");

export const someAct: fc.Arbitrary<Act> = fc.oneof(
  some(4, "write", { path, text }),
  some(1, "remove", { one }),
  some(1, "swap", { one, other: place }),
  some(2, "move", { one, path }),
  some(1, "copy", { one, path }),
  some(3, "edit and move", { one, path, text }),
  some(2, "move folder", { from: folder, to: folder }),
);

/** The files after some acts. */
export function after(tree: Tree, acts: readonly Act[]): Tree {
  const files = new Map(tree);
  for (const act of acts) apply(files, act);
  return files;
}

function apply(files: Map<string, string>, act: Act): void {
  const standing = [...files.keys()];
  const at = (index: number) => standing[index % standing.length] ?? "";
  const take = (file: string) => {
    const contents = files.get(file) ?? "";
    files.delete(file);
    return contents;
  };
  if (act.act === "write") files.set(act.path, act.text);
  else if (act.act === "move folder") {
    for (const file of standing) {
      if (file.startsWith(act.from)) files.set(act.to + file.slice(act.from.length), take(file));
    }
  } else if (standing.length === 0) return;
  else if (act.act === "remove") files.delete(at(act.one));
  else if (act.act === "move") files.set(act.path, take(at(act.one)));
  else if (act.act === "copy") files.set(act.path, files.get(at(act.one)) ?? "");
  else if (act.act === "edit and move") files.set(act.path, take(at(act.one)) + act.text);
  else {
    const [one, other] = [at(act.one), at(act.other)];
    const [ofOne, ofOther] = [files.get(one) ?? "", files.get(other) ?? ""];
    files.set(one, ofOther).set(other, ofOne);
  }
}

/** Commits a line of trees, each as it is, and checks the last one out. */
export function commitLine(repository: TestRepository, line: readonly TreeCommit[]): void {
  const stream = line.map(({ time, tree, merged }, index) => {
    const [own, side] = [2 * index + 2, 2 * index + 1];
    const parent = index === 0 ? "" : `from :${own - 2}\n`;
    if (merged === undefined) return commitOf("main", own, time, tree, parent);
    const aside = commitOf("side", side, time - 1, merged, parent);
    return aside + commitOf("main", own, time, tree, `${parent}merge :${side}\n`);
  });
  execFileSync("git", ["fast-import", "--quiet"], { cwd: repository.root, input: stream.join("") });
  repository.git("reset", "--quiet", "--hard", "main");
}

function commitOf(branch: string, mark: number, time: number, tree: Tree, parents: string): string {
  const files = [...tree].map(([file, contents]) => `M 100644 inline ${file}\n${data(contents)}`);
  return (
    `commit refs/heads/${branch}\nmark :${mark}\ncommitter A <a@example.org> ${time} +0000\n` +
    `${data("Edit")}${parents}deleteall\n${files.join("")}`
  );
}

function data(contents: string): string {
  return `data ${Buffer.byteLength(contents)}\n${contents}\n`;
}

/** Makes the working tree hold other files than were committed; a file that differs has its time. */
export function leaveUncommitted(
  repository: TestRepository,
  committed: Tree,
  tree: Tree,
  timeOf: (path: string) => number,
): void {
  for (const file of committed.keys()) {
    if (!tree.has(file)) rmSync(repository.path(file));
  }
  for (const [file, contents] of tree) {
    if (committed.get(file) === contents) continue;
    mkdirSync(dirname(repository.path(file)), { recursive: true });
    writeFileSync(repository.path(file), contents);
    utimesSync(repository.path(file), timeOf(file), timeOf(file));
  }
}
