import { expect, test } from "vitest";
import { sample } from "../../../test/thorough.ts";
import { resourcesIn } from "./support/documents.ts";
import { buildMany } from "./support/many.ts";
import { page } from "./support/pages.ts";
import { AstroSite, SITE } from "./support/site.ts";

/** For `index`, `about` and `blog/index`; the last two with `cleanUrls`, too. */
const TABLE: readonly (readonly [
  format: string,
  trailingSlashes: string,
  urls: string,
  cleanUrls: string,
])[] = [
  ["directory", "ignore always", "/ /about/ /blog/", "/about/ /blog/"],
  ["directory", "never", "/ /about /blog", "/about /blog"],
  ["file", "ignore always never", "/ /about.html /blog.html", "/about /blog"],
  ["preserve", "ignore always", "/ /about.html /blog/", "/about /blog/"],
  ["preserve", "never", "/ /about.html /blog", "/about /blog"],
];

/** A setting of Astro, and the URLs that pages have with it. */
interface Row {
  readonly format: string;
  readonly trailingSlash: string;
  readonly urls: readonly string[];
  readonly cleanUrls: readonly string[];
}

test("pages have the URLs that Astro serves them at, for every setting", () => {
  const rows = tableRows();
  expect(rows).toHaveLength(9);
  using site = new AstroSite();
  for (const name of ["index", "about", "blog/index"]) {
    site.write(`src/pages/${name}.astro`, page(name));
  }
  const settings = rows.flatMap((row) => [false, true].map((isClean) => ({ row, isClean })));
  const tried = sample(settings, 6);
  const builds = tried.map(({ row: { format, trailingSlash }, isClean }) => ({
    config: { build: { format }, trailingSlash },
    options: { url: SITE, previous: "none", cleanUrls: isClean },
  }));
  const seen = buildMany(site, builds, (dist) => resourcesIn(dist, SITE));
  expect(seen).toEqual(tried.map(({ row, isClean }) => (isClean ? row.cleanUrls : row.urls)));
});

function tableRows(): Row[] {
  return TABLE.flatMap(([format, slashes, urls, clean]) =>
    slashes.split(" ").map((trailingSlash) => ({
      format,
      trailingSlash,
      urls: urls.split(" ").sort(),
      cleanUrls: ["/", ...clean.split(" ")].sort(),
    })),
  );
}
