import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  astroBuild,
  astroSite,
  type Beside,
  eleventyBuild,
  eleventySite,
  MARKS,
  SHORT,
} from "../inputs/built-sites.ts";
import { type Line, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { type Contestant, race } from "../race.ts";

const PAGES = sized(5000);
/** A build may take this much longer with rs-emit, where a site is large and nothing changed. */
const AIMS = { eleventy: 1.3, astro: 1.05, filled: 1.5 };

/**
 * What a build costs with the feed, the sitemap and the log of rs-emit, when nothing changed: beside the build
 * alone, and beside what builders' documentation says to use for a feed and a sitemap.
 */
export async function builders(rounds: number): Promise<readonly Line[]> {
  return [...(await eleventy(rounds)), ...(await astro(rounds)), await filled(rounds)];
}

async function eleventy(rounds: number): Promise<Line[]> {
  const cwd = await eleventySite(PAGES);
  const all = contestants((beside) => eleventyBuild(cwd, beside));
  await race(rounds, ...Object.values(all));
  requireListed(cwd, { "_feeds/sitemap.xml": "<loc>", "_rs-emit-sitemap/sitemap.xml": "<loc>" });
  return lines("Eleventy", AIMS.eleventy, "eleventy-plugin-rss and a sitemap template", all);
}

async function astro(rounds: number): Promise<Line[]> {
  const cwd = await astroSite(PAGES);
  const all = contestants((beside) => astroBuild(cwd, beside));
  await race(rounds, ...Object.values(all));
  requireListed(cwd, { "_feeds/sitemap-0.xml": "<loc>", "_feeds/rss.xml": "<item>" });
  requireListed(cwd, { "_rs-emit-sitemap/sitemap.xml": "<loc>" });
  return lines("Astro", AIMS.astro, "@astrojs/sitemap and rss", all);
}

interface Contestants {
  readonly alone: Contestant;
  readonly theirs: Contestant;
  readonly ours: Contestant;
}

function contestants(build: (beside: Beside) => Contestant): Contestants {
  return { alone: build("alone"), theirs: build("feeds"), ours: build("rs-emit-sitemap") };
}

/** A build that lists nothing would be measured as fast. */
function requireListed(cwd: string, lists: Readonly<Record<string, string>>): void {
  for (const [path, entry] of Object.entries(lists)) {
    const count = readFileSync(join(cwd, path), "utf8").split(entry).length - 1;
    if (count < PAGES) throw new Error(`${path} lists ${count} pages`);
  }
}

function lines(builder: string, most: number, name: string, all: Contestants): Line[] {
  const { alone, theirs, ours } = all;
  const what = `${builder}, ${PAGES} pages, with feed, sitemap and log of rs-emit`;
  return [
    timeLine(what, ours, { name: "the build alone", contestant: alone }, most),
    timeLine("the same", ours, { name, contestant: theirs }, 1),
  ];
}

/** Every page is written into, at each build. */
async function filled(rounds: number): Promise<Line> {
  const cwd = await eleventySite(PAGES, SHORT, MARKS);
  const alone = eleventyBuild(cwd, "alone");
  const ours = eleventyBuild(cwd, "rs-emit-link");
  await race(rounds, alone, ours);
  const yardstick = { name: "the build alone", contestant: alone };
  const what = `Eleventy, ${PAGES} pages of 3 KB, with link, list and dates`;
  return timeLine(what, ours, yardstick, AIMS.filled);
}
