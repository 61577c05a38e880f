import { sitemaps } from "../inputs/sitemap.ts";
import { type Line, memoryLine } from "../line.ts";
import { sized } from "../places.ts";
import { figureOf } from "../process.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";
import { withFixedGarbage } from "./flat.ts";
import { type Memory, memories } from "./harvest.ts";

const PAGES = sized(50_000);
const MANY = sized(1_000_000);

/** What comparing a site's lists of pages costs, beside reading them alone. */
export async function lists(rounds: number): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const memory of memories()) {
    lines.push(...(await comparing(memory, rounds)), ...(await manyPages(memory)));
  }
  return lines;
}

async function comparing({ name, make }: Memory, rounds: number): Promise<Line[]> {
  const { before, after } = await sitemaps(PAGES);
  const place = make("compared");
  const seconds = (folder: string, mode: string) =>
    figureOf(program("compare-lists", place, folder, mode));
  const first = [await seconds(before, "compare")];
  const same: number[] = [];
  const differing: number[] = [];
  const reading: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    same.push(await seconds(before, "compare"));
    reading.push(await seconds(before, "read"));
    const fresh = make("changed");
    await figureOf(program("compare-lists", fresh, before, "compare"));
    differing.push(await figureOf(program("compare-lists", fresh, after, "compare")));
  }
  const yardstick = { name: "reading alone", figures: reading };
  const line = (what: string, ours: readonly number[], most?: number): Line => ({
    what: `${what}, ${name}`,
    unit: "s",
    ours,
    yardstick,
    ...(most === undefined ? {} : { aim: { of: "ratio", most } }),
  });
  return [
    line(`a sitemap of ${PAGES} pages as before, read and compared`, same, 5),
    line("the same, 500 updated and 250 new", differing, 5),
    line("the same, at the first check", first),
  ];
}

/** Memory must not grow with a site. */
async function manyPages({ name, make }: Memory): Promise<Line[]> {
  const contestant = async (pages: number) => {
    const { before } = await sitemaps(pages);
    const place = make(`pages_${pages}`);
    await figureOf(program("compare-lists", place, before, "compare"));
    return new Contestant(withFixedGarbage(program("compare-lists", place, before, "compare")));
  };
  const few = await contestant(PAGES);
  const many = await contestant(MANY);
  await race(1, few, many);
  const what = `memory of comparing a sitemap of ${MANY} pages, ${name}`;
  const aim = { of: "ratio", most: 2 } as const;
  return [memoryLine(what, many, { name: `of ${PAGES}`, contestant: few }, aim)];
}
