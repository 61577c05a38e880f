import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, relative } from "node:path";
import { HostServer, pathOf } from "./server.ts";

/**
 * GitHub Pages: each deploy replaces the whole site by an artifact, which
 * `actions/upload-pages-artifact` makes with or without what begins with a dot.
 */
export class GitHubPages extends HostServer {
  isDown = false;

  /**
   * Deploys an artifact.
   *
   * @param hidden the action's `include-hidden-files`
   */
  deploy(folder: string, hidden: boolean): void {
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .filter((path) => hidden || !path.split("/").some((name) => name.startsWith(".")));
    const stored = this.now();
    this.files = new Map(
      paths.map((path) => [path, { bytes: readFileSync(join(folder, path)), stored }]),
    );
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    response.setHeader("server", "GitHub.com");
    if (this.isDown) response.writeHead(503, { "retry-after": "0" }).end();
    else if (this.files.has(path)) this.send(response, 200, path);
    else if (path === "" || path.endsWith("/")) this.#sendOr404(response, `${path}index.html`);
    else if (this.files.has(`${path}/index.html`)) {
      response.writeHead(301, { location: `/${encodeURI(path)}/` }).end();
    } else this.#sendOr404(response, `${path}.html`);
  }

  #sendOr404(response: ServerResponse, path: string): void {
    const isThere = this.files.has(path);
    this.send(response, isThere ? 200 : 404, isThere ? path : "404.html");
  }
}
