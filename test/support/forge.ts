import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";

/** GitHub's API, as far as it gives this repository's files as a tarball. */
export class Forge implements AsyncDisposable {
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  readonly #server: Server;

  /**
   * @param root a work tree in git
   * @param path where the tarball is: `/repos/<owner>/<name>/tarball/<ref>`
   */
  constructor(root: string, path: string) {
    const tarball = packFiles(root);
    this.#server = createServer(({ url = "", method }, response) => {
      this.asked.push(url);
      if (url !== path) response.writeHead(404).end();
      else response.end(method === "HEAD" ? undefined : tarball);
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return `http://127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

/** The examples' tracked files below one folder, as forges pack them. */
function packFiles(root: string): Buffer {
  const listed = execFileSync("git", ["ls-files", "-z", "examples"], { cwd: root });
  const args = ["--create", "--gzip", "--null", "--files-from=-", "--transform=s,^,packed/,"];
  return execFileSync("tar", args, { cwd: root, input: listed, maxBuffer: 64_000_000 });
}
