import { buildWith, COMMITS, type Dates, datedSite, TEMPLATES } from "../inputs/dated-site.ts";
import { type Line, timeLine } from "../line.ts";
import { Contestant, race } from "../race.ts";

/** What a date in each page costs a build of Eleventy: by rs-emit, beside `git Last Modified`. */
export async function dates(rounds: number): Promise<readonly Line[]> {
  const cwd = await datedSite();
  const build = (dates: Dates) => new Contestant(buildWith(cwd, dates), { cwd });
  const alone = build("alone");
  const byGit = build("git");
  const ours = build("rs-emit");
  await race(rounds, alone, byGit, ours);
  const yardstick = { name: "git Last Modified", contestant: byGit };
  return [
    timeLine(`Eleventy, ${TEMPLATES} pages of ${COMMITS} commits, a date in each`, ours, yardstick),
    timeLine("the same without dates and rs-emit", alone, yardstick),
  ];
}
