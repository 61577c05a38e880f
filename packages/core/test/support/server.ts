import { existsSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** What a server does instead of serving the file. */
export type Answer = (response: ServerResponse, path: string) => void;

/** A request as it arrived. */
export interface SeenRequest {
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A host on this machine that serves a folder below a base path, and can be told to misbehave. */
export interface TestHost {
  /** The site's URL; ends with a slash. */
  readonly url: string;
  /** Every request so far. */
  readonly requests: SeenRequest[];
  /** Answers for paths below the site; `*` for every other one. */
  readonly answers: Map<string, Answer>;
  /** The folder that is served; a deploy puts another one in its place. */
  folder: string;
  /** Its clock, where it tells it. */
  date: string | undefined;
  close(): Promise<void>;
}

/** Starts a host, and closes it when the test ends. */
export async function serve(folder: string, base = "/"): Promise<TestHost> {
  const requests: SeenRequest[] = [];
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    requests.push({ path: pathname, query: search, headers: request.headers });
    const path = decodeURIComponent(pathname.slice(base.length));
    response.sendDate = false;
    if (host.date !== undefined) response.setHeader("date", new Date(host.date).toUTCString());
    const answer = answers.get(path) ?? answers.get("*");
    if (answer === undefined)
      serveFile(host.folder, pathname.startsWith(base) ? path : "", response);
    else answer(response, path);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const host: TestHost = {
    url: `http://127.0.0.1:${address.port}${base}`,
    requests,
    answers,
    folder,
    date: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  onTestFinished(() => host.close());
  return host;
}

function serveFile(folder: string, path: string, response: ServerResponse): void {
  const file = join(folder, path);
  if (path === "" || path.endsWith("/") || !existsSync(file)) response.writeHead(404).end();
  else response.writeHead(200).end(readFileSync(file));
}

/** A status with a web page, as hosts answer; a busy host may be asked again at once. */
export function status(code: number, page = `<!doctype html><title>${code}</title>`): Answer {
  const headers = { "content-type": "text/html", "retry-after": "0" };
  return (response) => void response.writeHead(code, headers).end(page);
}

/** A web page that tells which address was asked for. */
export const page: Answer = (response, path) =>
  void response.end(`\n<!DOCTYPE html><html><title>Welcome to ${path}</title></html>`);

export function redirect(location: string): Answer {
  return (response) => void response.writeHead(302, { location }).end();
}

export function bytes(body: string | Uint8Array, headers: Record<string, string> = {}): Answer {
  return (response) => void response.writeHead(200, headers).end(body);
}

/** Promises more than it sends, and hangs up. */
export const truncated: Answer = (response) => {
  response.writeHead(200, { "content-length": "1000" });
  response.write("<urlset", () => response.destroy());
};

/** Never answers. */
export const hang: Answer = () => {};
