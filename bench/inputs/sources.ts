import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { program } from "../programs.ts";

/** A host of any number of sources, in a process of its own. */
export class SourceHost implements AsyncDisposable {
  readonly port: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, port: string) {
    this.#process = process;
    this.port = port;
  }

  /** @param entries of the one long list */
  static async start(entries: number): Promise<SourceHost> {
    const [node = "", ...args] = program("serve-sources", String(entries));
    const child = spawn(node, args, { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(child.stdout, "data");
    return new SourceHost(child, String(line).trim());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#process, "close");
    this.#process.kill();
    await closed;
  }
}
