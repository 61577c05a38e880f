import { expect, test } from "vitest";
import { expectNoFindings, logOf } from "../../core/test/support/site.ts";
import { resourcesIn } from "./support/documents.ts";
import { writeGallery } from "./support/gallery.ts";
import { page } from "./support/pages.ts";
import { AstroSite, EVERY_VERSION, SITE } from "./support/site.ts";

test.each(EVERY_VERSION)(
  "Astro %d: what a reader can read is a page, and nothing else",
  async (version) => {
    using site = new AstroSite(version);
    writeGallery(site);
    site
      .write("src/pages/plain.html", page("Plain"))
      .write(
        "src/pages/fragment.html.ts",
        'export const GET = () => new Response("<p>Part</p>");\n',
      )
      .write("src/pages/gone.astro", '---\nreturn Astro.redirect("/about/");\n---\n')
      .write("src/pages/secret.astro", page("Secret").replace("<title>", `${NOINDEX}<title>`))
      .write("src/pages/archive/[...page].astro", PAGINATED)
      .write("src/pages/people/[id].astro", PEOPLE)
      .write("src/people.json", '[{ "id": "ada" }, { "id": "one" }]\n')
      .write("public/old/index.html", page("Old"))
      .configure({ redirects: { "/moved": "/about/" } }, { options: "{ previous: 'none' }" });
    site.write("src/content.config.ts", withPeople(site.read("src/content.config.ts")));
    site.repository.commit(1_700_000_000);

    const { code, output } = await site.build();
    expect(code, output).toBe(0);
    expectNoFindings(site.path("dist"), SITE);
    const made = ["", "about/", "legacy.html", "notes/", "old/", "plain/", "works/"];
    const drawn = ["2024-01-05-dated/", "crlf/", "one/", "zw%C3%B6lf-b%C3%BCcher/"];
    const told = [...made, ...drawn.map((id) => `blog/${id}`)].map((path) => `/${path}`).sort();
    const sourceless = [
      "archive/",
      "archive/2/",
      "people/ada/",
      "people/one/",
      // Called like an entry, but its route makes no page of each.
      "tags/crlf/",
      "tags/moss/",
      "tags/stone/",
    ];
    const untold = sourceless.map((path) => `/${path}`);
    expect(resourcesIn(site.path("dist"), SITE)).toEqual([...told, ...untold].sort());
    const created = told.map((path) => `2023-11-14T22:13:20Z created ${path}`);
    expect(logOf(site.path("dist"), SITE).sort()).toEqual(created);
    expect(output).toContain("7 pages have no date in git: 7 without a known source file.");
  },
);

const NOINDEX = '<meta name="robots" content="noindex">';

const PAGINATED = `---
import { getCollection } from "astro:content";
export async function getStaticPaths({ paginate }) {
  return paginate(await getCollection("posts"), { pageSize: 3 });
}
---
${page("Archive", "{Astro.props.page.currentPage}")}`;

/** All people are in one file, so that it dates none of their pages. */
const PEOPLE = `---
import { getCollection } from "astro:content";
export async function getStaticPaths() {
  return (await getCollection("people")).map(({ id }) => ({ params: { id } }));
}
---
${page("Somebody", "{Astro.params.id}")}`;

function withPeople(config: string): string {
  return config
    .replace("{ glob }", "{ file, glob }")
    .replace(
      "collections = {",
      'collections = {\n  people: defineCollection({ loader: file("src/people.json") }),',
    );
}
