import fs, { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { fileRules } from "../src/inventory/file-rules.ts";
import { walk } from "../src/inventory/walk.ts";
import { folderOf } from "./inventory-folder.ts";

/** As root every folder can be listed: errors are put in its place. */
let failing: { readonly folder: string; readonly error: Error } | undefined;
let onListed: ((folder: string) => void) | undefined;

const { readdirSync } = fs;
beforeAll(() => {
  const list = (folder: string, options: { withFileTypes: true }) => {
    if (failing?.folder === folder) throw failing.error;
    const entries = readdirSync(folder, options);
    onListed?.(folder);
    return entries;
  };
  Object.assign(fs, { readdirSync: list });
  syncBuiltinESMExports();
});
afterEach(() => {
  failing = undefined;
  onListed = undefined;
});
afterAll(() => {
  Object.assign(fs, { readdirSync });
  syncBuiltinESMExports();
});

const PAGES = fileRules({ include: [], exclude: [], isOwnDocument: () => false });

describe("a walk", () => {
  test("finds pages of any depth and case, in one order", async () => {
    const folder = folderOf({
      "index.html": "",
      "A.HTML": "",
      "b/c/d.xhtml": "",
      "b/e.htm": "",
      "b/f\n.html": "",
      "é 🌸/%.html": "",
      "picture.png": "",
    });
    expect((await walk(folder, PAGES)).candidates).toEqual([
      "A.HTML",
      "b/c/d.xhtml",
      "b/e.htm",
      "b/f\n.html",
      "index.html",
      "é 🌸/%.html",
    ]);
  });

  test("passes over dot files, dot folders and node_modules", async () => {
    const folder = folderOf({
      "a.html": "",
      ".b.html": "",
      ".well-known/c.html": "",
      "node_modules/d/e.html": "",
      "f/node_modules/g.html": "",
    });
    expect((await walk(folder, PAGES)).candidates).toEqual(["a.html"]);
  });

  test("takes a folder named like a page for a folder", async () => {
    const folder = folderOf({ "x.html/y.html": "" });
    mkdirSync(join(folder, "empty.html"));
    expect((await walk(folder, PAGES)).candidates).toEqual(["x.html/y.html"]);
  });

  test("knows the excluded files among the offered", async () => {
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
    expect(await walk(folder, rules)).toEqual({
      candidates: ["a.html", "a.png"],
      excluded: ["b.png", "drafts/c.html"],
      unreadable: [],
      excludedOthers: [],
    });
  });

  test("leaves out, and names, what is not UTF-8", async () => {
    const folder = folderOf({ "a.html": "", "real\uFFFD.html": "" });
    const bad = (name: string) =>
      Buffer.concat([Buffer.from(`${folder}/${name}`), Buffer.from([0xff])]);
    writeFileSync(Buffer.concat([bad("b"), Buffer.from(".html")]), "");
    writeFileSync(Buffer.concat([bad("b"), Buffer.from(".png")]), "");
    mkdirSync(bad("c"));
    expect(await walk(folder, PAGES)).toEqual({
      candidates: ["a.html", "real\uFFFD.html"],
      excluded: [],
      unreadable: [
        { file: "b\uFFFD.html", reason: "not-utf-8" },
        { file: "c\uFFFD", reason: "not-utf-8" },
      ],
      excludedOthers: [],
    });
  });

  test("names folders with a line break, not what they hold", async () => {
    const folder = folderOf({ "a.html": "", "new\nline/b.html": "", "new\nline/c/d.html": "" });
    expect(await walk(folder, PAGES)).toMatchObject({
      candidates: ["a.html"],
      unreadable: [{ file: "new\nline", reason: "newline" }],
    });
  });

  test("says when there is no such folder, or when it is a file", async () => {
    const folder = folderOf({ "a.html": "" });
    await expect(walk(join(folder, "nowhere"), PAGES)).rejects.toMatchObject({ code: "NO_FOLDER" });
    await expect(walk(join(folder, "a.html"), PAGES)).rejects.toMatchObject({ code: "NO_FOLDER" });
    await expect(walk(join(folder, "a.html", "b"), PAGES)).rejects.toThrow(/no folder .*a\.html/);
  });
});

describe("links", () => {
  test("to files inside the folder are files", async () => {
    const folder = folderOf({ "a.html": "", "b/c.html": "", "d/e.html": "", "f.txt": "" });
    symlinkSync("a.html", join(folder, "latest.html"));
    symlinkSync("latest.html", join(folder, "new\nest.html"));
    symlinkSync(join(folder, "b/c.html"), join(folder, "d", "C.HTML"));
    symlinkSync("f.txt", join(folder, "page.html"));
    expect(await walk(folder, PAGES)).toEqual({
      candidates: [
        "a.html",
        "b/c.html",
        "d/C.HTML",
        "d/e.html",
        "latest.html",
        "new\nest.html",
        "page.html",
      ],
      excluded: [],
      unreadable: [],
      excludedOthers: [],
    });
  });

  test("to folders inside the folder are named, and not followed", async () => {
    const folder = folderOf({ "a.html": "", "b/c.html": "", "d/e.html": "" });
    symlinkSync(join(folder, "b"), join(folder, "d", "linked"));
    symlinkSync(".", join(folder, "self"));
    symlinkSync("..", join(folder, "b", "up"));
    expect(await walk(folder, PAGES)).toMatchObject({
      candidates: ["a.html", "b/c.html", "d/e.html"],
      unreadable: ["b/up", "d/linked", "self"].map((file) => ({ file, reason: "linked-folder" })),
    });
  });

  test("out of the folder, or to nowhere, are left out and named", async () => {
    const outside = folderOf({ "secret.html": "", "more/a.html": "" });
    const folder = folderOf({ "a.html": "" });
    symlinkSync(join(outside, "secret.html"), join(folder, "file.html"));
    symlinkSync(join(outside, "secret.html"), join(folder, "file.txt"));
    symlinkSync(join(outside, "more"), join(folder, "more"));
    symlinkSync("..", join(folder, "up"));
    symlinkSync("nothing.html", join(folder, "dead.html"));
    symlinkSync("self.html", join(folder, "self.html"));
    symlinkSync(join(outside, "more"), join(folder, "node_modules"));
    expect(await walk(folder, PAGES)).toEqual({
      candidates: ["a.html"],
      excluded: [],
      unreadable: ["dead.html", "file.html", "more", "self.html", "up"].map((file) => ({
        file,
        reason: "link-out",
      })),
      excludedOthers: [],
    });
  });

  test("out of the folder are not named when they are excluded", async () => {
    const outside = folderOf({ "a.html": "" });
    const folder = folderOf({ "a.html": "" });
    symlinkSync(outside, join(folder, "elsewhere"));
    const rules = fileRules({ include: [], exclude: ["elsewhere"], isOwnDocument: () => false });
    expect(await walk(folder, rules)).toMatchObject({
      unreadable: [],
      excludedOthers: ["elsewhere"],
    });
  });

  test("into a folder that is named like the beginning of this one lead out", async () => {
    const parent = folderOf({ "site/a.html": "", "site-old/b.html": "" });
    symlinkSync("../site-old", join(parent, "site", "old"));
    expect((await walk(join(parent, "site"), PAGES)).unreadable).toEqual([
      { file: "old", reason: "link-out" },
    ]);
  });

  test("may lead to the folder itself", async () => {
    const parent = folderOf({ "site/a.html": "" });
    symlinkSync("site", join(parent, "dist"));
    expect((await walk(join(parent, "dist"), PAGES)).candidates).toEqual(["a.html"]);
  });
});

describe("a folder that cannot be listed", () => {
  const folder = () => folderOf({ "a.html": "", "b/c.html": "", "b/d/e.html": "", "f/g.html": "" });

  test.each(["b", "b/d", "f"])("stops the walk when it vanishes: %s", async (vanishing) => {
    const root = folder();
    removeOnceListed(dirname(join(root, vanishing)), join(root, vanishing));
    const walked = walk(root, PAGES);
    await expect(walked).rejects.toMatchObject({ code: "UNREADABLE_FILE" });
    await expect(walked).rejects.toMatchObject({ about: vanishing });
    await expect(walked).rejects.toThrow(`${vanishing} cannot be read (ENOENT)`);
  });

  test.each(["EACCES", "EIO"])("stops the walk: %s", async (code) => {
    const root = folder();
    failing = { folder: join(root, "b"), error: Object.assign(new Error(code), { code }) };
    await expect(walk(root, PAGES)).rejects.toThrow(`b cannot be read (${code})`);
    const rules = fileRules({ include: [], exclude: ["b"], isOwnDocument: () => false });
    expect((await walk(root, rules)).candidates).toEqual(["a.html", "f/g.html"]);
  });
});

function removeOnceListed(parent: string, folder: string): void {
  onListed = (listed) => {
    if (listed === parent) rmSync(folder, { recursive: true });
  };
}
