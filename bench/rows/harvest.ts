import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { changeList } from "../inputs/change-list.ts";
import { Server } from "../inputs/server.ts";
import { type Line, timeLine } from "../line.ts";
import { INPUTS, IS_TRIAL, sized } from "../places.ts";
import { figureOf, figuresOf } from "../process.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const SOURCES = sized(5000);
const CHANGED = sized(2000);
const RECORDED = sized(2000);
const ENTRIES = sized(50_000);
const CHANGES = sized(1_000_000);
/** A worker takes 256 at most, twenty times. */
const HOSTS = sized(1_000_000, 20 * 256);
const FAIR = sized(50_000, 1000);
/** Pages that a large source tells of again and again. */
const PAGES = sized(20_000);

/** A server for the tests, as `.ci/postgres` starts one. */
const SERVER = process.env.RS_HARVEST_TEST_DATABASE;

/** What following very many sources costs. */
export async function harvest(rounds: number): Promise<readonly Line[]> {
  await using host = await Server.start("serve-sources", String(ENTRIES));
  const lines: Line[] = [];
  for (const memory of memories()) {
    lines.push(
      ...(await checks(host, memory, "same", SOURCES, "nothing new", rounds)),
      ...(await checks(host, memory, "changed", CHANGED, "a change each", rounds)),
      ...(await longList(host, memory, rounds)),
      ...(await recording(memory, rounds)),
      ...(await queue(memory, rounds)),
      ...(await largeSource(memory)),
    );
  }
  return lines;
}

export interface Memory {
  readonly name: string;
  /** What checks, recording, and a long list may take: multiples of their yardsticks. */
  readonly aims: Readonly<Record<"same" | "changed" | "recorded" | "list", number>>;
  /** An empty database, and where it is. */
  readonly make: (name: string) => string;
}

/** SQLite, and PostgreSQL where there is a server; what a trial finds in one, it would find in both. */
export function memories(): readonly Memory[] {
  const embedded: Memory = {
    name: "SQLite",
    aims: { same: 3, changed: 3.5, recorded: 4, list: 10 },
    make: (name) => {
      const folder = join(INPUTS, "harvest", name);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      return folder;
    },
  };
  const server = IS_TRIAL ? undefined : postgres();
  return server === undefined ? [embedded] : [embedded, server];
}

/** Nothing where there is no server. */
export function postgres(): Memory | undefined {
  if (SERVER === undefined) {
    process.stderr.write("RS_HARVEST_TEST_DATABASE names no server: PostgreSQL is left out\n");
    return undefined;
  }
  return {
    name: "PostgreSQL",
    aims: { same: 3.5, changed: 4.5, recorded: 4, list: 12 },
    make: (name) => {
      for (const statement of [`DROP DATABASE IF EXISTS ${name}`, `CREATE DATABASE ${name}`]) {
        execFileSync("psql", ["--quiet", SERVER, "--command", statement]);
      }
      return Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
    },
  };
}

/** Checks beside asking alone: the same requests by the same agent, and the same documents parsed. */
async function checks(
  host: Server,
  memory: Memory,
  mode: "same" | "changed",
  sources: number,
  what: string,
  rounds: number,
): Promise<Line[]> {
  const place = memory.make(mode);
  const [node = "", ...args] = program("harvest-sources", place, host.port, "follow", `${sources}`);
  execFileSync(node, args, { stdio: "inherit" });
  const ours = new Contestant(program("harvest-sources", place, host.port, mode));
  const asking = new Contestant(program("ask-sources", host.port, String(sources), mode));
  await race(rounds, ours, asking);
  const yardstick = { name: "asking alone", contestant: asking };
  const title = `${sources} sources, ${what}, ${memory.name}`;
  return [timeLine(title, ours, yardstick, memory.aims[mode], "CPU")];
}

async function longList(
  host: Server,
  { make, name, aims }: Memory,
  rounds: number,
): Promise<Line[]> {
  const ours = new Contestant(program("harvest-sources", make("list"), host.port, "big"), {
    prepare: () => make("list"),
  });
  const reading = new Contestant(program("read-list", await changeList(ENTRIES)));
  await race(rounds, ours, reading);
  const yardstick = { name: "reading alone", contestant: reading };
  const what = `a list of ${ENTRIES}, from request to stored, ${name}`;
  return [timeLine(what, ours, yardstick, aims.list)];
}

async function recording({ make, name, aims }: Memory, rounds: number): Promise<Line[]> {
  const recorded: number[] = [];
  const inserted: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const command = program("record-outcomes", make("record"), String(RECORDED));
    const [ours = Number.NaN, yardstick = Number.NaN] = await figuresOf(command);
    recorded.push(ours);
    inserted.push(yardstick);
  }
  return [
    {
      what: `${RECORDED} outcomes with a change each recorded, ${name}`,
      unit: "s",
      ours: recorded,
      yardstick: { name: "inserting these rows", figures: inserted },
      aim: { of: "ratio", most: aims.recorded },
    },
  ];
}

/** Taking hosts from very many; checks of others beside a host with half of all sources. */
async function queue({ make, name }: Memory, rounds: number): Promise<Line[]> {
  const taking = await figureOf(program("queue-hosts", make("take"), "take", String(HOSTS)));
  const beside: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const seconds = (more: number) =>
      figureOf(program("queue-hosts", make("fair"), "fair", String(FAIR), String(more)));
    beside.push(await seconds(FAIR));
    alone.push(await seconds(0));
  }
  return [
    {
      what: `a taking, ${HOSTS} hosts due, ${name}`,
      unit: "ms",
      ours: [taking],
      aim: { of: "figure", most: 50 },
    },
    {
      what: `1000 checks of others, half of ${2 * FAIR} sources on one host, ${name}`,
      unit: "s",
      ours: beside,
      yardstick: { name: "without it", figures: alone },
      aim: { of: "ratio", most: 1 / 0.8 },
    },
  ];
}

/** What Node chooses for each thread where a service may take 400 MB: a quarter of it. */
const FIXED_HEAP = ["--max-semi-space-size=2", "--max-old-space-size=100"];

/** Memory must not grow with what a source has to tell. */
async function largeSource({ make, name }: Memory): Promise<Line[]> {
  const peak = (changes: number) => {
    const [node = "", ...args] = program(
      "read-large-source",
      make("large"),
      `${changes}`,
      `${PAGES}`,
    );
    return figureOf([node, ...FIXED_HEAP, ...args]);
  };
  return [
    {
      what: `memory of reading a source of ${CHANGES} changes, ${name}`,
      unit: "MiB",
      ours: [await peak(CHANGES)],
      yardstick: { name: `of ${ENTRIES}`, figures: [await peak(ENTRIES)] },
      aim: { of: "ratio", most: 1.3 },
    },
  ];
}
