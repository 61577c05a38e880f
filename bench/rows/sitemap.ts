import { execFileSync } from "node:child_process";
import { astroBuild, astroSite } from "../inputs/built-sites.ts";
import { PAGES, writePages } from "../inputs/pages.ts";
import { type Line, timeLine } from "../line.ts";
import { generated, sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const ASTRO_PAGES = sized(5000);

/** What the sitemap costs: beside a run without, and beside the integration that others use. */
export async function sitemap(rounds: number): Promise<readonly Line[]> {
  return [await besideNone(rounds), await besideAstros(rounds)];
}

/** Two folders, since a run without the option deletes the sitemap. */
async function besideNone(rounds: number): Promise<Line> {
  const [without = "", listed = ""] = await Promise.all(
    ["without", "with"].map((name) =>
      generated(`pages-${name}-sitemap`, (folder) => writePages(folder, PAGES, "before")),
    ),
  );
  const plain = published(without, false);
  const ours = published(listed, true);
  await race(rounds, plain, ours);
  const yardstick = { name: "without", contestant: plain };
  return timeLine(`no change in ${PAGES} pages, with sitemap.xml`, ours, yardstick, 1.05);
}

function published(folder: string, sitemap: boolean): Contestant {
  const site = { folder, url: "https://example.org/", anyFolder: true, sitemap };
  const command = program(
    "emit",
    JSON.stringify({ ...site, history: "files", previous: "output" }),
  );
  const [node = "", ...args] = command;
  execFileSync(node, args);
  return new Contestant(command);
}

async function besideAstros(rounds: number): Promise<Line> {
  const cwd = await astroSite(ASTRO_PAGES);
  const ours = astroBuild(cwd, "rs-emit-sitemap");
  const theirs = astroBuild(cwd, "rs-emit-beside-sitemap");
  await race(rounds, theirs, ours);
  const yardstick = { name: "rs-emit and @astrojs/sitemap", contestant: theirs };
  return timeLine(`Astro, ${ASTRO_PAGES} pages, rs-emit with sitemap`, ours, yardstick, 1);
}
