import { join } from "node:path";
import { changeList } from "../inputs/change-list.ts";
import { type Line, memoryLine } from "../line.ts";
import { generated, INPUTS, sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const FEW = sized(50_000);
const MANY = sized(1_000_000);
/** Twenty times the entries may leave one more part, or chunk, that V8 has yet to let go of. */
const AIM = { of: "ratio", most: 2 } as const;

/**
 * V8 gives a busy program's garbage more and more room, up to a bound, whatever the program holds;
 * with the same small room at both sizes, what differs is what the program holds.
 */
const FIXED_GARBAGE = "--max-semi-space-size=1";

/** Memory must not grow with a list's length. */
export async function flat(rounds: number): Promise<readonly Line[]> {
  const parts = await generated("parts", () => {});
  const stream = join(INPUTS, "written.xml");
  const lists = { few: await changeList(FEW), many: await changeList(MANY) };
  return [
    ...(await compare("writing one document", rounds, (entries) =>
      program("write-changes", stream, String(entries), "full"),
    )),
    ...(await compare("writing parts", rounds, (entries) =>
      program("write-parts", parts, String(entries)),
    )),
    ...(await compare("reading", rounds, (entries) =>
      program("read-list", entries === FEW ? lists.few : lists.many),
    )),
  ];
}

async function compare(
  what: string,
  rounds: number,
  commandFor: (entries: number) => readonly string[],
): Promise<Line[]> {
  const few = new Contestant(withFixedGarbage(commandFor(FEW)));
  const many = new Contestant(withFixedGarbage(commandFor(MANY)));
  await race(rounds, few, many);
  const yardstick = { name: `of ${FEW}`, contestant: few };
  return [memoryLine(`memory of ${what}, ${MANY} entries`, many, yardstick, AIM)];
}

export function withFixedGarbage([node = "", ...args]: readonly string[]): readonly string[] {
  return [node, FIXED_GARBAGE, ...args];
}
