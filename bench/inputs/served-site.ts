import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { generated, ROOT } from "../places.ts";
import { writePages } from "./pages.ts";
import { Server } from "./server.ts";

const COMMAND = join(ROOT, "packages/cli/bin/rs-emit.js");

/** Its documents name it, so it is the same at each run. `BENCH_PORT` chooses another where it is taken. */
export const PORT = Number(process.env.BENCH_PORT ?? 8479);

/** A site of many pages on a web server, in a process of its own. */
export class ServedSite implements AsyncDisposable {
  /** Ends with a slash. */
  readonly url = `http://127.0.0.1:${PORT}/`;
  readonly folder: string;
  readonly #server: Server;

  private constructor(folder: string, server: Server) {
    this.folder = folder;
    this.#server = server;
  }

  /**
   * @param pages how many it has
   * @param bytes of a page, about
   */
  static async start(pages: number, bytes: number): Promise<ServedSite> {
    const folder = await generated(`served-${pages}-${bytes}-at-${PORT}`, (made) => {
      writePages(made, pages, "published", bytes);
      publishServed(made, "--first");
    });
    return ServedSite.of(folder);
  }

  /** @param folder of files and documents, as `publishServed` left them */
  static async of(folder: string): Promise<ServedSite> {
    return new ServedSite(folder, await Server.start("serve-files", folder, String(PORT)));
  }

  /** How many requests were answered since this was asked last. */
  async requests(): Promise<number> {
    const answer = await fetch(this.url, { method: "POST" });
    return Number(await answer.text());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}

/** Publishes a folder, with a dump, as the site that is served. */
export function publishServed(folder: string, ...more: readonly string[]): void {
  const site = ["--url", `http://127.0.0.1:${PORT}/`, "--test-address", "--any-folder"];
  const past = ["--history", "files", "--previous", "output", ...more];
  execFileSync(process.execPath, [COMMAND, folder, ...site, ...past, "--dump", "--quiet"]);
}
