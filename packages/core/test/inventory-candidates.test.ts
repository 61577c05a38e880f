import { describe, expect, test } from "vitest";
import { fileRules } from "../src/inventory/file-rules.ts";

const own = (file: string) => file.endsWith("changelist.xml");
const rules = (include: readonly string[] = [], exclude: readonly string[] = []) =>
  fileRules({ include, exclude, isOwnDocument: own });

describe("pages are candidates by their extension", () => {
  test.each([
    ["index.html", true],
    ["a/b/c.htm", true],
    ["a.xhtml", true],
    ["a.shtml", true],
    ["a.phtml", false],
    ["A.HTML", true],
    ["B.Htm", true],
    ["line\nbreak/a.html", true],
    ["a.html.bak", false],
    ["html", false],
    ["a.png", false],
    [".hidden.html", false],
    [".well-known/a.html", false],
    ["a/.git/b.html", false],
    ["node_modules/a.html", false],
    ["a/node_modules/b.html", false],
    ["node_modules.html", true],
    ["my_node_modules/a.html", true],
    ["404.html", false],
    ["404/index.html", false],
    ["records/404/index.html", true],
  ])("%j: %s", (file, candidate) => {
    expect(rules().isCandidate(file)).toBe(candidate);
  });
});

describe("include adds other files", () => {
  test.each([
    ["**/*.png", "a/b.png", true],
    ["*.png", "a/b.png", false],
    ["art", "art/a/b.gif", true],
    ["./art/", "art/b.gif", true],
    ["/art/*.gif", "art/b.gif", true],
    ["art", "artful/b.gif", false],
    ["**/*", "any/thing", true],
    ["404.html", "404.html", true],
    ["**/*", "new\nline/thing.txt", true],
    ["**/*", ".env", false],
    ["**/*", "node_modules/x/y.js", false],
    ["**/*", "changelist.xml", false],
    ["**/*", "shrine/changelist.xml", false],
    ["caf\u00E9", "cafe\u0301/menu.txt", true],
  ])("%j, %j: %s", (pattern, file, candidate) => {
    expect(rules([pattern]).isCandidate(file)).toBe(candidate);
  });
});

describe("exclude takes files away", () => {
  test.each([
    ["drafts", "drafts/a.html", true],
    ["drafts/", "drafts/a/b.html", true],
    ["drafts/**", "drafts/a/b.html", true],
    ["**/*.htm", "a/b.htm", true],
    ["notes (old).html", "notes (old).html", true],
    ["[1].html", "[1].html", true],
    ["drafts", "my/drafts/a.html", false],
    ["**/drafts", "my/drafts/a.html", true],
    ["!a.html", "b.html", false],
    ["", "a.html", false],
  ])("%j, %j: %s", (pattern, file, excluded) => {
    expect(rules([], [pattern]).isExcluded(file)).toBe(excluded);
    expect(rules([], [pattern]).isCandidate(file)).toBe(!excluded);
    expect(rules(["**"], [pattern]).isCandidate(file)).toBe(!excluded);
    expect(rules([], [pattern]).isOffered(file)).toBe(true);
  });
});
