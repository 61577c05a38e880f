import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { pageName } from "../inputs/pages.ts";
import { siteWithLog } from "../inputs/site-with-log.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const FEW = 50_000;
const MANY = 1_000_000;

/** A long log must cost a continuation no more than hashing its closed lists. */
export async function log(rounds: number): Promise<readonly Line[]> {
  const few = await siteWithLog(FEW);
  const many = await siteWithLog(MANY);
  const shortLog = edit(few);
  const longLog = edit(many);
  const sums = new Contestant(["sh", "-c", 'sha256sum "$0"/changelist-*.xml', many]);
  await race(rounds, shortLog, longLog, sums);
  const short = { name: `log of ${FEW}`, contestant: shortLog };
  return [
    timeLine(`one change, 1000 pages, log of ${MANY}`, longLog, short),
    timeLine("the same beside its closed lists", longLog, { name: "sha256sum", contestant: sums }),
    memoryLine("its peak memory", longLog, short),
  ];
}

function edit(folder: string): Contestant {
  const options = { folder, url: "https://example.org/", history: "files", previous: "output" };
  return new Contestant(program("emit", JSON.stringify(options)), {
    prepare: () => appendFileSync(join(folder, pageName(7)), "<!-- once more -->\n"),
  });
}
