import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { pipeline } from "node:stream";

/**
 * Serves the files of a folder on a port, as a plain web server does. Prints the port. `POST /` tells how many
 * requests were answered since the last one.
 */
const [, , folder = "", port = ""] = process.argv;

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".xml": "application/xml" };
let answered = 0;

const server = createServer(({ method, url = "/", headers }, response) => {
  if (method === "POST") {
    response.end(String(answered));
    answered = 0;
    return;
  }
  answered += 1;
  const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) {
    response.writeHead(404).end();
    return;
  }
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  const modified = stats.mtime.toUTCString();
  const { "if-modified-since": known } = headers;
  if (known !== undefined && Date.parse(known) >= Date.parse(modified)) {
    response.writeHead(304, { "content-type": type, "last-modified": modified }).end();
    return;
  }
  response.writeHead(200, {
    "content-length": stats.size,
    "content-type": type,
    "last-modified": modified,
  });
  if (method === "HEAD") response.end();
  else pipeline(createReadStream(file), response, () => {});
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), "127.0.0.1", () => console.log(port));
