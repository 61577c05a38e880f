import {
  astroBuild,
  astroSite,
  eleventyBuild,
  eleventySite,
  MARKS,
  SHORT,
} from "../inputs/built-sites.ts";
import { type Line, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { race } from "../race.ts";

const SIZES = [sized(1000), sized(5000)];
/** A build may take this much longer with rs-emit, where a site is large and nothing changed. */
const AIMS = { eleventy: 1.3, astro: 1.05, filled: 1.5 };

/** What a build costs with rs-emit in it, when nothing changed: beside the build alone. */
export async function builders(rounds: number): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const pages of SIZES) {
    const aims = pages === Math.max(...SIZES) ? AIMS : undefined;
    lines.push(...(await eleventy(pages, rounds, aims?.eleventy)));
    lines.push(...(await astro(pages, rounds, aims?.astro)));
    lines.push(await filled(pages, rounds, aims?.filled));
  }
  return lines;
}

async function eleventy(pages: number, rounds: number, aim?: number): Promise<Line[]> {
  const cwd = await eleventySite(pages);
  const alone = eleventyBuild(cwd, "alone");
  const ours = eleventyBuild(cwd, "rs-emit");
  await race(rounds, alone, ours);
  const yardstick = { name: "the build alone", contestant: alone };
  return [timeLine(`Eleventy, ${pages} pages, with rs-emit`, ours, yardstick, aim)];
}

/** Every page is written into, at each build. */
async function filled(pages: number, rounds: number, aim?: number): Promise<Line> {
  const cwd = await eleventySite(pages, SHORT, MARKS);
  const alone = eleventyBuild(cwd, "alone");
  const ours = eleventyBuild(cwd, "rs-emit-link");
  await race(rounds, alone, ours);
  const yardstick = { name: "the build alone", contestant: alone };
  const what = `Eleventy, ${pages} pages of 3 KB, with link, list and dates`;
  return timeLine(what, ours, yardstick, aim);
}

async function astro(pages: number, rounds: number, aim?: number): Promise<Line[]> {
  const cwd = await astroSite(pages);
  const alone = astroBuild(cwd, "alone");
  const ours = astroBuild(cwd, "rs-emit");
  const sitemap = astroBuild(cwd, "sitemap");
  await race(rounds, alone, ours, sitemap);
  const yardstick = { name: "the build alone", contestant: alone };
  return [
    timeLine(`Astro, ${pages} pages, with rs-emit`, ours, yardstick, aim),
    timeLine("the same with @astrojs/sitemap", sitemap, yardstick),
  ];
}
