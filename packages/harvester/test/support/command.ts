import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { type Surface, surface } from "../../../../conformance/surface.ts";
import { main } from "../../src/cli/main.ts";
import { openSqlite } from "../../src/store/open-store.ts";

/** The command as it is installed; it runs what was built. */
export const COMMAND = resolve(import.meta.dirname, "../../bin/rs-harvest.js");

/** What a run left behind. */
export interface Run {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A place for the files of some tests, and an empty memory that is copied: making one takes seconds. */
export class Workshop implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "rs-harvest-cli-"));
  #memory: string | undefined;

  /** A new folder with files. */
  folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
    const folder = mkdtempSync(join(this.#root, "folder-"));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  }

  /** A new file. */
  file(text: string | Uint8Array): string {
    return join(this.folder({ file: text }), "file");
  }

  /** An empty memory for `--data`, or in a given place. */
  async memory(place = join(this.folder(), "memory")): Promise<string> {
    if (this.#memory === undefined) {
      const folder = join(this.#root, "memory");
      await (await openSqlite(folder)).close();
      this.#memory = folder;
    }
    cpSync(this.#memory, place, { recursive: true });
    return place;
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Runs the command in this process. */
export async function rsHarvest(...args: readonly string[]): Promise<Run> {
  return runIn({ isTTY: false }, args);
}

/** Runs the command in this process, on something like a terminal. */
export async function rsHarvestOnTerminal(...args: readonly string[]): Promise<Run> {
  return runIn({ isTTY: true, columns: 80 }, args);
}

const SURFACES: Readonly<Record<string, Surface>> = {
  serve: "service",
  check: "judge",
  sync: "copies",
};

/** Says what a run of the command is. */
function mark([name = ""]: readonly string[]): void {
  surface(SURFACES[name] ?? "harvester");
}

async function runIn(terminal: object, args: readonly string[]): Promise<Run> {
  mark(args);
  const stdout = Object.assign(new PassThrough(), terminal);
  const stderr = Object.assign(new PassThrough(), terminal);
  const exit = await main(args, { stdout, stderr });
  return { exit, stdout: textOf(stdout), stderr: textOf(stderr) };
}

function textOf(stream: PassThrough): string {
  const bytes: unknown = stream.read();
  return bytes === null ? "" : String(bytes);
}

/** The command in a process of its own. */
export class CommandProcess {
  readonly #child;
  readonly #texts = { stdout: "", stderr: "" };
  readonly #ended: Promise<unknown[]>;

  /** @param environment what else its environment says */
  constructor(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
    mark(args);
    const { PATH, HOME } = process.env;
    this.#child = spawn(process.execPath, [COMMAND, ...args], {
      env: { PATH, HOME, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout.on("data", (chunk) => (this.#texts.stdout += chunk));
    this.#child.stderr.on("data", (chunk) => (this.#texts.stderr += chunk));
    this.#ended = once(this.#child, "close");
  }

  /** Resolves when its standard output has some words; gives what they matched. */
  async says(words: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = words.exec(this.#texts.stdout);
      if (found !== null) return found;
      const ended = this.#ended.then(() => {
        throw new Error(`the command ended: ${this.#texts.stderr}`);
      });
      await Promise.race([once(this.#child.stdout, "data"), ended]);
    }
  }

  /** Its process. */
  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** What it left behind when it has ended. */
  async end(): Promise<Run & { readonly signal: NodeJS.Signals | null }> {
    await this.#ended;
    const { exitCode: exit, signalCode: signal } = this.#child;
    return { exit, signal, ...this.#texts };
  }
}

/** The files in a folder, by their paths. */
export function filesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(files.map((file) => [relative(folder, file), readFileSync(file, "utf8")]));
}
