import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileOf, foldedPath, type TakenName, urlOf } from "../src/sync/file-name.ts";

const SITE = "https://example.org/garden/";

describe("the file of a resource", () => {
  test.each([
    ["", "index.html"],
    ["about.html", "about.html"],
    ["shrine/", "shrine/index.html"],
    ["caf%C3%A9/d%C3%A9tail%20(1).html", "café/détail (1).html"],
    ["caf%c3%a9.html", "%~ecaf%25c3%25a9%2Ehtml"],
    ["index.html", "index.html%~i"],
    ["a/INDEX.html", "a/INDEX.html%~i"],
    ["search?q=moss&p=2", "search%~qq%3Dmoss%26p%3D2"],
    ["?q", "index.html%~qq"],
    ["a%2Fb", "%~ea%252Fb"],
    ["a//b", "a/%~e/b"],
    ["..%2f..%2fetc", "%~e%2E%2E%252f%2E%2E%252fetc"],
    ["con.txt", "%~econ%2Etxt"],
    [".rs-harvest/state", "%~e%2Ers-harvest/state"],
    ["50%", "%~e50%25"],
  ])("%s is %s", (path, file) => {
    expect(fileOf(SITE + path, SITE)).toBe(file);
    expect(urlOf(file, SITE)).toBe(SITE + path);
  });

  test("of a name that is too long has folders", () => {
    const url = `${SITE}${"x".repeat(450)}.html`;
    const file = fileOf(url, SITE);
    expect(file).toMatch(/^x{200}%~\+\/x{200}%~\+\/x{50}\.html$/);
    expect(urlOf(file, SITE)).toBe(url);
  });
});

test("a file that is no resource's has no URL", () => {
  expect(urlOf("%~x", SITE)).toBeUndefined();
  expect(urlOf("%~e%zz", SITE)).toBeUndefined();
});

const segment = fc.oneof(
  fc.constantFrom(
    "a",
    "A",
    "about",
    "About",
    "index.html",
    "Index.HTML",
    "caf%C3%A9",
    "cafe%CC%81",
  ),
  fc.constantFrom(
    "",
    "con",
    "nul.html",
    "a%2Fb",
    "%41",
    "%",
    "%~2",
    "%7E2",
    "x.",
    "y%20",
    ".rs-harvest",
  ),
  fc
    .string({ maxLength: 8 })
    .map((text) => new URL(`https://x/${text.replaceAll(/[?#/\\]/g, "-")}`).pathname.slice(1)),
  fc.constantFrom("long".repeat(120), "%E2%82%AC".repeat(99)),
);
const url = fc
  .tuple(
    fc.array(segment, { minLength: 1, maxLength: 4 }),
    fc.option(fc.constantFrom("", "x=1", "a/b?c*", "%", "Q")),
  )
  .map(
    ([segments, query]) =>
      new URL(SITE + segments.join("/") + (query === null ? "" : `?${query}`)).href,
  )
  .filter((one) => one.startsWith(SITE));

test("the names of any URLs give them back, and no two are one file or folder to any file system", () => {
  fc.assert(
    fc.property(fc.uniqueArray(url, { maxLength: 30 }), (urls) => {
      const names = new Map<string, TakenName>();
      for (const one of urls) {
        const file = fileOf(one, SITE, (folded) => names.get(folded));
        expect(urlOf(file, SITE), file).toBe(one);
        expect(file).not.toMatch(
          /(?:^|\/)(?:\.{0,2}|\.rs-harvest)(?:\/|$)|[\\:*?"<>|\p{Control}]/u,
        );
        const folders = file
          .split("/")
          .slice(0, -1)
          .map((_, at, all) => all.slice(0, at + 1).join("/"));
        for (const path of folders) {
          expect(names.get(foldedPath(path)) ?? { kind: "folder", path }).toEqual({
            kind: "folder",
            path,
          });
          names.set(foldedPath(path), { kind: "folder", path });
        }
        expect(names.has(foldedPath(file))).toBe(false);
        names.set(foldedPath(file), { kind: "file", path: file });
        for (const part of file.split("/"))
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
      }
    }),
    { numRuns: 1000 },
  );
});
