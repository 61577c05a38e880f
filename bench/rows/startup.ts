import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Line, timeLine } from "../line.ts";
import { generated, ROOT, sized } from "../places.ts";
import { program } from "../programs.ts";
import { Contestant, race } from "../race.ts";

const COMMAND = join(ROOT, "packages/cli/bin/rs-emit.js");

/** What a person waits for before anything happens. */
export async function startup(rounds: number): Promise<readonly Line[]> {
  const folder = await generated("small-site", writeSite);
  const args = {
    "--version": ["--version"],
    "--help": ["--help"],
    "no change in 5 pages": [folder, "--url", "https://moss.example/", "--history", "files"],
  };
  const first = [...args["no change in 5 pages"], "--first", "--previous", "output"];
  execFileSync(process.execPath, [COMMAND, ...first]);
  const bare = new Contestant([process.execPath, "-e", "0"]);
  const runs = Object.entries(args).map(([name, args]) => ({
    name,
    args,
    contestant: new Contestant([process.execPath, COMMAND, ...args]),
  }));
  await race(rounds * sized(4), bare, ...runs.map(({ contestant }) => contestant));
  const yardstick = { name: "node -e 0", contestant: bare };
  return runs.flatMap(({ name, args, contestant }): Line[] => [
    timeLine(`rs-emit, ${name}`, contestant, yardstick, name === "--version" ? 1.5 : 5),
    { what: "its modules", unit: "modules", ours: [loadedModules(args)] },
  ]);
}

function writeSite(folder: string): void {
  for (const page of ["index", "about", "links", "shrine/index", "shrine/gallery"]) {
    mkdirSync(join(folder, page, ".."), { recursive: true });
    writeFileSync(join(folder, `${page}.html`), `<!DOCTYPE html><title>${page}</title><main>Hi`);
  }
}

/** How many files of JavaScript a run loads. */
function loadedModules(args: readonly string[]): number {
  const [node = "", counter = ""] = program("count-modules");
  const options = ["--import", counter, COMMAND, ...args];
  const output = execFileSync(node, options, { encoding: "utf8" });
  return Number(/modules loaded: (\d+)/.exec(output)?.[1]);
}
