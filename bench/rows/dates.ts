import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildWith, COMMITS, type Dates, datedSite } from "../inputs/dated-site.ts";
import { type Line, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { Contestant, less, runOnce } from "../race.ts";

/** A date moves with own content alone: what most of five pages or more share is none. */
const PAGES = sized(5000, 6);
/** Of the time that the dates of others take. */
const MOST = 0.05;

/**
 * What a date in each page costs a build of Eleventy: by rs-emit, beside asking git for each page. Once each,
 * since the others take half a minute.
 */
export async function dates(): Promise<readonly Line[]> {
  const cwd = await datedSite(PAGES);
  const build = (dates: Dates) => new Contestant(buildWith(cwd, dates), { cwd });
  const [alone, byGit, byLog, ours] = [
    build("alone"),
    build("git"),
    build("log"),
    build("rs-emit"),
  ];
  await runOnce(alone, byGit, byLog, ours);
  for (const dates of ["git", "log", "rs-emit"] as const) requireDates(cwd, dates);
  const git = { name: "git Last Modified", contestant: byGit };
  const log = { name: "git log -1 a file", contestant: byLog };
  const dating = less(ours, alone);
  const besideAlone = ({ name, contestant }: typeof git) =>
    timeLine(
      `dates of ${PAGES} pages of ${COMMITS} commits in Eleventy: less the build alone`,
      dating,
      { name, contestant: less(contestant, alone) },
      MOST,
    );
  return [besideAlone(git), besideAlone(log)];
}

function requireDates(cwd: string, dates: Dates): void {
  const folder = join(cwd, `_${dates}`);
  const dated = globSync("notes/**/*.html", { cwd: folder }).filter((page) =>
    /<time[^>]*>[^<]*\d{4}[^<]*<\/time>/.test(readFileSync(join(folder, page), "utf8")),
  );
  if (dated.length !== PAGES) throw new Error(`${folder} has ${dated.length} dates`);
}
