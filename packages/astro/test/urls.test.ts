import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sample } from "../../../test/thorough.ts";
import { resourcesIn } from "./support/documents.ts";
import { buildMany } from "./support/many.ts";
import { page } from "./support/pages.ts";
import { AstroSite, SITE } from "./support/site.ts";

const README = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");

/** A setting of Astro, and the URLs that the README says pages have with it. */
interface Row {
  readonly format: string;
  readonly trailingSlash: string;
  readonly urls: readonly string[];
  readonly cleanUrls: readonly string[];
}

test("pages have the URLs that the README tells, for every setting of Astro", () => {
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
  const lines = README.split("\n").filter((line) => /^\| `(?:directory|file|preserve)`/.test(line));
  return lines.flatMap((line) => {
    const [format = [], slashes = [], index = [], about = [], blog = [], clean = []] = line
      .split("|")
      .slice(1)
      .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word));
    return slashes.map((trailingSlash) => ({
      format: format.join(),
      trailingSlash,
      urls: [...index, ...about, ...blog].sort(),
      cleanUrls: [...index, ...clean].sort(),
    }));
  });
}
