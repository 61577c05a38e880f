import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate is made by openssl. */
export const NO_OPENSSL = spawnSync("openssl", ["version"]).status !== 0;

export interface SecureRequest {
  readonly host: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

interface SecureAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** This machine by https, under names below `.test` too, with a certificate that nobody but itself has signed. */
export class SecureServer implements AsyncDisposable {
  readonly requests: SecureRequest[] = [];
  readonly port: number;
  /** PEM, and the file that holds it. */
  readonly certificate: string;
  readonly certificateFile: string;
  answer: (request: SecureRequest) => SecureAnswer = () => ({ body: "x" });
  readonly #server: Server;
  readonly #folder: string;

  private constructor(server: Server, folder: string, certificateFile: string) {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    this.port = address.port;
    this.certificateFile = certificateFile;
    this.certificate = readFileSync(certificateFile, "utf8");
    this.#server = server;
    this.#folder = folder;
    server.on("request", ({ headers, url = "" }, response) => {
      const request = { host: headers.host ?? "", path: url, headers };
      this.requests.push(request);
      const { status = 200, headers: more = {}, body = "" } = this.answer(request);
      response.writeHead(status, more).end(body);
    });
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
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return new SecureServer(server, folder, cert);
  }

  urlOf(host: string, path = "/"): string {
    return `https://${host}:${this.port}${path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true });
  }
}
