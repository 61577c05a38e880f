import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { generated, ROOT } from "../places.ts";
import { program } from "../programs.ts";
import { writePages } from "./pages.ts";

const COMMAND = join(ROOT, "packages/cli/bin/rs-emit.js");

/** Its documents name it, so it is the same at each run. */
const PORT = 8479;

/** A site of many pages on a web server, in a process of its own. */
export class ServedSite implements AsyncDisposable {
  /** Ends with a slash. */
  readonly url = `http://127.0.0.1:${PORT}/`;
  readonly folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, process: ChildProcess) {
    this.folder = folder;
    this.#process = process;
  }

  /**
   * @param pages how many it has
   * @param bytes of a page, about
   */
  static async start(pages: number, bytes: number): Promise<ServedSite> {
    const folder = await generated(`served-${pages}-${bytes}`, (made) => {
      writePages(made, pages, "published", bytes);
      const site = ["--url", `http://127.0.0.1:${PORT}/`, "--test-address", "--any-folder"];
      const past = ["--history", "files", "--previous", "output", "--first"];
      execFileSync(process.execPath, [COMMAND, made, ...site, ...past, "--dump", "--quiet"]);
    });
    const [node = "", ...args] = program("serve-files", folder, String(PORT));
    const child = spawn(node, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    return new ServedSite(folder, child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#process, "close");
    this.#process.kill();
    await closed;
  }
}
