import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import type { Case } from "./cases.ts";

/** Serves the documents of a case at the origins that they name: `node conformance/server.ts <case> [moment]`. */

/** The origins that the documents of all cases are written for. Only one case is served at a time. */
export const ORIGIN = "http://127.0.0.1:18025";
export const OTHER_ORIGIN = "http://localhost:18026";

const TYPES: Readonly<Record<string, string>> = {
  xml: "application/xml",
  html: "text/html; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  gz: "application/gzip",
  zip: "application/zip",
};

/** How long to wait for another run of the cases on this machine. Milliseconds. */
const PATIENCE = { each: 200, all: 300_000 };

/** A case on its origins. */
export class CaseServer implements AsyncDisposable {
  /** Counted from 1. */
  moment = 1;
  /** The paths that were asked for at this moment, with the origin before those of the other one. */
  asked: string[] = [];
  #case: Case | undefined;
  readonly #servers: Server[] = [];

  private constructor() {}

  static async start(): Promise<CaseServer> {
    const server = new CaseServer();
    for (const [origin, hosts] of [
      [ORIGIN, ["127.0.0.1"]],
      [OTHER_ORIGIN, ["127.0.0.1", "::1"]],
    ] as const) {
      for (const host of hosts) await server.#listen(origin, host);
    }
    return server;
  }

  /** Serves another case, at its first moment. */
  serve(one: Case): void {
    this.#case = one;
    this.at(1);
  }

  at(moment: number): void {
    this.moment = moment;
    this.asked = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #listen(origin: string, host: string): Promise<void> {
    const until = Date.now() + PATIENCE.all;
    for (;;) {
      const server = createServer(this.#answer(origin));
      const code = await new Promise((resolve) => {
        server.once("error", (error) => resolve("code" in error ? error.code : error));
        server.listen(Number(new URL(origin).port), host, () => resolve(undefined));
      });
      if (code === undefined) {
        this.#servers.push(server);
        return;
      }
      if (host === "::1" && code !== "EADDRINUSE") return;
      if (code !== "EADDRINUSE" || Date.now() > until) throw new Error(`${origin}: ${code}`);
      await new Promise((resolve) => setTimeout(resolve, PATIENCE.each));
    }
  }

  #answer(origin: string): RequestListener {
    return ({ url = "/", method }, response) => {
      const path = new URL(url, origin).pathname + new URL(url, origin).search;
      const name = origin === ORIGIN ? path : origin + path;
      this.asked.push(name);
      const given = this.#case?.moments[this.moment - 1]?.answers?.[name] ?? {};
      const found = this.#bytes(origin, given.file ?? path);
      const status = given.status ?? (found === undefined ? 404 : 200);
      const body = given.body ?? (status === 200 ? found : undefined) ?? "";
      const bytes = Buffer.from(body);
      const headers = { "content-type": typeOf(path), "content-length": bytes.length };
      response.writeHead(status, { ...headers, ...given.headers });
      if (method === "HEAD") response.end();
      else if (given.cut === undefined) response.end(bytes);
      else response.write(bytes.subarray(0, given.cut), () => response.destroy());
    };
  }

  /** A file of this moment, or of the last one before it that has the file. */
  #bytes(origin: string, path: string): Buffer | undefined {
    const folder = origin === ORIGIN ? "site" : "other";
    const file = decodeURIComponent(path.replace(/\?.*$/, "").replace(/\/$/, "/index.html"));
    for (let moment = this.moment; moment > 0; moment -= 1) {
      const candidate = join(this.#case?.folder ?? "", folder, String(moment), file);
      if (existsSync(candidate) && statSync(candidate).isFile()) return readFileSync(candidate);
    }
    return undefined;
  }
}

function typeOf(path: string): string {
  const extension = /\.(\w+)$/.exec(path.replace(/\?.*$/, ""))?.[1] ?? "html";
  return TYPES[path.endsWith("resourcesync") ? "xml" : extension] ?? "application/octet-stream";
}

if (process.argv[1] === import.meta.filename) {
  const { readCase } = await import("./cases.ts");
  const [, , folder = "", moment = "1"] = process.argv;
  const server = await CaseServer.start();
  server.serve(readCase(folder));
  server.at(Number(moment));
  console.log(`${ORIGIN} and ${OTHER_ORIGIN} serve ${folder}, moment ${moment}.`);
}
