import { createServer } from "node:http";
import { documentOf } from "./source-documents.ts";

/**
 * Any number of sources on one port, told apart by their host names: each a log of twenty changes, and one
 * more for each generation. `POST /` begins the next generation; `big.test` and `127.0.0.1` have a list of as many
 * entries as the argument says. Prints its port.
 */
const [, , entries = "50000"] = process.argv;

let generation = 0;

const server = createServer((request, response) => {
  const { host = "", "if-none-match": known } = request.headers;
  if (request.method === "POST") {
    generation += 1;
    response.end(String(generation));
    return;
  }
  const site = `http://${host}/`;
  const isList = request.url === "/changelist.xml";
  const etag = isList ? `"g${generation}"` : '"s"';
  const body = documentOf(
    request.url ?? "",
    site,
    /^(?:big\.test|127\.0\.0\.1)\b/.test(host) ? Number(entries) : 20 + generation,
  );
  if (body === undefined) response.writeHead(404).end();
  else if (known === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { etag, "content-type": "application/xml" }).end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address !== "string") console.log(address.port);
});
