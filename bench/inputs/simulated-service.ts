import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { INPUTS, ROOT } from "../places.ts";
import { program } from "../programs.ts";
import type { MemoryLimit } from "./memory-limit.ts";

const COMMAND = join(ROOT, "packages/harvester/bin/rs-harvest.js");
const CLOCK = join(INPUTS, "clock");

/** `rs-harvest serve` with a clock that is told it. */
export class SimulatedService implements AsyncDisposable {
  /** Ends with a slash. */
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
  }

  /** @param now UTC seconds */
  static async start(folder: string, now: number, limit: MemoryLimit): Promise<SimulatedService> {
    writeFileSync(CLOCK, String(now * 1000));
    const [, preload = ""] = program("simulate-day");
    const options = ["--data", folder, "--port", "0", "--allow-private"];
    const command = [process.execPath, "--import", preload, COMMAND, "serve", ...options];
    const [first = "", ...args] = limit.within(command);
    const service = spawn(first, args, {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, CLOCK },
    });
    const [line] = await once(service.stdout, "data");
    const [url = ""] = /http:\S+/.exec(String(line)) ?? [];
    return new SimulatedService(service, url);
  }

  /** @param now UTC seconds */
  tell(now: number): void {
    writeFileSync(CLOCK, String(now * 1000));
  }

  /** Its memory at this moment, in MiB. */
  resident(): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, "utf8");
    return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]) / 1024;
  }

  /** The milliseconds that a page takes. */
  async wait(path: string): Promise<number> {
    const began = performance.now();
    const answer = await fetch(this.url + path);
    const { length } = await answer.text();
    if (answer.status !== 200 || length < 500) {
      throw new Error(`${path}: ${answer.status} and ${length} characters`);
    }
    return performance.now() - began;
  }

  /** How many checks it has made. */
  async checks(): Promise<number> {
    const text = await (await fetch(`${this.url}metrics`)).text();
    const counts = text.matchAll(/^rs_harvest_checks_total\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#process, "close");
    this.#process.kill("SIGTERM");
    await closed;
  }
}
