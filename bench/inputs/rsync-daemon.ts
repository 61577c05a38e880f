import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { INPUTS } from "../places.ts";

/** The daemon of rsync over a folder, as the module `site`, on the loopback interface. */
export class RsyncDaemon implements AsyncDisposable {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  static async start(folder: string, port: number): Promise<RsyncDaemon> {
    const config = join(INPUTS, "rsyncd.conf");
    const path = `[site]\npath = ${folder}\nread only = yes\n`;
    writeFileSync(config, `use chroot = no\nlock file = ${config}.lock\n${path}`);
    const options = ["--daemon", "--no-detach", `--config=${config}`, "--log-file=/dev/null"];
    const address = ["--address=127.0.0.1", `--port=${port}`];
    const child = spawn("rsync", [...options, ...address], { stdio: "ignore" });
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`rsync ended with ${child.exitCode}`);
      await pause(50);
    }
    return new RsyncDaemon(child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#process, "close");
    this.#process.kill();
    await closed;
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  const isThere = await promise;
  socket.destroy();
  return isThere;
}
