import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { Agent } from "undici";

/**
 * Harvests a repository by OAI-PMH, page after page, and writes each record into a file: a bare loop, which keeps
 * nothing to go on from. Fails where the records are not as many as is said.
 */
const [, , origin = "", folder = "", expected = ""] = process.argv;

const PER_FOLDER = 1000;
const agent = new Agent({ connections: 1 });
let written = 0;
let token: string | undefined = "";
while (token !== undefined) {
  const query = token === "" ? "metadataPrefix=oai_dc" : `resumptionToken=${token}`;
  const path = `/?verb=ListRecords&${query}`;
  const { body } = await agent.request({ origin, path, method: "GET" });
  token = take(await body.text());
}
await agent.close();
if (written !== Number(expected)) throw new Error(`${written} of ${expected} records`);

/** @returns the token of the next page; none after the last one */
function take(xml: string): string | undefined {
  const parser = new SaxesParser();
  let text = "";
  let start = 0;
  let next: string | undefined;
  parser.on("text", (some) => {
    text += some;
  });
  parser.on("opentag", ({ name }) => {
    text = "";
    if (name === "metadata") start = parser.position;
  });
  parser.on("closetag", ({ name }) => {
    if (name === "metadata") write(xml.slice(start, parser.position - "</metadata>".length));
    if (name === "error") throw new Error("the repository answers with an error");
    if (name === "resumptionToken" && text !== "") next = text;
  });
  parser.write(xml).close();
  return next;
}

function write(record: string): void {
  const part = join(folder, `part-${Math.floor(written / PER_FOLDER)}`);
  if (written % PER_FOLDER === 0) mkdirSync(part, { recursive: true });
  writeFileSync(join(part, `record-${written}.xml`), record);
  written += 1;
}
