import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

/**
 * Answers `ListRecords` of OAI-PMH 2.0 about the records in a folder, 100 records a page, as repositories do. It
 * holds the records in memory. Prints its port.
 */
const [, , folder = ""] = process.argv;

const PAGE = 100;
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">`;
const CHANGED = "2026-01-01T00:00:00Z";

const records = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /record-\d+\.xml$/.test(name))
  .toSorted()
  .map((name) => ({
    identifier: `oai:example.org:${/(\d+)\.xml$/.exec(name)?.[1]}`,
    metadata: readFileSync(join(folder, name), "utf8"),
  }));

const server = createServer(({ url = "/" }, response) => {
  const { searchParams: asked } = new URL(url, "http://localhost");
  response.setHeader("content-type", "text/xml; charset=utf-8");
  response.end(`${HEAD}
<responseDate>${new Date().toISOString().slice(0, 19)}Z</responseDate>
<request verb="ListRecords">http://127.0.0.1/</request>
${answerTo(asked)}
</OAI-PMH>
`);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address !== "string") console.log(address.port);
});

function answerTo(asked: URLSearchParams): string {
  if (asked.get("verb") !== "ListRecords") return error("badVerb");
  const token = asked.get("resumptionToken");
  if (token === null) {
    return asked.get("metadataPrefix") === "oai_dc" ? page(0) : error("cannotDisseminateFormat");
  }
  const start = Number(token);
  const isPage = Number.isInteger(start / PAGE) && start > 0 && start < records.length;
  return isPage ? page(start) : error("badResumptionToken");
}

function page(start: number): string {
  const some = records.slice(start, start + PAGE).map(
    ({ identifier, metadata }) => `<record>
<header><identifier>${identifier}</identifier><datestamp>${CHANGED}</datestamp></header>
<metadata>${metadata}</metadata>
</record>
`,
  );
  return `<ListRecords>\n${some.join("")}${resumption(start)}</ListRecords>`;
}

/** Empty at the last page of several; no such element where there is one page. */
function resumption(start: number): string {
  const next = start + PAGE;
  if (start === 0 && next >= records.length) return "";
  const token = next < records.length ? next : "";
  const attributes = `completeListSize="${records.length}" cursor="${start}"`;
  return `<resumptionToken ${attributes}>${token}</resumptionToken>\n`;
}

function error(code: string): string {
  return `<error code="${code}"/>`;
}
