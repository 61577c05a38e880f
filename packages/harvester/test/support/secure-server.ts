import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate is made by openssl. */
export const NO_OPENSSL = spawnSync("openssl", ["version"]).status !== 0;

export interface SecureRequest {
  readonly host: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
}

interface SecureAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * This machine by https, under names below `.test` too, with a certificate that nobody but itself has signed. On the same
 * port it answers by http.
 */
export class SecureServer implements AsyncDisposable {
  readonly requests: SecureRequest[] = [];
  /** What was asked by http. */
  readonly plainRequests: SecureRequest[] = [];
  readonly port: number;
  /** PEM, and the file that holds it. */
  readonly certificate: string;
  readonly certificateFile: string;
  answer: (request: SecureRequest) => SecureAnswer = () => ({ body: "x" });
  plainAnswer: (request: SecureRequest) => SecureAnswer = () => ({ body: "x" });
  readonly #servers: readonly Server[];
  readonly #sockets: ReadonlySet<Socket>;
  readonly #folder: string;

  private constructor(
    { server, secure, plain, sockets }: Listening,
    folder: string,
    certificateFile: string,
  ) {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    this.port = address.port;
    this.certificateFile = certificateFile;
    this.certificate = readFileSync(certificateFile, "utf8");
    this.#servers = [server, secure, plain];
    this.#folder = folder;
    this.#sockets = sockets;
    secure.on("request", (message, response) =>
      reply(message, response, this.requests, (request) => this.answer(request)),
    );
    plain.on("request", (message, response) =>
      reply(message, response, this.plainRequests, (request) => this.plainAnswer(request)),
    );
  }

  static async start(): Promise<SecureServer> {
    const folder = mkdtempSync(join(tmpdir(), "harvester-secure-"));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const names = "subjectAltName=DNS:example.test,DNS:*.example.test,IP:127.0.0.1";
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
        ...["-subj", "/CN=example.test", "-addext", names, "-keyout", key, "-out", cert],
      ],
      { stdio: "ignore" },
    );
    const listening = await listen({ key: readFileSync(key), cert: readFileSync(cert) });
    return new SecureServer(listening, folder, cert);
  }

  urlOf(host: string, path = "/"): string {
    return `https://${host}:${this.port}${path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) await new Promise((resolve) => server.close(resolve));
    rmSync(this.#folder, { recursive: true });
  }
}

interface Listening {
  readonly server: Server;
  readonly secure: https.Server;
  readonly plain: http.Server;
  readonly sockets: ReadonlySet<Socket>;
}

/** Both protocols on one port, told apart by the first byte (RFC 8446, section 5.1: 22 is a handshake). */
async function listen(options: https.ServerOptions): Promise<Listening> {
  const [secure, plain] = [https.createServer(options), http.createServer()];
  const servers = [await listening(secure), await listening(plain)] as const;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => {}));
    socket.once("data", (chunk) => {
      const target = connect(servers[chunk[0] === 22 ? 0 : 1], "127.0.0.1");
      target.on("error", () => socket.destroy());
      target.write(chunk);
      socket.pipe(target).pipe(socket);
    });
  });
  await listening(server);
  return { server, secure, plain, sockets };
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function reply(
  { headers, url = "" }: http.IncomingMessage,
  response: http.ServerResponse,
  requests: SecureRequest[],
  answer: (request: SecureRequest) => SecureAnswer,
): void {
  const request = { host: headers.host ?? "", path: url, headers };
  requests.push(request);
  const { status = 200, headers: more = {}, body = "" } = answer(request);
  response.writeHead(status, more).end(body);
}
