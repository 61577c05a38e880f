import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ComposedDocument, isSame, lengthOf } from "../src/write/composed-document.ts";
import { temporaryFolder } from "./support/site.ts";

const TEXT = "<urlset>ä</urlset>\n";
const BYTES = Buffer.from(TEXT);
const path = "resourcelist.xml";

function forms(folder: string): readonly ComposedDocument[] {
  const copyOf = join(folder, "elsewhere.xml");
  writeFileSync(copyOf, TEXT);
  // A character may stand in two chunks.
  const chunks = [BYTES.subarray(0, 9), BYTES.subarray(9)];
  return [
    { path, bytes: BYTES },
    { path, chunks },
    { path, copyOf },
  ];
}

describe.each([0, 1, 2])("a document, in its form %i,", (form) => {
  function prepare() {
    const folder = temporaryFolder();
    const document = forms(folder)[form] ?? { path, bytes: Buffer.of() };
    return { folder, document, length: lengthOf(document) };
  }

  test("has its length in bytes", () => {
    expect(prepare().length).toBe(BYTES.length);
  });

  test.each([
    ["the same bytes", TEXT, true],
    ["other bytes of that length", TEXT.replace("ä", "ö"), false],
    ["the beginning", TEXT.slice(0, -1), false],
    ["more", `${TEXT} `, false],
  ])("beside a file with %s", (_, there, expected) => {
    const { folder, document, length } = prepare();
    const target = join(folder, path);
    writeFileSync(target, there);
    expect(isSame(target, document, length)).toBe(expected);
  });

  test("is not where nothing is, nor where a folder is", () => {
    const { folder, document, length } = prepare();
    const inFolder = join(folder, "folder");
    mkdirSync(inFolder);
    for (const place of [join(folder, "nothing"), inFolder]) {
      expect(isSame(place, document, length)).toBe(false);
    }
  });
});
