import { createReadStream, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";

/** A static host on this machine that serves what was deployed to it. */
export class Host implements AsyncDisposable {
  /** What is live: a folder. */
  folder = "";
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request, response) => {
      const { pathname } = new URL(request.url ?? "/", this.url);
      const file = join(this.folder, decodeURIComponent(pathname));
      // The model's clock is not this machine's.
      response.sendDate = false;
      if (this.folder === "" || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
        response.writeHead(404).end();
      } else {
        createReadStream(file).pipe(response);
      }
    });
  }

  static async start(): Promise<Host> {
    const server = createServer();
    const host = new Host(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return host;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new Error("the host is not listening");
    return `http://127.0.0.1:${address.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
