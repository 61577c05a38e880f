import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { resolve } from "node:path";
import { promisify } from "node:util";

const PACKAGES = resolve(import.meta.dirname, "../../packages");
const run = promisify(execFile);

/** The file of a package as it would be published. */
interface Tarball {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly bytes: Buffer;
}

/** Packs every package of the workspace into a folder: `pnpm` fills in the workspace's versions. */
export async function packAll(folder: string): Promise<readonly Tarball[]> {
  const filter = ["--filter", "./packages/*"];
  const pack = ["--yes", "pnpm@12", "-r", ...filter, "pack", "--json", "--pack-destination"];
  const { stdout } = await run("npx", [...pack, folder], { cwd: PACKAGES, maxBuffer: 64_000_000 });
  const all: { filename: string }[] = JSON.parse(stdout);
  return Promise.all(
    all.map(async ({ filename }) => {
      const { stdout: text } = await run("tar", ["-xzOf", filename, "package/package.json"]);
      return { manifest: JSON.parse(text), bytes: readFileSync(filename) };
    }),
  );
}

/** A registry with the packages of this repository; it sends for all others to the one that npm is set up with. */
export class Registry implements AsyncDisposable {
  readonly #packages: ReadonlyMap<string, Tarball>;
  readonly #others: string;
  readonly #server: Server;

  private constructor(packages: readonly Tarball[], others: string) {
    this.#packages = new Map(packages.map((one) => [one.manifest.name, one]));
    this.#others = others.replace(/\/?$/, "/");
    this.#server = createServer(({ url = "/" }, response) => {
      const path = decodeURIComponent(url.slice(1));
      const tarball = /^-\/(.+)$/.exec(path)?.[1];
      const found = this.#packages.get(tarball ?? path);
      if (found === undefined) response.writeHead(302, { location: this.#others + url.slice(1) });
      else if (tarball !== undefined) response.write(found.bytes);
      else response.write(JSON.stringify(this.#document(found)));
      response.end();
    });
  }

  static async start(packages: readonly Tarball[]): Promise<Registry> {
    const { stdout } = await run("npm", ["config", "get", "registry"]);
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

  #document({ manifest }: Tarball): object {
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
