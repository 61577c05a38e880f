import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, relative } from "node:path";
import { PAGES, pages, writePages } from "../inputs/pages.ts";
import { type Line, memoryLine, timeLine } from "../line.ts";
import { generated, ROOT, sized } from "../places.ts";
import { Contestant, race } from "../race.ts";

const COMMAND = join(ROOT, "packages/cli/bin/rs-emit.js");
const FILES = sized(10_000);

/** A folder judged, and a folder compared with a site on Neocities. */
export async function upload(rounds: number): Promise<readonly Line[]> {
  return [...(await check(rounds)), ...(await neocities(rounds))];
}

async function check(rounds: number): Promise<Line[]> {
  const folder = await pages("before");
  publish(folder);
  const ours = new Contestant([process.execPath, COMMAND, "check", folder]);
  const sums = sumsOf(folder, "sha256sum");
  await race(rounds, ours, sums);
  const yardstick = { name: "sha256sum", contestant: sums };
  return [
    timeLine(`check of ${PAGES} pages of 20 KB`, ours, yardstick, 1.5),
    memoryLine("its peak memory", ours),
  ];
}

async function neocities(rounds: number): Promise<Line[]> {
  const folder = await generated("neocities", (made) => writePages(made, FILES, "published"));
  publish(folder);
  await using site = await UnchangedSite.of(folder);
  const environment = [`NEOCITIES_API_URL=${site.api}`, "NEOCITIES_API_KEY=key"];
  const run = [process.execPath, COMMAND, "neocities", "example", folder];
  const ours = new Contestant(["env", ...environment, ...run]);
  const sums = sumsOf(folder, "sha1sum");
  await race(rounds, ours, sums);
  const yardstick = { name: "sha1sum", contestant: sums };
  return [timeLine(`neocities, ${FILES} files unchanged`, ours, yardstick, 2)];
}

function publish(folder: string): void {
  const options = [
    "--any-folder",
    "--history",
    "files",
    "--previous",
    "output",
    "--first",
    "--quiet",
  ];
  const site = ["--url", "https://bench-garden.neocities.org/"];
  execFileSync(process.execPath, [COMMAND, folder, ...site, ...options]);
}

function sumsOf(folder: string, program: string): Contestant {
  const script = `find "$0" -type f -print0 | xargs -0 ${program}`;
  return new Contestant(["sh", "-c", script, folder]);
}

/** What Neocities answers about a site that has exactly the files of a folder. */
class UnchangedSite implements AsyncDisposable {
  readonly api: string;
  readonly #close: () => void;

  private constructor(api: string, close: () => void) {
    this.api = api;
    this.#close = close;
  }

  static async of(folder: string): Promise<UnchangedSite> {
    const files = filesIn(folder).map((file) => {
      const bytes = readFileSync(file);
      const sha1_hash = hash("sha1", bytes, "hex");
      return { path: relative(folder, file), size: bytes.length, sha1_hash, is_directory: false };
    });
    const list = JSON.stringify({ result: "success", files });
    const info = JSON.stringify({ result: "success", info: { sitename: "example" } });
    const server = createServer(({ url }, response) => {
      response.end(url?.endsWith("info") ? info : list);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return new UnchangedSite(`http://127.0.0.1:${address.port}/api/`, () => server.close());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
