import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generated } from "../places.ts";
import { PORT, publishServed } from "./served-site.ts";
import { writer } from "./words.ts";

const PER_FOLDER = 1000;
const NAMESPACES =
  'xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"';

/** A folder of records in Dublin Core of 1 KB each, as it is served: a file a record. */
export function recordsSite(records: number): Promise<string> {
  return generated(`records-${records}-at-${PORT}`, (folder) => {
    const text = writer(31);
    for (let record = 0; record < records; record += 1) {
      const part = join(folder, `part-${Math.floor(record / PER_FOLDER)}`);
      if (record % PER_FOLDER === 0) mkdirSync(part);
      writeFileSync(join(part, `record-${record}.xml`), recordOf(record, text));
    }
    publishServed(folder, "--first", "--include", "part-*/*.xml");
  });
}

function recordOf(record: number, text: (words: number) => string): string {
  return `<oai_dc:dc ${NAMESPACES}>
  <dc:identifier>oai:example.org:${record}</dc:identifier>
  <dc:title>${text(8)}</dc:title>
  <dc:creator>${text(2)}</dc:creator>
  <dc:subject>${text(3)}</dc:subject>
  <dc:date>${2000 + (record % 26)}-01-01</dc:date>
  <dc:type>Text</dc:type>
  <dc:description>${text(110)}</dc:description>
</oai_dc:dc>
`;
}
