import { readFileSync } from "node:fs";
import { join } from "node:path";
import { astroBuild, astroSite, eleventyBuild, eleventySite } from "../inputs/built-sites.ts";
import { type Line, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { type Contestant, less, race } from "../race.ts";

const PAGES = sized(5000);

/** A feed and a list of all pages: by rs-emit, beside what builders' documentation says to use. */
export async function feeds(rounds: number): Promise<readonly Line[]> {
  return [...(await astro(rounds)), ...(await eleventy(rounds))];
}

async function astro(rounds: number): Promise<Line[]> {
  const cwd = await astroSite(PAGES);
  const build = (beside: "alone" | "feeds" | "rs-emit-sitemap") => astroBuild(cwd, beside);
  const all = [build("alone"), build("feeds"), build("rs-emit-sitemap")] as const;
  await race(rounds, ...all);
  requireListed(cwd, { "_feeds/sitemap-0.xml": "<loc>", "_feeds/rss.xml": "<item>" });
  requireListed(cwd, { "_rs-emit-sitemap/sitemap.xml": "<loc>" });
  return lines("Astro", "@astrojs/sitemap and rss", all);
}

async function eleventy(rounds: number): Promise<Line[]> {
  const cwd = await eleventySite(PAGES);
  const build = (beside: "alone" | "feeds" | "rs-emit-sitemap") => eleventyBuild(cwd, beside);
  const all = [build("alone"), build("feeds"), build("rs-emit-sitemap")] as const;
  await race(rounds, ...all);
  requireListed(cwd, { "_feeds/sitemap.xml": "<loc>", "_rs-emit-sitemap/sitemap.xml": "<loc>" });
  return lines("Eleventy", "eleventy-plugin-rss and a sitemap template", all);
}

/** A build that lists nothing would be measured as fast. */
function requireListed(cwd: string, lists: Readonly<Record<string, string>>): void {
  for (const [path, entry] of Object.entries(lists)) {
    const count = readFileSync(join(cwd, path), "utf8").split(entry).length - 1;
    if (count < PAGES) throw new Error(`${path} lists ${count} pages`);
  }
}

function lines(
  builder: string,
  name: string,
  [alone, theirs, ours]: readonly [Contestant, Contestant, Contestant],
): Line[] {
  const what = `${builder}, ${PAGES} pages, with feed, sitemap and log of rs-emit`;
  const extra = { name, contestant: less(theirs, alone) };
  return [
    timeLine(what, ours, { name, contestant: theirs }, 1),
    timeLine("the same, less the build alone", less(ours, alone), extra),
  ];
}
