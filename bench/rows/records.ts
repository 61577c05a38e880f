import { rmSync } from "node:fs";
import { recordsSite } from "../inputs/records.ts";
import { ServedSite } from "../inputs/served-site.ts";
import { Server } from "../inputs/server.ts";
import { type Line, median, timeLine } from "../line.ts";
import { INPUTS, sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, runOnce } from "../race.ts";
import { copied, copyWith, requireFiles } from "./copiers.ts";

const RECORDS = sized(100_000);
/** Records a second. */
const LEAST = { lists: 1500, dump: 3000 };

/** First copies of very many small records: beside a loop over the pages of an OAI-PMH repository. */
export async function records(): Promise<readonly Line[]> {
  const folder = await recordsSite(RECORDS);
  await using _site = await ServedSite.of(folder);
  await using repository = await Server.start("serve-oai", folder);
  const lists = intoEmpty(copied("lists"), copyWith("lists"));
  const dump = intoEmpty(copied("dump"), copyWith("dump"));
  const origin = `http://127.0.0.1:${repository.port}`;
  const harvested = `${INPUTS}/harvested`;
  const loop = intoEmpty(harvested, program("harvest-oai", origin, harvested, String(RECORDS)));
  await runOnce(lists, dump, loop);
  for (const made of [copied("lists"), copied("dump"), harvested]) {
    requireFiles(made, /record-\d+\.xml$/, RECORDS);
  }
  const what = `first copy of ${RECORDS} records of 1 KB`;
  return [
    ...beside(`${what}, by lists`, lists, loop, LEAST.lists),
    ...beside(`${what}, by its dump`, dump, loop, LEAST.dump),
  ];
}

function beside(what: string, ours: Contestant, loop: Contestant, least: number): Line[] {
  const line = timeLine(what, ours, { name: "OAI-PMH loop", contestant: loop });
  const perSecond = Math.round(RECORDS / median(line.ours));
  const most = RECORDS / least;
  return [
    line,
    {
      what: `that is ${perSecond} a second`,
      unit: "s",
      ours: line.ours,
      aim: { of: "figure", most },
    },
  ];
}

function intoEmpty(folder: string, command: readonly string[]): Contestant {
  const prepare = () => rmSync(folder, { recursive: true, force: true });
  return new Contestant(command, { prepare });
}
