import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { changeList } from "../inputs/change-list.ts";
import { SourceHost } from "../inputs/sources.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { INPUTS } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const SOURCES = 1000;
const MANY = 10_000;
const ENTRIES = 50_000;

/** A server for the tests, as `.ci/postgres` starts one. */
const SERVER = process.env.RS_HARVEST_TEST_DATABASE;

/** What checking sources costs: beside asking for the same documents, and doing nothing with them. */
export async function harvest(rounds: number): Promise<readonly Line[]> {
  await using host = await SourceHost.start(ENTRIES);
  const lines: Line[] = [];
  for (const memory of memories()) {
    const few = memory.make("few");
    first(host, few, SOURCES);
    for (const workers of memory.workers) {
      lines.push(
        ...(await checks(host, few, `${memory.name}, workers: ${workers}`, workers, rounds)),
      );
    }
    lines.push(...(await longList(host, few, memory.name, rounds)));
    const many = memory.make("many");
    first(host, many, MANY);
    lines.push(...(await memoryOf(host, { few, many }, memory.name, rounds)));
  }
  return lines;
}

interface Memory {
  readonly name: string;
  readonly workers: readonly number[];
  /** An empty database, and where it is. */
  readonly make: (name: string) => string;
}

function memories(): readonly Memory[] {
  const embedded: Memory = {
    name: "embedded",
    workers: [1],
    make: (name) => {
      const folder = join(INPUTS, "harvest", name);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      return folder;
    },
  };
  if (SERVER === undefined) {
    process.stderr.write("RS_HARVEST_TEST_DATABASE names no server: PostgreSQL is left out\n");
    return [embedded];
  }
  const server: Memory = {
    name: "PostgreSQL",
    workers: [1, 2],
    make: (name) => {
      for (const statement of [`DROP DATABASE IF EXISTS ${name}`, `CREATE DATABASE ${name}`]) {
        execFileSync("psql", ["--quiet", SERVER, "--command", statement]);
      }
      return Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
    },
  };
  return [embedded, server];
}

function command(host: SourceHost, place: string, mode: string, count = 0): readonly string[] {
  return program("harvest-sources", place, host.port, mode, String(count));
}

/** The first checks, which are not measured. */
function first(host: SourceHost, place: string, sources: number): void {
  const [node = "", ...args] = command(host, place, "follow", sources);
  execFileSync(node, args, { stdio: "inherit" });
}

async function checks(
  host: SourceHost,
  place: string,
  how: string,
  workers: number,
  rounds: number,
): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [mode, what] of [
    ["same", "nothing new"],
    ["changed", "a change each"],
  ] as const) {
    const ours = new Contestant(command(host, place, `${mode}:${workers}`));
    const asking = new Contestant(program("ask-sources", host.port, String(SOURCES), mode));
    await race(rounds, ours, asking);
    const yardstick = { name: "asking alone", contestant: asking };
    lines.push(timeLine(`${SOURCES} sources, ${what}, ${how}`, ours, yardstick));
  }
  return lines;
}

async function longList(
  host: SourceHost,
  place: string,
  how: string,
  rounds: number,
): Promise<Line[]> {
  const ours = new Contestant(command(host, place, "big"));
  const reading = new Contestant(program("read-list", await changeList(ENTRIES)));
  await race(rounds, ours, reading);
  const yardstick = { name: "reading alone", contestant: reading };
  return [timeLine(`a list of ${ENTRIES}, from request to stored, ${how}`, ours, yardstick)];
}

async function memoryOf(
  host: SourceHost,
  { few, many }: { few: string; many: string },
  how: string,
  rounds: number,
): Promise<Line[]> {
  const ofMany = new Contestant(command(host, many, "same"));
  const ofFew = new Contestant(command(host, few, "same"));
  await race(Math.min(rounds, 2), ofMany, ofFew);
  const yardstick = { name: `of ${SOURCES}`, contestant: ofFew };
  return [memoryLine(`memory of checking ${MANY} sources, ${how}`, ofMany, yardstick)];
}
