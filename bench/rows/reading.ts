import { changeList } from "../inputs/change-list.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

/** Entries of a Change List of 50 MB. */
const ENTRIES = sized(150_000);

/** Reading a list, against an XML parser that makes nothing of the same bytes. */
export async function reading(rounds: number): Promise<readonly Line[]> {
  const file = await changeList(ENTRIES);
  const ours = new Contestant(program("read-list", file));
  const saxes = new Contestant(program("read-saxes", file));
  await race(rounds, ours, saxes);
  const yardstick = { name: "saxes", contestant: saxes };
  return [
    timeLine("reading a list of 50 MB", ours, yardstick, 1.5),
    memoryLine("its peak memory", ours, yardstick, { of: "figure", most: 150 }),
  ];
}
