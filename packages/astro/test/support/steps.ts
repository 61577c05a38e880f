import { layout, post, postRoute, withLayout } from "./gallery.ts";
import { entry, page } from "./pages.ts";
import type { AstroSite } from "./site.ts";

/** One commit of a site's history. */
export interface Step {
  readonly what: string;
  /** The pages that stand before and after, and whose own source it edits: paths of the site. */
  readonly edits?: readonly string[];
  readonly make: (site: AstroSite) => void;
  /** How it comes to the branch that is deployed; a commit unless it says otherwise. */
  readonly land?: (site: AstroSite, time: number) => void;
}

/** What happens to any site. */
export const STEPS: readonly Step[] = [
  {
    what: "a page is edited",
    edits: ["/about/"],
    make: (site) => site.write("src/pages/about.astro", withLayout("About", "Who we were")),
  },
  {
    what: "a post and copied HTML are edited",
    edits: ["/blog/one/", "/legacy.html"],
    make: (site) =>
      site
        .write("src/content/posts/one.md", post("One, again", ["moss"]))
        .write("public/legacy.html", page("Legacy", "Old")),
  },
  {
    what: "the layout changes",
    make: (site) => site.write("src/layouts/Base.astro", layout("Second")),
  },
  {
    what: "data changes",
    make: (site) => site.write("src/data/works.json", '["Moss", "Stone"]\n'),
  },
  {
    what: "pages and a post are created",
    make: (site) =>
      site
        .write("src/pages/contact.astro", withLayout("Contact", "Write to us"))
        .write("src/pages/überblick.md", entry({ title: "Überblick" }, "Alles"))
        .write("src/pages/_draft.astro", page("No page"))
        .write("src/content/posts/_hidden.md", post("No entry"))
        .write("src/content/posts/deep/index.md", post("Deep", ["water"])),
  },
  {
    what: "a page moves",
    make: (site) => site.repository.move("src/pages/about.astro", "src/pages/us/about.astro"),
  },
  {
    what: "a post gets another slug, and another one moves",
    make: (site) =>
      site
        .write("src/content/posts/lines.md", entry({ title: "Lines", slug: "crossed" }, "Lines"))
        .repository.move("src/content/posts/deep/index.md", "src/content/posts/deeper.md"),
  },
  {
    what: "a page, a post and copied HTML are deleted",
    make: (site) =>
      site.repository
        .remove("src/pages/überblick.md")
        .remove("src/content/posts/one.md")
        .remove("public/legacy.html"),
  },
];

/** What happens besides. */
export const MORE_STEPS: readonly Step[] = [
  {
    what: "a draft is written",
    make: (site) => site.write("src/content/posts/later.md", post("Later", [], { draft: true })),
  },
  {
    what: "it is published",
    make: (site) => site.write("src/content/posts/later.md", post("Later", ["moss"])),
  },
  {
    what: "the route of the posts goes, and they stay",
    make: (site) => site.repository.remove("src/pages/blog/[...slug].astro"),
  },
  {
    what: "it comes back",
    make: (site) => site.write("src/pages/blog/[...slug].astro", postRoute("posts")),
  },
  {
    what: "a branch is merged",
    edits: ["/notes/"],
    make: (site) => {
      site.repository.branch("work");
      site.write("src/content/posts/branch.md", post("Branch")).repository.commit(1);
      site.write("src/content/posts/branch.md", post("Branch", ["moss"]));
      site
        .write("src/pages/notes.md", entry({ title: "Notes" }, "More notes"))
        .repository.commit(2);
      site.repository.checkout("main");
    },
    land: (site, time) => site.repository.merge("work", time),
  },
  {
    what: "files move, and their pages stay",
    make: (site) =>
      site.repository
        .move("src/pages/contact.astro", "src/pages/contact/index.astro")
        .move("src/content/posts/lines.md", "src/content/posts/moved/lines.md"),
  },
  {
    what: "the route of the posts moves",
    make: (site) =>
      site.repository.move("src/pages/blog/[...slug].astro", "src/pages/writing/[...slug].astro"),
  },
  {
    what: "a post is edited at its new place",
    edits: ["/writing/crossed/"],
    make: (site) =>
      site.write(
        "src/content/posts/moved/lines.md",
        entry({ title: "Lines", slug: "crossed" }, "Other lines"),
      ),
  },
  {
    what: "the parameter of the route gets another name",
    make: (site) =>
      site
        .write("src/pages/writing/[...id].astro", postRoute("posts", "id"))
        .repository.remove("src/pages/writing/[...slug].astro"),
  },
  {
    what: "a page becomes a redirect",
    make: (site) =>
      site.write("src/pages/us/about.astro", '---\nreturn Astro.redirect("/contact/");\n---\n'),
  },
  {
    what: "a page is written in another language",
    edits: ["/notes/"],
    make: (site) =>
      site
        .write("src/pages/notes.astro", withLayout("Notes", "Notes in markup"))
        .repository.remove("src/pages/notes.md"),
  },
  {
    what: "the last post of a folder goes, and what was deleted comes back",
    make: (site) =>
      site
        .write("src/content/posts/one.md", post("One, once more"))
        .repository.remove("src/content/posts/moved/lines.md"),
  },
];
