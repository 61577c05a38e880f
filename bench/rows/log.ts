import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { pageName } from "../inputs/pages.ts";
import { siteWithLog } from "../inputs/site-with-log.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const FEW = sized(50_000);
const MANY = sized(1_000_000);

/** A long log must cost a run no more than hashing its closed lists; its feed needs the newest ones alone. */
export async function log(rounds: number): Promise<readonly Line[]> {
  const few = await siteWithLog(FEW);
  const many = await siteWithLog(MANY);
  const shortLog = edit(few);
  const longLog = edit(many);
  const sums = new Contestant(["sh", "-c", 'sha256sum "$0"/changelist/*.xml', many]);
  const still = unchanged(many);
  const unfed = unchanged(many, { feed: false });
  await race(rounds, shortLog, longLog, sums);
  await race(rounds, still);
  await race(rounds, unfed);
  const without = { name: "without the feed", contestant: unfed };
  const short = { name: `log of ${FEW}`, contestant: shortLog };
  return [
    timeLine(`one change, 1000 pages, log of ${MANY}`, longLog, short),
    timeLine("the same beside its closed lists", longLog, { name: "sha256sum", contestant: sums }),
    memoryLine("its peak memory", longLog, short),
    timeLine(`no change, 1000 pages, log of ${MANY}`, still, without),
    memoryLine("its peak memory", still, without),
  ];
}

function unchanged(folder: string, more: { readonly feed?: boolean } = {}): Contestant {
  return new Contestant(program("emit", JSON.stringify({ ...optionsFor(folder), ...more })));
}

function optionsFor(folder: string) {
  const known = { url: "https://example.org/", history: "files", previous: "output" };
  return { ...known, folder, anyFolder: true };
}

function edit(folder: string): Contestant {
  return new Contestant(program("emit", JSON.stringify(optionsFor(folder))), {
    prepare: () => appendFileSync(join(folder, pageName(7)), "<!-- once more -->\n"),
  });
}
