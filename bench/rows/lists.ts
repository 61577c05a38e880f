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
  const folder = await sitemaps(PAGES);
  const place = make("compared");
  const seconds = (mode: string) => figureOf(program("compare-lists", place, folder, mode));
  await seconds("compare");
  const same: number[] = [];
  const reading: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    same.push(await seconds("compare"));
    reading.push(await seconds("read"));
  }
  return [
    {
      what: `a sitemap of ${PAGES} pages as before, read and compared, ${name}`,
      unit: "s",
      ours: same,
      yardstick: { name: "reading alone", figures: reading },
      aim: { of: "ratio", most: 5 },
    },
  ];
}

/** Memory must not grow with a site. */
async function manyPages({ name, make }: Memory): Promise<Line[]> {
  const contestant = async (pages: number) => {
    const folder = await sitemaps(pages);
    const place = make(`pages_${pages}`);
    await figureOf(program("compare-lists", place, folder, "compare"));
    return new Contestant(withFixedGarbage(program("compare-lists", place, folder, "compare")));
  };
  const few = await contestant(PAGES);
  const many = await contestant(MANY);
  await race(1, few, many);
  const what = `memory of comparing a sitemap of ${MANY} pages, ${name}`;
  const aim = { of: "ratio", most: 2 } as const;
  return [memoryLine(what, many, { name: `of ${PAGES}`, contestant: few }, aim)];
}
