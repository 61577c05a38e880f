import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileRules } from "../src/inventory/candidates.ts";
import { NoFolderError, UnreadableFileError } from "../src/inventory/errors.ts";
import { walk } from "../src/inventory/walk.ts";
import { folderOf } from "./inventory-folder.ts";

const PAGES = fileRules({ include: [], exclude: [], isOwnDocument: () => false });

describe("a walk", () => {
  test("finds pages of any depth and case, in one order", () => {
    const folder = folderOf({
      "index.html": "",
      "A.HTML": "",
      "b/c/d.xhtml": "",
      "b/e.htm": "",
      "new\nline/f\n.html": "",
      "é 🌸/%.html": "",
      "picture.png": "",
    });
    expect(walk(folder, PAGES).candidates).toEqual([
      "A.HTML",
      "b/c/d.xhtml",
      "b/e.htm",
      "index.html",
      "new\nline/f\n.html",
      "é 🌸/%.html",
    ]);
  });

  test("passes over dot files, dot folders and node_modules", () => {
    const folder = folderOf({
      "a.html": "",
      ".b.html": "",
      ".well-known/c.html": "",
      "node_modules/d/e.html": "",
      "f/node_modules/g.html": "",
    });
    expect(walk(folder, PAGES).candidates).toEqual(["a.html"]);
  });

  test("takes a folder named like a page for a folder", () => {
    const folder = folderOf({ "x.html/y.html": "" });
    mkdirSync(join(folder, "empty.html"));
    expect(walk(folder, PAGES).candidates).toEqual(["x.html/y.html"]);
  });

  test("knows the excluded files among the offered", () => {
    const rules = fileRules({
      include: ["*.png"],
      exclude: ["drafts", "b.png"],
      isOwnDocument: () => false,
    });
    const folder = folderOf({
      "a.html": "",
      "a.png": "",
      "b.png": "",
      "drafts/c.html": "",
      "drafts/d.txt": "",
    });
    expect(walk(folder, rules)).toEqual({
      candidates: ["a.html", "a.png"],
      excluded: ["b.png", "drafts/c.html"],
      leftOut: [],
    });
  });

  test("leaves out, and names, what is not UTF-8", () => {
    const folder = folderOf({ "a.html": "", "real\uFFFD.html": "" });
    const bad = (name: string) =>
      Buffer.concat([Buffer.from(`${folder}/${name}`), Buffer.from([0xff])]);
    writeFileSync(Buffer.concat([bad("b"), Buffer.from(".html")]), "");
    writeFileSync(Buffer.concat([bad("b"), Buffer.from(".png")]), "");
    mkdirSync(bad("c"));
    expect(walk(folder, PAGES)).toEqual({
      candidates: ["a.html", "real\uFFFD.html"],
      excluded: [],
      leftOut: [
        { file: "b\uFFFD.html", reason: "not-utf-8" },
        { file: "c\uFFFD", reason: "not-utf-8" },
      ],
    });
  });

  test("says when there is no such folder, or when it is a file", () => {
    const folder = folderOf({ "a.html": "" });
    expect(() => walk(join(folder, "nowhere"), PAGES)).toThrow(NoFolderError);
    expect(() => walk(join(folder, "a.html"), PAGES)).toThrow(NoFolderError);
    expect(() => walk(join(folder, "a.html", "b"), PAGES)).toThrow(/no folder .*a\.html/);
  });
});

describe("links", () => {
  test("inside the folder are followed", () => {
    const folder = folderOf({ "a.html": "", "b/c.html": "", "d/e.html": "" });
    symlinkSync("a.html", join(folder, "latest.html"));
    symlinkSync(join(folder, "b"), join(folder, "d", "linked"));
    expect(walk(folder, PAGES).candidates).toEqual([
      "a.html",
      "b/c.html",
      "d/e.html",
      "d/linked/c.html",
      "latest.html",
    ]);
  });

  test("out of the folder, or to nowhere, are left out and named", () => {
    const outside = folderOf({ "secret.html": "", "more/a.html": "" });
    const folder = folderOf({ "a.html": "" });
    symlinkSync(join(outside, "secret.html"), join(folder, "file.html"));
    symlinkSync(join(outside, "secret.html"), join(folder, "file.txt"));
    symlinkSync(join(outside, "more"), join(folder, "more"));
    symlinkSync("..", join(folder, "up"));
    symlinkSync("nothing.html", join(folder, "dead.html"));
    symlinkSync("self.html", join(folder, "self.html"));
    symlinkSync(join(outside, "more"), join(folder, "node_modules"));
    expect(walk(folder, PAGES)).toEqual({
      candidates: ["a.html"],
      excluded: [],
      leftOut: ["dead.html", "file.html", "more", "self.html", "up"].map((file) => ({
        file,
        reason: "link-out",
      })),
    });
  });

  test("out of the folder are not named when they are excluded", () => {
    const outside = folderOf({ "a.html": "" });
    const folder = folderOf({ "a.html": "" });
    symlinkSync(outside, join(folder, "elsewhere"));
    const rules = fileRules({ include: [], exclude: ["elsewhere"], isOwnDocument: () => false });
    expect(walk(folder, rules).leftOut).toEqual([]);
  });

  test("into a folder that is named like the beginning of this one lead out", () => {
    const parent = folderOf({ "site/a.html": "", "site-old/b.html": "" });
    symlinkSync("../site-old", join(parent, "site", "old"));
    expect(walk(join(parent, "site"), PAGES).leftOut).toEqual([
      { file: "old", reason: "link-out" },
    ]);
  });

  test("in a circle end", () => {
    const folder = folderOf({ "a.html": "", "b/c.html": "", "d/e.html": "" });
    symlinkSync(".", join(folder, "self"));
    symlinkSync("..", join(folder, "b", "up"));
    symlinkSync("../d", join(folder, "b", "d"));
    symlinkSync("../b", join(folder, "d", "b"));
    expect(walk(folder, PAGES).candidates).toEqual([
      "a.html",
      "b/c.html",
      "b/d/e.html",
      "d/b/c.html",
      "d/e.html",
    ]);
  });

  test("may lead to the folder itself", () => {
    const parent = folderOf({ "site/a.html": "" });
    symlinkSync("site", join(parent, "dist"));
    expect(walk(join(parent, "dist"), PAGES).candidates).toEqual(["a.html"]);
  });
});

test("a folder that vanishes under the walk is an error that names it", () => {
  const folder = folderOf({ "a.html": "", "b/c.html": "" });
  const isOwnDocument = () => {
    rmSync(join(folder, "b"), { recursive: true });
    return false;
  };
  const rules = fileRules({ include: [], exclude: [], isOwnDocument });
  expect(() => walk(folder, rules)).toThrow(UnreadableFileError);
  expect(() => walk(folder, PAGES)).not.toThrow();
});
