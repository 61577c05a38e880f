import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { HostServer, pathOf } from "./server.ts";

const TYPES = /\.(?:html?|css|js|json|md|txt|xml|atom|rss|svg|png|jpe?g|gif|webp|ico|woff2?|ttf)$/i;

/** Of Rack: a request with so many files is refused, unless the server sets another number. */
const RACK_LIMIT = 128;

/**
 * A site on Neocities, and the API behind it, as https://neocities.org/api tells of them: files come one by
 * one, in the order of the request; types are refused; `.html` is redirected; a request to delete that names
 * a missing file, or `index.html`, is refused whole.
 */
export class Neocities extends HostServer {
  readonly key = "3fa9c1";
  readonly name = "example";
  /** Every file that was stored or deleted, in order: `+ path` or `- path`. */
  readonly story: string[] = [];
  /** Bytes of files that each request to upload had. */
  readonly requests: number[] = [];
  /** How many of the next requests are answered with 503. */
  busy = 0;
  /** Bytes the site may have. */
  limit = 1_000_000_000;
  /** Requests that are served before the connection breaks, in the middle of the next upload. */
  breaksAfter = Number.POSITIVE_INFINITY;
  /** What the live site answers instead of a file. */
  readonly answers = new Map<
    string,
    { readonly status: number; readonly text: string } | "never"
  >();
  /** Paths that the live site was asked for, in order. */
  readonly served: string[] = [];
  /** Answers that everything is stored, and stores nothing. */
  forgets = false;

  get api(): string {
    return `${this.url}api/`;
  }

  /** Stores a file as the editor in the browser does. */
  edit(path: string, text: string): void {
    this.files.set(path, { bytes: Buffer.from(text), stored: this.now() });
  }

  /** Deletes what an action that knows only some types of file deletes when it cleans up. */
  cleanUp(isKnown: (path: string) => boolean): void {
    for (const path of [...this.files.keys()]) if (!isKnown(path)) this.files.delete(path);
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    if (this.busy > 0) {
      this.busy -= 1;
      response.writeHead(503, { "retry-after": "0" }).end();
    } else if (path.startsWith("api/")) await this.#answerApi(path.slice(4), request, response);
    else this.#serve(path, request, response);
  }

  #serve(path: string, { url = "" }: IncomingMessage, response: ServerResponse): void {
    if (path.endsWith(".html") && this.files.has(path)) {
      const query = new URL(url, "http://host").search;
      const served = path
        .replace(/(?:index)?\.html$/, "")
        .split("/")
        .map(encodeURIComponent);
      const location = `/${served.join("/")}${query}`;
      response.writeHead(301, { location }).end();
      return;
    }
    this.served.push(path);
    const candidates = [path, `${path}.html`, `${path}index.html`, `${path}/index.html`];
    const found = candidates.find((one) => this.files.has(one));
    const answer = this.answers.get(found ?? path);
    if (answer === "never") return;
    if (answer !== undefined) {
      response.writeHead(answer.status, { "retry-after": "0" }).end(answer.text);
      return;
    }
    this.send(response, found === undefined ? 404 : 200, found ?? "not_found.html");
  }

  async #answerApi(method: string, request: IncomingMessage, response: ServerResponse) {
    const reply = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const refuse = (status: number, error_type: string, message: string) =>
      reply(status, { result: "error", error_type, message });
    if (request.headers.authorization !== `Bearer ${this.key}`) {
      const given = request.headers.authorization ?? "none";
      refuse(403, "invalid_auth", `invalid credentials (${given}) - please check your key`);
      return;
    }
    if (method === "info") {
      const domain = new URL(this.url).host;
      reply(200, { result: "success", info: { sitename: this.name, domain } });
    } else if (method === "list") {
      reply(200, { result: "success", files: this.#list() });
    } else if (method === "delete") {
      const names = new URLSearchParams(String(await bodyOf(request))).getAll("filenames[]");
      const missing = names.find((name) => !this.files.has(name));
      if (missing !== undefined) refuse(400, "missing_files", `${missing} was not found`);
      else if (names.includes("index.html")) {
        refuse(400, "cannot_delete_index", "you cannot delete your index.html file");
      } else {
        for (const name of names) this.#change("-", name);
        reply(200, { result: "success", message: "file(s) have been deleted" });
      }
    } else if (method === "upload") {
      await this.#upload(request, response, reply, refuse);
    } else refuse(404, "not_found", "the requested api call does not exist");
  }

  async #upload(
    request: IncomingMessage,
    response: ServerResponse,
    reply: (status: number, body: object) => void,
    refuse: (status: number, type: string, message: string) => void,
  ): Promise<void> {
    const files = await filesOf(request);
    if (files.length >= RACK_LIMIT) {
      refuse(400, "bad_request", "Maximum file multiparts in content reached");
      return;
    }
    const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.requests.push(size);
    const wrong = files.find(({ path, bytes }) => !isAllowed(path, bytes));
    if (wrong !== undefined) {
      refuse(400, "invalid_file_type", `${wrong.path} is not an allowed file type`);
      return;
    }
    const used = [...this.files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (used + size > this.limit) {
      refuse(400, "file_size_too_large", "files are too large to fit in your space");
      return;
    }
    const isCut = this.requests.length > this.breaksAfter;
    for (const { path, bytes } of isCut ? files.slice(0, files.length / 2) : files) {
      if (!this.forgets) this.#change("+", path, bytes);
    }
    if (isCut) response.destroy();
    else reply(200, { result: "success", message: "your file(s) have been successfully uploaded" });
  }

  #change(sign: "+" | "-", path: string, bytes?: Uint8Array): void {
    this.story.push(`${sign} ${path}`);
    if (bytes === undefined) this.files.delete(path);
    else this.files.set(path, { bytes, stored: this.now() });
  }

  #list(): object[] {
    const folders = new Set<string>();
    for (const path of this.files.keys()) {
      if (path.includes("/")) folders.add(path.slice(0, path.lastIndexOf("/")));
    }
    return [
      ...[...folders].map((path) => ({ path, is_directory: true })),
      ...[...this.files].map(([path, { bytes, stored }]) => ({
        path,
        is_directory: false,
        size: bytes.length,
        sha1_hash: hash("sha1", bytes, "hex"),
        updated_at: new Date(stored * 1000).toUTCString().replace("GMT", "-0000"),
      })),
    ];
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function filesOf(request: IncomingMessage) {
  const type = request.headers["content-type"] ?? "";
  const body = new Uint8Array(await bodyOf(request));
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const files: { path: string; bytes: Uint8Array }[] = [];
  for (const [path, value] of form) {
    if (typeof value === "string") continue;
    files.push({ path, bytes: new Uint8Array(await value.arrayBuffer()) });
  }
  return files;
}

/** What has no ending is taken where it looks like text. */
function isAllowed(path: string, bytes: Uint8Array): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return TYPES.test(name) || (!name.includes(".") && !bytes.includes(0));
}
