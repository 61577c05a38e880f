import { execFileSync } from "node:child_process";
import { copyDocuments } from "../inputs/documents.ts";
import { PAGES, pages } from "../inputs/pages.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

/** Of a run in which every page changed. */
const LEAN = { of: "figure", most: 750 } as const;

/** A large site published again: as it was, with its sitemap beside, and with every page edited. */
export async function continuation(rounds: number): Promise<readonly Line[]> {
  const before = await pages("before");
  const after = await pages("after");
  execute(publish(before));
  const unchanged = new Contestant(publish(before));
  const sums = new Contestant([
    "sh",
    "-c",
    'find "$0" -name "*.html" -print0 | xargs -0 sha256sum',
    before,
  ]);
  await race(rounds, unchanged, sums);
  const listed = new Contestant(publish(before, true));
  await race(rounds, listed);
  const changed = new Contestant(publish(after), { prepare: () => copyDocuments(before, after) });
  const parsed = new Contestant(program("parse-pages", after));
  await race(rounds, changed, parsed);
  const without = { name: "without", contestant: unchanged };
  const site = `${PAGES} pages of 20 KB`;
  return [
    timeLine(`no change in ${site}`, unchanged, { name: "sha256sum", contestant: sums }, 2),
    memoryLine("its peak memory", unchanged),
    timeLine("the same with sitemap.xml", listed, without, 1.05, "CPU"),
    timeLine("every page changed", changed, { name: "htmlparser2", contestant: parsed }, 5),
    memoryLine("its peak memory", changed, { name: "htmlparser2", contestant: parsed }, LEAN),
  ];
}

function publish(folder: string, sitemap = false): readonly string[] {
  const site = { folder, url: "https://example.org/", anyFolder: true, sitemap };
  return program("emit", JSON.stringify({ ...site, history: "files", previous: "output" }));
}

function execute([command = "", ...args]: readonly string[]): void {
  execFileSync(command, args);
}
