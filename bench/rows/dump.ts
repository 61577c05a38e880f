import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { emit } from "@rs-emit/core";
import { writePages } from "../inputs/pages.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { generated, INPUTS, sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, less, race } from "../race.ts";

const PAGES = sized(10_000);
const FEW = sized(1_000);
const MANY = sized(100_000);
const SMALL = 500;
/** Of a run with a dump to one without. */
const FLAT = { of: "ratio", most: 1.25 } as const;

/**
 * Writing a dump: a run that finds no change and makes the packages, less a run that finds no
 * change; beside `zip -0` of the same pages.
 */
export async function dump(rounds: number): Promise<readonly Line[]> {
  const site = await published("dump-pages", PAGES);
  const { packing, alone } = runs(site);
  const archive = join(INPUTS, "pages.zip");
  const zip = new Contestant(["zip", "-0", "-q", "-r", archive, ".", "-i", "*.html"], {
    cwd: site,
    prepare: () => rmSync(archive, { force: true }),
  });
  await race(rounds, packing, alone, zip);
  const yardstick = { name: "zip -0", contestant: zip };
  return [
    timeLine(`a dump of ${PAGES} pages of 20 KB`, less(packing, alone), yardstick, 1.5),
    ...(await memory(FEW)),
    ...(await memory(MANY)),
  ];
}

/** V8 gives garbage more room the more a program holds; with a bound, what differs is what is held. */
const BOUND = "--max-old-space-size=256";

/** What of a run's memory is the dump's, at a size. */
async function memory(pages: number): Promise<Line[]> {
  const { packing, alone } = runs(await published(`dump-${pages}`, pages, SMALL), BOUND);
  await race(1, packing, alone);
  const yardstick = { name: "the run without", contestant: alone };
  return [memoryLine(`memory of a run with a dump, ${pages} pages`, packing, yardstick, FLAT)];
}

function optionsOf(folder: string, dump: boolean) {
  const url = "https://bench.rs-emit.org/";
  return { folder, url, history: "files", previous: "output", anyFolder: true, dump } as const;
}

/** A site that was published before. */
function published(name: string, pages: number, bytes?: number): Promise<string> {
  return generated(name, async (folder) => {
    mkdirSync(folder, { recursive: true });
    writePages(folder, pages, "before", bytes);
    await emit({ ...optionsOf(folder, false), first: true });
  });
}

/** Runs that find no change: one makes all packages, the other has no dump. */
function runs(folder: string, ...flags: readonly string[]) {
  const prepare = () => {
    for (const name of readdirSync(folder)) {
      if (name.startsWith("resourcedump")) rmSync(join(folder, name), { recursive: true });
    }
  };
  const run = (dump: boolean) => {
    const [node = "", ...args] = program("emit", JSON.stringify(optionsOf(folder, dump)));
    return new Contestant([node, ...flags, ...args], { prepare });
  };
  return { packing: run(true), alone: run(false) };
}
