import { rmSync } from "node:fs";
import { join } from "node:path";
import { ServedSite } from "../inputs/served-site.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { INPUTS, ROOT, sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race, runOnce } from "../race.ts";

const COMMAND = join(ROOT, "packages/harvester/bin/rs-harvest.js");
const PAGES = sized(10_000);
const BYTES = 19_700;
const FEW = sized(1000);
const MANY = sized(100_000);
const SMALL = 200;

/** As in `flat`: what differs is what the program holds. */
const FIXED_GARBAGE = "--max-semi-space-size=1";

/** First copies of sites: page by page, and by their packages. */
export async function sync(rounds: number): Promise<readonly Line[]> {
  return [...(await times(rounds)), ...(await memory())];
}

async function times(rounds: number): Promise<Line[]> {
  await using site = await ServedSite.start(PAGES, BYTES);
  const byLists = intoEmpty("lists", (folder) => copy(site, folder, "--no-dump"));
  const byDump = intoEmpty("dump", (folder) => copy(site, folder));
  const fetching = intoEmpty("fetched", (folder) =>
    program("fetch-files", `${site.url}resourcelist.xml`, folder),
  );
  const script = 'for package in "$0"/resourcedump/*.zip; do unzip -q -o "$package" -d "$1"; done';
  const unzipping = intoEmpty("unzipped", (folder) => ["sh", "-c", script, site.folder, folder]);
  await race(rounds, byLists, fetching, byDump, unzipping);
  const what = `first copy of ${PAGES} pages of 20 KB`;
  const bare = { name: "fetching, hashing, writing", contestant: fetching };
  return [
    timeLine(`${what}, by lists`, byLists, bare, 1.5),
    timeLine(`${what}, by its dump`, byDump, { name: "by lists", contestant: byLists }, 0.7),
    timeLine(`${what}, by its dump`, byDump, { name: "unzip", contestant: unzipping }, 3),
  ];
}

async function memory(): Promise<Line[]> {
  const [few, many] = [await firstCopies(FEW), await firstCopies(MANY)];
  return (["by lists", "by its dump"] as const).map((how) => {
    const yardstick = { name: `of ${FEW}`, contestant: few[how] };
    const aim = { of: "ratio", most: 2 } as const;
    return memoryLine(`memory of a first copy of ${MANY} pages, ${how}`, many[how], yardstick, aim);
  });
}

async function firstCopies(pages: number) {
  await using site = await ServedSite.start(pages, SMALL);
  const byLists = intoEmpty("lists", (folder) => copy(site, folder, "--no-dump"), FIXED_GARBAGE);
  const byDump = intoEmpty("dump", (folder) => copy(site, folder), FIXED_GARBAGE);
  await runOnce(byLists, byDump);
  return { "by lists": byLists, "by its dump": byDump };
}

function copy({ url }: ServedSite, folder: string, ...options: readonly string[]) {
  return [process.execPath, COMMAND, "sync", url, folder, "--allow-private", "--quiet", ...options];
}

/** A contestant that begins with an empty folder each time. */
function intoEmpty(
  name: string,
  commandFor: (folder: string) => readonly string[],
  ...options: readonly string[]
): Contestant {
  const folder = join(INPUTS, "copies", name);
  const [node = "", ...args] = commandFor(folder);
  const prepare = () => rmSync(folder, { recursive: true, force: true });
  return new Contestant([node, ...options, ...args], { prepare });
}
