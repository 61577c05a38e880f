import { rmSync } from "node:fs";
import { linkedSite } from "../inputs/linked-site.ts";
import { RsyncDaemon } from "../inputs/rsync-daemon.ts";
import { PORT } from "../inputs/served-site.ts";
import { Server } from "../inputs/server.ts";
import { type Line, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { Contestant, runOnce } from "../race.ts";
import { COPIERS, type Copier, copied, copyWith, RSYNC_PORT, requireFiles } from "./copiers.ts";

const PAGES = sized(10_000);
/** Milliseconds of a round trip. */
const ROUND_TRIP = 20;
/** Where the servers listen that are asked through the proxies. */
const BEHIND = 10;

/** Copies of a site that is 20 ms away, once each: minutes, most of which are waited. */
export async function distance(): Promise<readonly Line[]> {
  const { before } = await linkedSite(PAGES);
  await using _files = await Server.start("serve-files", before, String(PORT + BEHIND));
  await using _daemon = await RsyncDaemon.start(before, RSYNC_PORT + BEHIND);
  await using _far = await proxy(PORT);
  await using _farDaemon = await proxy(RSYNC_PORT);
  const firsts = runs(true);
  await runOnce(...Object.values(firsts));
  for (const copier of COPIERS) requireFiles(copied(copier), /page-\d+\.html$/, PAGES);
  const again = runs(false);
  await runOnce(...Object.values(again));
  const what = `copy of ${PAGES} pages, ${ROUND_TRIP} ms a round trip`;
  return [
    ...beside(`${what}, by its dump`, firsts, "dump", 0.1),
    ...beside(`${what}, by lists`, firsts, "lists"),
    ...beside("nothing new since", again, "lists"),
  ];
}

function proxy(port: number): Promise<Server> {
  return Server.start("delay-connections", `${port}`, `${port + BEHIND}`, `${ROUND_TRIP}`);
}

function runs(isFirst: boolean): Readonly<Record<Copier, Contestant>> {
  const of = (copier: Copier) => {
    const empty = () => rmSync(copied(copier), { recursive: true, force: true });
    return new Contestant(copyWith(copier), isFirst ? { prepare: empty } : {});
  };
  return { lists: of("lists"), dump: of("dump"), wget: of("wget"), rsync: of("rsync") };
}

function beside(
  what: string,
  all: Readonly<Record<Copier, Contestant>>,
  ours: "lists" | "dump",
  most?: number,
): Line[] {
  const wget = { name: "wget -m", contestant: all.wget };
  const rsync = { name: "rsync", contestant: all.rsync };
  return [timeLine(what, all[ours], wget, most), timeLine(what, all[ours], rsync)];
}
