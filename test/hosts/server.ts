import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** A file that a host serves. */
export interface HostedFile {
  readonly bytes: Uint8Array;
  /** When it was stored, UTC seconds. */
  readonly stored: number;
}

/** A web host on this machine. What kind of host it is, its subclasses say. */
export abstract class HostServer implements AsyncDisposable {
  /** What the host has, by path without a slash at its beginning. */
  files = new Map<string, HostedFile>();
  /** UTC seconds. */
  now = () => Date.now() / 1000;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  /** The live site's address, with a slash at its end. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return `http://127.0.0.1:${address.port}/`;
  }

  protected abstract answer(request: IncomingMessage, response: ServerResponse): Promise<void>;

  /** Answers with a file. */
  protected send(response: ServerResponse, status: number, path: string): void {
    const file = this.files.get(path);
    const type = TYPES.find(([pattern]) => pattern.test(path))?.[1] ?? "application/octet-stream";
    response.writeHead(status, { "content-type": type }).end(file?.bytes ?? "Not found");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\.html$/, "text/html"],
  [/\.xml$/, "application/xml"],
  [/\.atom$/, "application/atom+xml"],
  [/\.css$/, "text/css"],
];

/** The path of a request, decoded, without a slash at its beginning. */
export function pathOf({ url = "/" }: IncomingMessage): string {
  return decodeURIComponent(new URL(url, "http://host").pathname).slice(1);
}
