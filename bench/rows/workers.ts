import { execFileSync } from "node:child_process";
import { Server } from "../inputs/server.ts";
import { type Line, timeLine } from "../line.ts";
import { sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";
import { postgres } from "./harvest.ts";

const SOURCES = sized(5000);
/** Two processes share two cores with the database: they may be no slower than one by more than this. */
const SLOWEST = 1.25;

/** The same sources on PostgreSQL, checked by one process and by two. */
export async function workers(rounds: number): Promise<readonly Line[]> {
  const server = postgres();
  if (server === undefined) return [];
  await using host = await Server.start("serve-sources", "1");
  const place = server.make("workers");
  const run = (mode: string, ...more: readonly string[]) =>
    program("harvest-sources", place, host.port, mode, ...more);
  const [node = "", ...args] = run("follow", `${SOURCES}`);
  execFileSync(node, args, { stdio: "inherit" });
  const lines: Line[] = [];
  for (const [mode, what] of [
    ["same", "nothing new"],
    ["changed", "a change each"],
  ] as const) {
    const one = new Contestant(run(`${mode}:1`));
    const two = new Contestant(run(`${mode}:2`));
    await race(rounds, one, two);
    const yardstick = { name: "by one", contestant: one };
    const title = `${SOURCES} sources, ${what}, PostgreSQL, by two processes`;
    lines.push(timeLine(title, two, yardstick, SLOWEST));
  }
  return lines;
}
