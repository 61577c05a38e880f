import { changeList } from "../inputs/change-list.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

/** Entries of a Change List of 50 MB. */
const ENTRIES = sized(150_000);

/** Reading a list, against XML parsers that make nothing of the same bytes. */
export async function reading(rounds: number): Promise<readonly Line[]> {
  const file = await changeList(ENTRIES);
  const ours = new Contestant(program("read-list", file));
  const saxes = new Contestant(program("read-saxes", file));
  const sax = new Contestant(program("read-sax", file));
  const remembering = new Contestant(program("read-list", await changeList(ENTRIES, "remembered")));
  await race(rounds, ours, saxes, sax, remembering);
  const yardstick = { name: "saxes", contestant: saxes };
  return [
    timeLine("reading a list of 50 MB", ours, yardstick, 1.5),
    timeLine("reading a list of 50 MB", ours, { name: "sax", contestant: sax }),
    memoryLine("its peak memory", ours, yardstick, { of: "figure", most: 150 }),
    timeLine("the same list with `emit:blocks` of 40 blocks each", remembering, {
      name: "without",
      contestant: ours,
    }),
  ];
}
