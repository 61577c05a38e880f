import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import {
  Freshness,
  perform,
  type RecordedRequest,
  type Script,
  type ScriptedAnswer,
} from "./scripted.ts";

/**
 * Many sites on one port of this machine, told apart by the name that is asked. Each answers as it is
 * told: by itself a body has a length and validators, and is not sent to who has it (304); what
 * nobody told of is 404, and a name that is no site is 421.
 */
export class SiteServer implements AsyncDisposable {
  /** Every request so far, in the order of arrival. */
  readonly requests: RecordedRequest[] = [];
  /** How many connections were ever opened. */
  connections = 0;
  readonly port: number;
  readonly #server: Server;
  readonly #now: () => number;
  readonly #sites = new Map<string, Site>();
  readonly #closing = new AbortController();

  private constructor(server: Server, port: number, now: () => number) {
    this.#server = server;
    this.#now = now;
    this.port = port;
    server.on("connection", () => {
      this.connections += 1;
    });
    server.on("request", (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** @param now the hosts' clock, UTC seconds: when requests came, and since when a body is as it is */
  static async start(now: () => number = () => Date.now() / 1000): Promise<SiteServer> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return new SiteServer(server, address.port, now);
  }

  /** The site of a name, such as `example.test`: the same one each time. */
  site(host: string): Site {
    const site = this.#sites.get(host) ?? new Site(host, this);
    this.#sites.set(host, site);
    return site;
  }

  /** Forgets all sites, and what was asked. */
  reset(): void {
    this.#sites.clear();
    this.requests.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = record(message, this.#now());
    response.setHeader("date", new Date(request.time * 1000).toUTCString());
    this.requests.push(request);
    const site = this.#sites.get(request.host);
    if (site === undefined) response.writeHead(421).end("not a site of this server");
    else {
      const answer = await site.reply(request);
      const { signal } = this.#closing;
      if (answer.delay !== undefined) await pause(answer.delay, undefined, { signal });
      await send(answer, response, site.freshness(request, answer, this.#now()));
    }
  }
}

/** One name on a `SiteServer`. */
export class Site {
  readonly host: string;
  /** Ends with a slash. */
  readonly url: string;
  readonly #server: SiteServer;
  readonly #scripts = new Map<string, Script>();
  readonly #freshness = new Map<string, Freshness>();

  constructor(host: string, server: SiteServer) {
    this.host = host;
    this.url = `http://${host}:${server.port}/`;
    this.#server = server;
  }

  /** The URL of a path, which may begin with a slash. */
  urlOf(path: string): string {
    return new URL(path, this.url).href;
  }

  /**
   * What a path answers from now on.
   *
   * @param path with the query; `*` stands for every path that has no answer of its own
   */
  answer(path: string, script: Script): this {
    this.#scripts.set(path === "*" ? path : this.#pathOf(path), script);
    return this;
  }

  /** Answers with the files of a folder from now on. */
  serve(folder: string): this {
    return this.answer("*", ({ path }) => {
      const file = join(folder, new URL(path, this.url).pathname);
      const isThere = existsSync(file) && statSync(file).isFile();
      return isThere ? readFileSync(file) : { status: 404, body: "not here" };
    });
  }

  /** What was asked of this site so far. */
  get requests(): RecordedRequest[] {
    return this.#server.requests.filter(({ host }) => host === this.host);
  }

  /** What the site answers to a request. */
  async reply(request: RecordedRequest): Promise<ScriptedAnswer> {
    const script = this.#scripts.get(request.path) ?? this.#scripts.get("*");
    return script === undefined ? { status: 404, body: "not here" } : perform(script, request);
  }

  /** Validators of what is answered, remembered from answer to answer; none where it is no plain body. */
  freshness(request: RecordedRequest, answer: ScriptedAnswer, now: number): Freshness | undefined {
    const { status = 200, body } = answer;
    if (status !== 200 || (typeof body !== "string" && !(body instanceof Uint8Array))) return;
    const freshness = new Freshness(body, now, this.#freshness.get(request.path));
    this.#freshness.set(request.path, freshness);
    return freshness;
  }

  #pathOf(path: string): string {
    const { pathname, search } = new URL(path, this.url);
    return pathname + search;
  }
}

function record(message: IncomingMessage, time: number): RecordedRequest {
  const { method = "", headers, url = "" } = message;
  const host = (headers.host ?? "").replace(/:\d+$/, "");
  return { time, method, host, path: url, headers };
}

async function send(
  answer: ScriptedAnswer,
  response: ServerResponse,
  freshness: Freshness | undefined,
): Promise<void> {
  const { status = 200, body = "", cut, raw } = answer;
  if (raw !== undefined) {
    response.socket?.end(raw);
    return;
  }
  const isKnown = freshness?.isKnownTo(response.req.headers) ?? false;
  response.statusCode = isKnown && leavesValidators(answer) ? 304 : status;
  setHeaders(response, answer, freshness);
  if (response.statusCode === 304) response.end();
  else if (typeof body !== "string" && !(body instanceof Uint8Array)) await stream(body, response);
  // As bytes: a string would take the headers along into its encoding.
  else if (cut === undefined) response.end(Buffer.from(body));
  else response.write(Buffer.from(body).subarray(0, cut), () => response.destroy());
}

/** A script that sets validators itself also says itself when nothing changed. */
function leavesValidators({ headers = {} }: ScriptedAnswer): boolean {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return !names.includes("etag") && !names.includes("last-modified");
}

function setHeaders(
  response: ServerResponse,
  { body = "", headers = {} }: ScriptedAnswer,
  freshness: Freshness | undefined,
): void {
  if (freshness !== undefined) {
    response.setHeader("etag", freshness.etag);
    response.setHeader("last-modified", freshness.lastModified);
  }
  const isPlain = typeof body === "string" || body instanceof Uint8Array;
  const hasBody = response.statusCode >= 200 && ![204, 304].includes(response.statusCode);
  if (isPlain && hasBody) response.setHeader("content-length", Buffer.byteLength(body));
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) response.removeHeader(name);
    else response.setHeader(name, typeof value === "string" ? value : [...value]);
  }
}

async function stream(
  chunks: AsyncIterable<string | Uint8Array>,
  response: ServerResponse,
): Promise<void> {
  response.flushHeaders();
  // Ends by itself when the client is gone.
  await pipeline(Readable.from(chunks), response);
}
