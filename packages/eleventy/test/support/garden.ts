import type { TestRepository } from "../../../core/test/support/repository.ts";
import { page } from "./template.ts";

const BEGINNING = 1_700_000_000;

/** Writes the history of a site in which everything happens that may happen to its pages. */
export function writeGarden(site: TestRepository): void {
  let time = BEGINNING;
  const next = () => {
    time += 60;
    return time;
  };
  const commit = (message: string) => site.commit(next(), message);

  site
    .write(
      "eleventy.config.js",
      `export default function (eleventyConfig) {
        eleventyConfig.addPassthroughCopy("static");
        eleventyConfig.addPassthroughCopy({ attic: "old/attic" });
        eleventyConfig.ignores.add("README.md");
        eleventyConfig.ignores.add("static/**");
        eleventyConfig.ignores.add("attic/**");
        eleventyConfig.addPreprocessor("drafts", "*", (data) => (data.draft ? false : undefined));
      }`,
    )
    .write("README.md", "Not a page.")
    .write(
      "_includes/base.liquid",
      "<!doctype html><title>{{ title }}</title><main>{{ content }}</main>",
    )
    .write("index.md", page({ layout: "base.liquid", title: "Home" }, "Welcome."))
    .write("notes/notes.json", JSON.stringify({ layout: "base.liquid" }))
    .write("notes/first.md", page({ title: "First" }, "One."))
    .write("notes/second.md", page({ title: "Second" }, "Two."))
    .write("notes/deep/er.md", page({ title: "Deeper" }, "Deep."))
    .write("static/hand.html", "<title>Hand</title><main>By hand</main>")
    .write("attic/a.html", "<title>A</title><main>A</main>")
    .write("attic/b/c.html", "<title>C</title><main>C</main>");
  commit("Begin");
  site.write("notes/first.md", page({ title: "First" }, "One, edited."));
  commit("Edit a page");
  site.write("notes/2024-01-05-dated.md", page({ title: "Dated" }, "A date in its name."));
  site.write("notes/schöne-größe.md", page({ title: "Größe" }, "Not only ASCII."));
  site.write("notes/windows.md", page({ title: "Windows" }, "Lines.").replaceAll("\n", "\r\n"));
  site.write("notes/deep/index.md", page({ title: "Index" }, "An index."));
  site.write(
    "notes/deep/deep.njk",
    page({ title: "Twice", permalink: "/notes/deep/twice/" }, "Same name."),
  );
  site.write("script.11ty.js", "export default () => '<title>Script</title><main>Script</main>';");
  site.write("several.html.njk", page({ title: "Several extensions" }, "Several."));
  commit("Create pages of every kind");
  site.remove("notes/second.md");
  commit("Delete a page");
  site.move("notes/first.md", "notes/deep/first.md");
  commit("Move a page");
  site.write(
    "_includes/base.liquid",
    "<!doctype html><title>{{ title }} · Garden</title><main>{{ content }}</main>",
  );
  commit("Change the layout: no page's own change");
  site.write("notes/draft.md", page({ title: "Draft", draft: true }, "Not yet."));
  commit("Begin a draft");
  site.write("notes/draft.md", page({ title: "Draft", draft: false }, "Now."));
  commit("Finish it");
  site.write("notes/draft.md", page({ title: "Draft", draft: true }, "Now."));
  commit("Take it back");
  site.write(
    "notes/windows.md",
    page({ title: "Windows", permalink: "/windows.html" }, "Lines.").replaceAll("\n", "\r\n"),
  );
  commit("A permalink in front matter");
  site.write(
    "notes/windows.md",
    page(
      { title: "Windows", permalink: "/{{ title | slugify }}/{{ page.fileSlug }}/" },
      "Lines.",
    ).replaceAll("\n", "\r\n"),
  );
  commit("A permalink with data in it");
  site.write(
    "notes/deep/deep.json",
    JSON.stringify({ permalink: "/depths/{{ page.fileSlug }}.html" }),
  );
  commit("A permalink in a folder's data");
  site.write("notes/deep/er.md", page({ title: "Deeper" }, "Deeper still."));
  commit("Edit a page of it");
  site.remove("notes/deep/er.md");
  commit("Delete a page of it");
  site.write(
    "notes/deep/deep.json",
    JSON.stringify({ permalink: "/abyss/{{ page.fileSlug }}.html" }),
  );
  commit("Change the permalink of the folder");
  site.remove("notes/deep/deep.json");
  commit("Remove the folder's data");
  site.write("secret/one.md", page({ title: "One", resourcesync: false }, "Hidden."));
  site.write("secret/two.md", page({ title: "Two" }, "Seen."));
  commit("A page kept out by its front matter");
  site.write("secret/secret.json", JSON.stringify({ resourcesync: false }));
  commit("A folder kept out");
  site.write("secret/one.md", page({ title: "One", resourcesync: true }, "Shown."));
  commit("One of it let in");
  site.remove("secret/secret.json");
  commit("The folder let in");
  site.remove("secret/two.md");
  commit("Deleted");
  site.write(
    "list.njk",
    page(
      {
        layout: "base.liquid",
        pagination: { data: "items", size: 1 },
        items: ["a", "b"],
        permalink: "/list/{{ pagination.items[0] }}/",
      },
      "Item.",
    ),
  );
  commit("Several pages of one source");
  site.write(
    "list.njk",
    page(
      {
        layout: "base.liquid",
        pagination: { data: "items", size: 1 },
        items: ["a", "c"],
        permalink: "/list/{{ pagination.items[0] }}/",
      },
      "Item.",
    ),
  );
  commit("One of them another");
  site
    .write("static/hand.html", "<title>Hand</title><main>By hand, again</main>")
    .move("attic/a.html", "attic/b/a.html");
  commit("Copied pages edited and moved");
  site.remove("attic/b/c.html").write("static/new.html", "<title>New</title><main>New</main>");
  commit("Copied pages deleted and created");
  site.branch("side").write("notes/branch.md", page({ title: "Branch" }, "On a branch."));
  commit("On a branch");
  site.write("notes/branch.md", page({ title: "Branch" }, "Still on a branch."));
  commit("Still");
  site
    .checkout("main")
    .write("index.md", page({ layout: "base.liquid", title: "Home" }, "Meanwhile."));
  commit("Meanwhile");
  site.merge("side", next(), "The branch lands");
  site.write("notes/none.md", page({ title: "None", permalink: false }, "No page."));
  commit("No page at all");
  site.write(
    "notes/2024-01-05-dated.md",
    page({ title: "Dated", permalink: "{{ page.filePathStem }}.html" }, "A date in its name."),
  );
  commit("A permalink by stem");
  site.remove("script.11ty.js").remove("notes/schöne-größe.md");
  commit("Delete a script and another");
  site.write(
    "notes/notes.11tydata.js",
    `export default { permalink: (data) => \`/n/\${data.page.fileSlug}/\` };`,
  );
  commit("A permalink by script");
  site.remove("notes/draft.md").write("README.md", "Still not a page.");
  commit("Remove the draft");
}
