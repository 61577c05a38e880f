import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { promisify } from "node:util";
import type { Packed } from "./packed.ts";

/** A registry with the packages of this repository; it sends for all others to the one that npm is set up with. */
export class Registry implements AsyncDisposable {
  readonly #packages: ReadonlyMap<string, Packed>;
  readonly #others: string;
  readonly #server: Server;

  private constructor(packages: ReadonlyMap<string, Packed>, others: string) {
    this.#packages = packages;
    this.#others = others.replace(/\/?$/, "/");
    this.#server = createServer(({ url = "/" }, response) => {
      const path = decodeURIComponent(url.replace(/^\/+/, ""));
      const latest = this.#packages.get(path.replace(/\/latest$/, ""));
      const tarball = /^-\/(.+)$/.exec(path)?.[1];
      const found = this.#packages.get(tarball ?? path);
      if (found === undefined && latest !== undefined)
        response.write(JSON.stringify(latest.manifest));
      else if (found === undefined)
        response.writeHead(302, { location: this.#others + url.slice(1) });
      else if (tarball !== undefined) response.write(found.tarball);
      else response.write(JSON.stringify(this.#document(found)));
      response.end();
    });
  }

  static async start(packages: ReadonlyMap<string, Packed>): Promise<Registry> {
    const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"]);
    const registry = new Registry(packages, stdout.trim());
    registry.#server.listen(0, "127.0.0.1");
    await once(registry.#server, "listening");
    return registry;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return `http://127.0.0.1:${address.port}/`;
  }

  #document({ manifest }: Packed): object {
    const { name, version } = manifest;
    const dist = { tarball: `${this.url}-/${encodeURIComponent(name)}` };
    return {
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { ...manifest, dist } },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
