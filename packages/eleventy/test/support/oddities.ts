import type { TestRepository } from "../../../core/test/support/repository.ts";
import { page } from "./template.ts";

/** Everything Eleventy lets one change about templates, data and copies. */
const CONFIG = `export default function (eleventyConfig) {
  eleventyConfig.addDataExtension("yaml", (text) =>
    Object.fromEntries(text.trim().split("\\n").map((line) => line.split(": "))),
  );
  eleventyConfig.addExtension("note", { compile: (text) => () => "<main>" + text + "</main>" });
  eleventyConfig.addExtension("sheet", { outputFileExtension: "css", compile: (text) => () => text });
  eleventyConfig.addExtension("look", { key: "njk" });
  eleventyConfig.addFilter("twice", (text) => text + "-" + text);
  eleventyConfig.addPassthroughCopy("wild/*.html");
  eleventyConfig.addPassthroughCopy({ "wild/one/*.html": "tamed" });
  eleventyConfig.addPassthroughCopy({ "wild/file.txt": "file.html" });
  eleventyConfig.ignores.add("wild/**");
  eleventyConfig.ignores.add("**/*.ignored.md");
  eleventyConfig.setDataFileBaseName("index");
  eleventyConfig.setDataFileSuffixes([".data", ".more"]);
  eleventyConfig.setTemplateFormats(["md", "njk", "html", "liquid", "11ty.js", "note", "sheet", "look", "htm"]);
  eleventyConfig.addGlobalData("somewhere", "global");
  return { markdownTemplateEngine: "njk", htmlTemplateEngine: false, dir: { input: "in" } };
}
`;

const COMMITS: readonly Readonly<Record<string, string | undefined>>[] = [
  { "in/index.md": "Stays.", "in/stays/note.note": "Stays.", "in/stays/page.html": "Stays." },
  {
    "in/relative.md": page({ permalink: "a/b/" }, "No slash before it"),
    "in/dots.md": page({ permalink: "/a/../c/./d.html" }, "Dots"),
    "in/outside.md": page({ permalink: "/../outside.html" }, "Out of the folder"),
    "in/literal.md": page({ permalink: "/{{ literal }}.html", dynamicPermalink: false }, "Literal"),
    "in/override.md": page(
      { permalink: "/{{ page.fileSlug }}-o.html", templateEngineOverride: "liquid,md" },
      "Override",
    ),
    "in/plain.html": page({ permalink: "/{{ page.fileSlug }}/" }, "Braces mean nothing here"),
    "in/empty.md": page({ permalink: "" }, "Empty"),
    "in/object.md": page({ permalink: {} }, "Empty object"),
    "in/unbuilt.md": page({ permalink: { served: "/x/" } }, "Not built"),
    "in/filter.md": page(
      { permalink: "/{{ name | twice }}/", name: "again" },
      "A filter of the site",
    ),
    "in/loose.md": page({ permalink: "/{{name}}/{{  name|twice  }}.html", name: "n" }, "Spaces"),
    "in/number.md": page({ permalink: "/{{ year }}/", year: 2026 }, "A number"),
    "in/escaped.njk": page({ permalink: "/{{ name }}/", name: "a & b" }, "Escaped by one language"),
  },
  {
    "in/json.md": '---json\n{ "permalink": "/of/json.html" }\n---\nJSON',
    "in/script.md": '---js\nconst permalink = "/of/script.html";\n---\nScript',
    "in/object.js.md": '---js\n{ permalink: "/of/object.html" }\n---\nObject',
    "in/spaced.md": "---   \npermalink: /of/spaces.html   # said\n---   \nSpaces",
    "in/bom.md": "\uFEFF---\npermalink: /of/mark.html\n---\nMark",
    "in/none.md": "----\nNo front matter.",
    "in/x.ignored.md": "Ignored",
    "in/UPPER.MD": "Upper",
    "in/note.note": "Of its own language",
    "in/style.sheet": "a{}",
    "in/look.look": page({ permalink: "/{{ page.fileSlug }}/looks/" }, "Alias"),
    "in/copied.htm": "<main>Copied as its format</main>",
    "wild/a.html": "<main>Glob</main>",
    "wild/one/b.html": "<main>Glob to a folder</main>",
    "wild/file.txt": "<main>File</main>",
    "in/2024-05-05-day/2024-06-06-index.md": "Dates",
    "in/2024-05-05-day/index.md": page(
      { permalink: "/days/{{ page.fileSlug }}/" },
      "A dated folder",
    ),
    "in/x-2024-07-07-y.md": page({ permalink: "/{{ page.filePathStem }}.html" }, "A date within"),
  },
  {
    "in/deep/index.data.yaml": "permalink: /yaml/{{ page.fileSlug }}/",
    "in/deep/a.md": "A",
    "in/deep/b.md": "B",
    "in/deep/b.data.json": JSON.stringify({ permalink: "/json/b.html" }),
    "in/deep/deeper/c.md": "C",
    "in/deep/deeper/index.more.json": JSON.stringify({ permalink: "/more/{{ page.fileSlug }}/" }),
    "in/deep/deep.json": JSON.stringify({ permalink: "/not/asked/" }),
  },
  {
    "in/deep/deeper/index.data.js": "export default { permalink: '/script/{{ page.fileSlug }}/' };",
    "in/index.data.json": JSON.stringify({ resourcesync: false }),
    "in/deep/b.md": "B, edited",
  },
  { "in/index.data.json": undefined, "in/deep/deeper/index.data.js": undefined },
  {
    "in/relative.md": undefined,
    "in/dots.md": undefined,
    "in/literal.md": undefined,
    "in/override.md": undefined,
    "in/plain.html": undefined,
    "in/empty.md": undefined,
    "in/object.md": undefined,
    "in/filter.md": undefined,
    "in/loose.md": undefined,
    "in/number.md": undefined,
    "in/json.md": undefined,
    "in/script.md": undefined,
    "in/object.js.md": undefined,
    "in/spaced.md": undefined,
    "in/bom.md": undefined,
    "in/none.md": undefined,
    "in/note.note": undefined,
    "in/look.look": undefined,
    "in/UPPER.MD": undefined,
    "in/copied.htm": undefined,
    "wild/a.html": undefined,
    "wild/one/b.html": undefined,
    "wild/file.txt": undefined,
    "in/2024-05-05-day/2024-06-06-index.md": undefined,
    "in/2024-05-05-day/index.md": undefined,
    "in/x-2024-07-07-y.md": undefined,
    "in/deep/a.md": undefined,
    "in/deep/b.md": undefined,
    "in/deep/deeper/c.md": undefined,
  },
];

/** Writes the history of a site that does everything in its own way. */
export function writeOddities(site: TestRepository): void {
  site.write("eleventy.config.js", CONFIG);
  for (const [position, files] of COMMITS.entries()) {
    for (const [path, contents] of Object.entries(files)) {
      if (contents === undefined) site.remove(path);
      else site.write(path, contents);
    }
    site.commit(1_700_000_000 + position * 60);
  }
}
