import { createServer } from "node:http";

/**
 * Any number of sources on one port, told apart by their host names: each a log of twenty changes, and one
 * more for each generation. `POST /` begins the next generation; `big.test` has a list of as many entries as
 * the argument says. Prints its port.
 */
const [, , entries = "50000"] = process.argv;

const URLSET =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">';
const BEGIN = Math.floor(Date.now() / 1000) - 10 * 86_400;
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
  const body = documentOf(request.url ?? "", site, host.startsWith("big.test"));
  if (body === undefined) response.writeHead(404).end();
  else if (known === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { etag, "content-type": "application/xml" }).end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address !== "string") console.log(address.port);
});

function documentOf(path: string, site: string, isBig: boolean): string | undefined {
  switch (path) {
    case "/.well-known/resourcesync":
      return `${URLSET}<rs:md capability="description"/><url><loc>${site}capabilitylist.xml</loc><rs:md capability="capabilitylist"/><rs:ln rel="describes" href="${site}"/></url></urlset>`;
    case "/capabilitylist.xml":
      return `${URLSET}<rs:ln rel="up" href="${site}.well-known/resourcesync"/><rs:ln rel="describes" href="${site}"/><rs:md capability="capabilitylist"/><url><loc>${site}changelist.xml</loc><rs:md capability="changelist"/></url></urlset>`;
    case "/changelist.xml":
      return changeList(site, isBig ? Number(entries) : 20 + generation);
    default:
      return undefined;
  }
}

function changeList(site: string, count: number): string {
  const head = `${URLSET}<rs:ln rel="up" href="${site}capabilitylist.xml"/><rs:md capability="changelist" from="${datetime(0)}"/>`;
  const changes = Array.from({ length: count }, (_, at) => changeOf(site, at));
  return `${head}${changes.join("")}</urlset>`;
}

function changeOf(site: string, at: number): string {
  const time = datetime(at);
  const hash = String(at).padStart(64, "0");
  return `<url><loc>${site}pages/${at}/</loc><lastmod>${time}</lastmod><rs:md change="updated" datetime="${time}" hash="sha-256:${hash}" length="1234" type="text/html"/></url>`;
}

function datetime(at: number): string {
  return `${new Date((BEGIN + at) * 1000).toISOString().slice(0, 19)}Z`;
}
