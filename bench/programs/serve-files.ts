import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream";

/** Serves the files of a folder on a port, as a plain web server does. Prints the port. */
const [, , folder = "", port = ""] = process.argv;

const server = createServer(({ url = "/" }, response) => {
  const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    "content-length": stats.size,
    "last-modified": stats.mtime.toUTCString(),
  });
  pipeline(createReadStream(file), response, () => {});
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), "127.0.0.1", () => console.log(port));
