import { createServer } from "node:http";
import { documentOf } from "./source-documents.ts";

/**
 * Any number of sources on one port, told apart by their host names: each a log of twenty changes, and one
 * more for each generation. `POST /` begins the next generation: of all sources, or of one in so many with
 * `?changed=50`; with `?failing=100` one in so many fails from then on. `big.test` and `127.0.0.1` have a list of as
 * many entries as the argument says. Prints its port.
 */
const [, , entries = "50000"] = process.argv;

let generation = 0;
let changed = 1;
let failing = 0;

const server = createServer((request, response) => {
  const { host = "", "if-none-match": known } = request.headers;
  if (request.method === "POST") {
    const { searchParams: asked } = new URL(request.url ?? "/", "http://localhost");
    generation += 1;
    changed = Number(asked.get("changed") ?? 1);
    failing = Number(asked.get("failing") ?? 0);
    response.end(String(generation));
    return;
  }
  const number = Number(/^s(\d+)\./.exec(host)?.[1] ?? 0);
  if (isOneIn(failing, number)) {
    response.writeHead(500).end();
    return;
  }
  const current = isOneIn(changed, number) ? generation : 0;
  const site = `http://${host}/`;
  const isList = request.url === "/changelist.xml";
  const etag = isList ? `"g${current}"` : '"s"';
  const body = documentOf(
    request.url ?? "",
    site,
    /^(?:big\.test|127\.0\.0\.1)\b/.test(host) ? Number(entries) : 20 + current,
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

/** One in so many, none for 0. */
function isOneIn(many: number, number: number): boolean {
  return many > 0 && number % many === many - 1;
}
