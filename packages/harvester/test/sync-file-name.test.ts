import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileOf, foldedPath, type TakenName } from "../src/sync/copy/file-name.ts";
import { urlOfFile } from "./support/file-url.ts";

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
    [".well-known/security.txt", ".well-known/security.txt"],
    [".Well-Known/security.txt", "%~e%2EWell-Known/security.txt"],
    [".git/config", "%~e%2Egit/config"],
    ["GIT~1/config", "%~eGIT%7E1/config"],
    [".htaccess?v=1", "%~e%2Ehtaccess%~qv%3D1"],
    ["%EF%BC%8Egit/", "%~e%25EF%25BC%258Egit/index.html"],
    ["a.%20", "%~ea%2E%2520"],
    ["NUL%20.txt", "%~eNUL%2520%2Etxt"],
    ["COM%C2%B9.log", "%~eCOM%25C2%25B9%2Elog"],
    ["page%E2%80%AEfdp.exe", "%~epage%25E2%2580%25AEfdp%2Eexe"],
    ["desktop.ini", "%~edesktop%2Eini"],
    ["--version", "%~e--version"],
    ["head", "%~ehead"],
    ["heading.html", "heading.html"],
    ["a:b", "%~ea%3Ab"],
  ])("%s is %s", (path, file) => {
    expect(fileOf(SITE + path, SITE)).toBe(file);
    expect(urlOfFile(file, SITE)).toBe(SITE + path);
  });

  test("of a name that is too long has folders", () => {
    const url = `${SITE}${"x".repeat(450)}.html`;
    const file = fileOf(url, SITE);
    expect(file).toMatch(/^x{200}%~\+\/%~\+x{197}%~\+\/%~\+x{53}\.html$/);
    expect(urlOfFile(file, SITE)).toBe(url);
  });
});

test("a file that is no resource's has no URL", () => {
  expect(urlOfFile("%~x", SITE)).toBeUndefined();
  expect(urlOfFile("%~e%zz", SITE)).toBeUndefined();
});

/** What hides a name, makes it another one to some system, or is obeyed. */
const TRAPS = [
  ...[
    ".git",
    ".htaccess",
    ".env",
    ".npmrc",
    ".github",
    "．git",
    ".g\u200cit",
    "GIT~1",
    "git~10",
    "%~egit~1",
  ],
  ...["CON", "nul", "COM1", "COM¹", "lpt³", "conin$", "desktop.ini", "Desktop.ını", "HEAD", "head"],
  ...[
    "Straße",
    "STRASSE",
    "STRAẞE",
    "ı",
    "I",
    "İ",
    "i\u0307",
    "K",
    "\u212a",
    "ﬁ",
    "fi",
    "ΑΣ",
    "ας",
    "½",
    "ſ",
    "S",
  ],
  ...[
    "\u202a",
    "\u202e",
    "\u2066",
    "\u2069",
    "\u200b",
    "\ufeff",
    "\u00ad",
    "\u034f",
    "\ufe0f",
    "\u3164",
    "\u2028",
  ],
  ...[
    ".",
    "..",
    "…",
    " ",
    "\u00a0",
    "\u3000",
    "a:b",
    "a：b",
    "／",
    "％~e",
    "-rf",
    "~1",
    "%~n2",
    "%~+",
    "%~i",
  ],
];

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
  fc.constantFrom("long".repeat(120), "%E2%82%AC".repeat(99), `${"x".repeat(200)}.git`),
  fc
    .tuple(
      fc.constantFrom("", "a", "x".repeat(197)),
      fc.constantFrom(...TRAPS),
      fc.constantFrom("", ".txt", " "),
    )
    .map((parts) => encodeURIComponent(parts.join(""))),
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
        expect(urlOfFile(file, SITE), file).toBe(one);
        for (const name of file.split("/")) expectHarmless(name);
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
      }
      const files = [...names.values()].filter(({ kind }) => kind === "file");
      for (const view of VIEWS) {
        expect(new Set(files.map(({ path }) => view(path))).size).toBe(urls.length);
      }
    }),
    { numRuns: 500 },
  );
});

/** How file systems, and programs that compare names, see them. */
const VIEWS: readonly ((path: string) => string)[] = [
  (path) => path.toLowerCase(),
  (path) => path.toUpperCase(),
  (path) => path.normalize("NFD").toUpperCase(),
  (path) => path.normalize("NFKC").toLowerCase(),
  (path) => path.toUpperCase().normalize("NFKD").toLowerCase(),
];

/** No system hides a name, drops or reads anything of it, or takes it for another one. */
function expectHarmless(name: string): void {
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  for (const seen of [name, name.normalize("NFKC"), name.replaceAll(/\p{Cf}/gu, "")]) {
    if (seen === ".well-known") continue;
    expect(seen).not.toMatch(/^[.-]|[. ]$|~\d|[\\/:*?"<>|\p{Control}]/u);
    expect(seen).not.toMatch(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/);
    expect(seen).not.toMatch(/^(?:con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)(?: *\.|$)/i);
    expect(seen.toLowerCase()).not.toMatch(/^(?:head|desktop\.ini)$/);
  }
}

test.each([
  ["Straße", "STRASSE"],
  ["STRAẞE", "straße"],
  ["ı", "I"],
  ["İ", "i̇"],
  ["ﬁ", "FI"],
  ["ΑΣ", "ας"],
  ["ΑΣ.html", "ας.HTML"],
  ["\u212a", "k"],
  ["ſ", "s"],
  ["café", "cafe\u0301"],
  ["ｆｕｌｌ", "Full"],
  ["ᾳ", "ΑΙ"],
])("%s and %s are one name to some system", (one, other) => {
  expect(foldedPath(one)).toBe(foldedPath(other));
  expect(foldedPath(`a/${one}/b`)).toBe(`a/${foldedPath(one)}/b`);
});
