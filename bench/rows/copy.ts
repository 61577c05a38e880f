import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { type LinkedSite, linkedSite } from "../inputs/linked-site.ts";
import { RsyncDaemon } from "../inputs/rsync-daemon.ts";
import { ServedSite } from "../inputs/served-site.ts";
import { type Line, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { Contestant, race } from "../race.ts";
import { COPIERS, type Copier, copied, copyWith, RSYNC_PORT, requireFiles } from "./copiers.ts";

const PAGES = sized(10_000);
const REQUESTS = 2;

/** A copy of a site, and what keeps it a copy: beside `wget -m`, rsync and sha256sum. */
export async function copy(rounds: number): Promise<readonly Line[]> {
  const site = await linkedSite(PAGES);
  return [...(await first(site, rounds)), ...(await changed(site, rounds))];
}

/** First copies, the next run over each, and an audit. */
async function first({ before }: LinkedSite, rounds: number): Promise<Line[]> {
  await using site = await ServedSite.of(before);
  await using _daemon = await RsyncDaemon.start(before, RSYNC_PORT);
  const firsts = contestants((copier) => () => {
    rmSync(copied(copier), { recursive: true, force: true });
  });
  await race(rounds, ...Object.values(firsts));
  for (const copier of COPIERS) requireFiles(copied(copier), /page-\d+\.html$/, PAGES);
  const what = `copy of ${PAGES} pages of 20 KB`;
  const again = contestants(() => () => {});
  await race(rounds, ...Object.values(again));
  await site.requests();
  await again.lists.run();
  const requests = await site.requests();
  const audit = new Contestant(copyWith("lists", "--audit"));
  const script = 'find "$0" -name "*.html" -print0 | xargs -0 sha256sum';
  const sums = new Contestant(["sh", "-c", script, copied("lists")]);
  await race(rounds, audit, sums);
  return [
    ...beside(`${what}, by lists`, firsts, "lists", 2),
    ...beside(`${what}, by its dump`, firsts, "dump", 2),
    ...beside("nothing new since", again, "lists"),
    {
      what: "its requests",
      unit: "requests",
      ours: [requests],
      aim: { of: "figure", most: REQUESTS },
    },
    timeLine("audit by hash", audit, { name: "sha256sum", contestant: sums }, 3, "CPU"),
  ];
}

/** Copies that are brought up to date; each begins with the copy as the first run left it. */
async function changed({ after }: LinkedSite, rounds: number): Promise<Line[]> {
  for (const copier of COPIERS) restore(copied(copier), kept(copier));
  await using _site = await ServedSite.of(after);
  await using _daemon = await RsyncDaemon.start(after, RSYNC_PORT);
  const runs = contestants((copier) => () => restore(kept(copier), copied(copier)));
  await race(rounds, ...Object.values(runs));
  return beside(`the same, ${PAGES / 50} pages changed`, runs, "lists", 1);
}

function kept(copier: Copier): string {
  return `${copied(copier)}-kept`;
}

function restore(from: string, to: string): void {
  execFileSync("rsync", ["-a", "--delete", `${from}/`, `${to}/`]);
}

function contestants(
  prepareFor: (copier: Copier) => () => void,
): Readonly<Record<Copier, Contestant>> {
  const of = (copier: Copier) => new Contestant(copyWith(copier), { prepare: prepareFor(copier) });
  return { lists: of("lists"), dump: of("dump"), wget: of("wget"), rsync: of("rsync") };
}

/** @param most how often the CPU of wget it may take */
function beside(
  what: string,
  runs: Readonly<Record<Copier, Contestant>>,
  ours: "lists" | "dump",
  most?: number,
): Line[] {
  const wget = { name: "wget -m", contestant: runs.wget };
  const rsync = { name: "rsync", contestant: runs.rsync };
  return [timeLine(what, runs[ours], wget, most, "CPU"), timeLine(what, runs[ours], rsync)];
}
