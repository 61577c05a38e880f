import { writeFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { changesOf, noteOf, publishProject, writeFiles } from "./support/project.ts";
import { createRepository } from "./support/repository.ts";

const SITE = "https://example.org";

/** What `hugo list all` prints. */
const HUGO = `path,slug,title,date,expiryDate,publishDate,draft,permalink
content/moss.md,,"Moss, and more",2026-01-01T00:00:00Z,0001-01-01T00:00:00Z,2026-01-01T00:00:00Z,false,${SITE}/notes/moss/
content/draft.md,,Draft,2026-01-01T00:00:00Z,0001-01-01T00:00:00Z,2026-01-01T00:00:00Z,true,${SITE}/notes/draft/
`;

const JSON_LIST = [
  { url: "/notes/moss/", source: "content/moss.md" },
  { url: "https://other.example/", source: "content/other.md" },
];

function project() {
  const site = createRepository();
  // A builder's source files are relative to where it runs, and so is its list.
  vi.spyOn(process, "cwd").mockReturnValue(site.root);
  site.write(".gitignore", "dist\nmap.*\n").write("content/moss.md").commit(10);
  site.write("content/moss.md", "Greener.").write("content/stone.md", "Grey.").commit(20);
  writeFiles(site.root, 99, "dist/notes/moss/index.html", "dist/stone/index.html");
  return site;
}

afterEach(() => vi.restoreAllMocks());

describe("the option sourceMap", () => {
  test.each([
    ["map.csv", HUGO],
    ["map.csv", "\uFEFFURL,Source\r\n/notes/moss/,content/moss.md\r\n"],
    ["map.json", JSON.stringify(JSON_LIST)],
    ["map.json", JSON.stringify({ "/notes/moss/": "content/moss.md" })],
    ["map.csv", Buffer.from(`\uFEFF${HUGO}`, "utf16le")],
    ["map.json", Buffer.from(`\uFEFF${JSON.stringify(JSON_LIST)}`, "utf16le").swap16()],
  ])("names the source files of pages: %s", async (name, text) => {
    using site = project();
    writeFileSync(site.path(name), text);
    const result = await publishProject(site.root, { sourceMap: site.path(name) });
    expect(changesOf(result)).toEqual(["10 created /notes/moss/", "20 updated /notes/moss/"]);
    expect(noteOf(result, "UNDATED")).toContain("stone/index.html");
  });

  test.each(["/moss.html", "/moss", "/moss/index.html", "moss.html"])(
    "may name the page at %s, however its URL is spelled",
    async (url) => {
      using site = project();
      writeFiles(site.root, 99, url.includes("index") ? "dist/moss/index.html" : "dist/moss.html");
      writeFileSync(site.path("map.csv"), `url,source\n${url},content/moss.md\n`);
      const result = await publishProject(site.root, { sourceMap: site.path("map.csv") });
      const page = url.includes("index") ? "/moss/" : "/moss.html";
      expect(changesOf(result)).toEqual([`10 created ${page}`, `20 updated ${page}`]);
    },
  );

  test("leaves other pages to the source folder", async () => {
    using site = project();
    writeFileSync(site.path("map.csv"), HUGO);
    const sources = { sourceMap: site.path("map.csv"), sourceFolder: site.path("content") };
    const expected = ["10 created /notes/moss/", "20 updated /notes/moss/", "20 created /stone/"];
    expect(changesOf(await publishProject(site.root, sources))).toEqual(expected);
  });

  test("goes with the source folder, where Hugo's home and sections have a file of their own", async () => {
    using site = project();
    writeFiles(site.root, 99, "dist/index.html", "dist/notes/index.html");
    site.write("content/_index.md").write("content/notes/_index.md").commit(30);
    writeFileSync(site.path("map.csv"), HUGO);
    const sources = { sourceMap: site.path("map.csv"), sourceFolder: site.path("content") };
    expect(changesOf(await publishProject(site.root, sources))).toEqual(
      expect.arrayContaining(["30 created /", "30 created /notes/"]),
    );
  });

  test.each([
    ["sourceMap", "SOURCE_MAP"],
    ["sourceFolder", "NO_SOURCE_FOLDER"],
  ])("what is wrong with %s is said in each run, though nothing changed", async (option, code) => {
    using site = project();
    await publishProject(site.root);
    const run = publishProject(site.root, { previous: "output", [option]: site.path("none.csv") });
    await expect(run).rejects.toMatchObject({ code });
  });

  test("dates pages by the times of their files, without git", async () => {
    using site = project();
    writeFileSync(site.path("map.csv"), HUGO);
    writeFiles(site.root, 50, "content/moss.md");
    const options = { sourceMap: site.path("map.csv"), history: "files" } as const;
    const expected = ["50 created /notes/moss/"];
    expect(changesOf(await publishProject(site.root, options))).toEqual(expected);
  });

  test.each<[name: string, text: string | undefined, says: RegExp]>([
    ["map.csv", undefined, /cannot be read \(ENOENT/],
    ["map.csv", "", /is empty/],
    ["map.csv", "title,path\nMoss,moss.md\n", /without url or permalink/],
    ["map.csv", 'url,path\n/moss/,"moss.md\n', /cannot be read/],
    [
      "map.csv",
      "url,path\nhttp://localhost:1313/moss/,moss.md\n",
      /no page below https:.*1313.*\. Give the builder the address of the site \(in Hugo: baseURL\)/,
    ],
    ["map.json", "{", /cannot be read/],
    ["map.json", "7", /is no list/],
    ["map.json", '{ "/moss/": 7 }', /gives \/moss\/ no path/],
    ["map.json", '[{ "url": 7 }]', /without url/],
  ])("%s with %j stops the run", async (name, text, says) => {
    using site = project();
    if (text !== undefined) writeFileSync(site.path(name), text);
    const run = publishProject(site.root, { sourceMap: site.path(name) });
    await expect(run).rejects.toMatchObject({
      code: "SOURCE_MAP",
      option: "sourceMap",
      message: expect.stringMatching(says),
    });
  });
});
