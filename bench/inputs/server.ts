import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { program } from "../programs.ts";

/** A program that listens on a port, in a process of its own, until it is disposed of. */
export class Server implements AsyncDisposable {
  readonly port: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, port: string) {
    this.#process = process;
    this.port = port;
  }

  /** @param name of a program that prints its port as soon as it listens */
  static async start(name: string, ...of: readonly string[]): Promise<Server> {
    const [node = "", ...args] = program(name, ...of);
    const child = spawn(node, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "close").then(([status]) => {
      throw new Error(`${name} ended with ${status} before it listened`);
    });
    const [line] = await Promise.race([once(child.stdout, "data"), ended]);
    ended.catch(() => {}); // later it is disposed of
    return new Server(child, String(line).trim());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#process, "close");
    this.#process.kill();
    await closed;
  }
}
