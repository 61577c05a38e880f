import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A web host on this machine; it goes away with the process of the tests. */
export async function host(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return `http://127.0.0.1:${portOf(server.address())}/`;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Serves a folder as hosts do, except for what it hides. */
export function serve(
  folder: string,
  hides: (path: string) => boolean = () => false,
): RequestListener {
  return ({ url = "/" }, response) => {
    const path = decodeURIComponent(new URL(url, "http://host").pathname);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    const isThere = !hides(path) && existsSync(file) && statSync(file).isFile();
    response.writeHead(isThere ? 200 : 404).end(isThere ? readFileSync(file) : "not here");
  };
}

/** Answers everything in one way; a busy host may be asked again at once. */
export function always(status: number, body = "", headers = {}): RequestListener {
  return (_, response) => response.writeHead(status, { "retry-after": "0", ...headers }).end(body);
}
