import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AnyDocument, ListWriter } from "../src/index.ts";
import { documents } from "./arbitrary.ts";

/** libxml2's command (Debian: libxml2-utils). */
const hasXmllint = spawnSync("xmllint", ["--version"]).status === 0;
const SCHEMAS = join(import.meta.dirname, "../../../../shared/spec/xsd");
const lacking = hasXmllint ? "the framework's schemas" : "xmllint";
const able = hasXmllint && existsSync(SCHEMAS);

function hasEntries({ entries }: AnyDocument): boolean {
  return entries.length > 0;
}

describe("the framework's schema", () => {
  // The schemas demand an entry; the specification has "zero or more" (section 7).
  test.skipIf(!able).each(Object.entries(documents))(
    `accepts every %s that can be written${able ? "" : ` (skipped: without ${lacking})`}`,
    (kind, arbitrary) => {
      const folder = mkdtempSync(join(tmpdir(), "documents-"));
      const samples = fc.sample<AnyDocument>(arbitrary, 150);
      const files = samples.filter(hasEntries).map((document, number) => {
        const file = join(folder, `${number}.xml`);
        const writer = new ListWriter(document);
        for (const entry of document.entries) writer.add(entry);
        writeFileSync(file, writer.finish());
        return file;
      });
      const schema = kind.endsWith("-index") ? "index.xsd" : "list.xsd";
      const options = ["--nonet", "--noout", "--schema", join(SCHEMAS, schema)];
      const { status, stderr } = spawnSync("xmllint", [...options, ...files], { encoding: "utf8" });
      const complaints = stderr.split("\n").filter((line) => line && !line.endsWith(" validates"));
      expect(complaints).toEqual([]);
      expect(status).toBe(0);
      rmSync(folder, { recursive: true });
    },
  );
});
