import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("worker-process.ts", import.meta.url));

/** A worker in a process of its own, that can be killed. */
export class WorkerChild implements AsyncDisposable {
  /** What went wrong in it. */
  readonly problems: string[] = [];
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown[]>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#exit = once(process, "exit");
    process.on("message", (message) => {
      if (message !== "ready") this.problems.push(String(message));
    });
  }

  /** Starts one; it is at work when this resolves. */
  static async start(database: string, time: number): Promise<WorkerChild> {
    const child = fork(PROGRAM, [database, String(time)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const worker = new WorkerChild(child);
    await Promise.race([
      once(child, "message"),
      worker.#exit.then(() => Promise.reject(new Error("the worker ended before it began"))),
    ]);
    return worker;
  }

  /** Its clock, UTC seconds. */
  set time(time: number) {
    this.#process.send(time);
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exit;
  }

  /** Stops it as a service is stopped; gives its exit code. */
  async stop(): Promise<unknown> {
    this.#process.kill("SIGTERM");
    const [code] = await this.#exit;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await this.kill();
  }
}
