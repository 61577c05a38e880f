import { join } from "node:path";
import { type Line, timeLine } from "../line.ts";
import { INPUTS, sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const ENTRIES = sized(50_000);

/** Writing a Change List, against the package `sitemap` writing half the bytes: URLs and no more. */
export async function writing(rounds: number): Promise<readonly Line[]> {
  const file = join(INPUTS, "written.xml");
  const told = new Contestant(program("write-changes", file, String(ENTRIES), "told"));
  const sitemap = new Contestant(program("write-sitemap", file, String(ENTRIES)));
  await race(rounds, told, sitemap);
  const yardstick = { name: "sitemap", contestant: sitemap };
  return [timeLine(`writing ${ENTRIES} changes: URL, change, times`, told, yardstick, 0.35)];
}
