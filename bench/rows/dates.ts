import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildWith, COMMITS, type Dates, datedSite } from "../inputs/dated-site.ts";
import { type Line, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { Contestant, less, race, runOnce } from "../race.ts";

const FEW = 341;
const MANY = sized(5000);
/** Of the time that the dates of others take. */
const MOST = { few: 1 / 4, many: 0.05 };

/** What a date in each page costs a build of Eleventy: by rs-emit, beside asking git for each page. */
export async function dates(rounds: number): Promise<readonly Line[]> {
  return [
    ...(await datesOf(FEW, MOST.few, (...builds) => race(rounds, ...builds))),
    ...(await datesOf(MANY, MOST.many, runOnce)),
  ];
}

async function datesOf(
  templates: number,
  most: number,
  run: (...builds: readonly Contestant[]) => Promise<void>,
): Promise<Line[]> {
  const cwd = await datedSite(templates);
  const build = (dates: Dates) => new Contestant(buildWith(cwd, dates), { cwd });
  const [alone, byGit, byLog, ours] = [
    build("alone"),
    build("git"),
    build("log"),
    build("rs-emit"),
  ];
  await run(alone, byGit, byLog, ours);
  for (const dates of ["git", "log", "rs-emit"] as const) requireDates(cwd, dates, templates);
  const git = { name: "git Last Modified", contestant: byGit };
  const log = { name: "git log -1 a file", contestant: byLog };
  const what = `Eleventy, ${templates} pages of ${COMMITS} commits, a date in each`;
  const dating = less(ours, alone);
  const besideAlone = ({ name, contestant }: typeof git) =>
    timeLine(
      "its dates: less the build alone",
      dating,
      { name, contestant: less(contestant, alone) },
      most,
    );
  return [
    timeLine(what, ours, git),
    timeLine(what, ours, log),
    timeLine("the same without dates and rs-emit", alone, git),
    besideAlone(git),
    besideAlone(log),
  ];
}

function requireDates(cwd: string, dates: Dates, templates: number): void {
  const folder = join(cwd, `_${dates}`);
  const dated = globSync("notes/**/*.html", { cwd: folder }).filter((page) =>
    /<time[^>]*>[^<]*\d{4}[^<]*<\/time>/.test(readFileSync(join(folder, page), "utf8")),
  );
  if (dated.length !== templates) throw new Error(`${folder} has ${dated.length} dates`);
}
