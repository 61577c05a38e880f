import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AnyDocument,
  documentChunks,
  kindOf,
  ListWriter,
  openDocument,
  readDocument,
  readDocumentSync,
  streamDocument,
  type WriteOptions,
  writeBounded,
} from "../src/index.ts";
import { anyDocument, documents } from "./arbitrary.ts";
import { hasXmllint } from "./xmllint.ts";

const prefixes = { dcterms: "http://purl.org/dc/terms/", ns1: "urn:taken" };

/** Every writer gives the whole document here. */
const WRITERS = {
  documentChunks: (document: AnyDocument, options: WriteOptions) =>
    Buffer.concat([...documentChunks(document, document.entries, options)]),
  streamDocument: async (document: AnyDocument, options: WriteOptions) =>
    Buffer.concat(await collected(streamDocument(document, document.entries, options))),
  ListWriter: (document: AnyDocument, options: WriteOptions) => {
    const writer = new ListWriter(document, options);
    for (const entry of document.entries) expect(writer.add(entry)).toBe(true);
    expect(writer.finish()).toHaveLength(writer.bytes);
    return Buffer.from(writer.finish());
  },
  writeBounded: async (document: AnyDocument, options: WriteOptions) =>
    Buffer.from(await writeBounded(document, options)),
};

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = [];
  for await (const item of items) array.push(item);
  return array;
}

function text(document: AnyDocument): string {
  return Buffer.concat([...documentChunks(document, document.entries)]).toString();
}

describe.each(Object.entries(documents))("a %s", (kind, arbitrary) => {
  test("is read back as it was written, and known for what it is", () => {
    fc.assert(
      fc.property(arbitrary, (document) => {
        const read = readDocumentSync(text(document));
        expect(read).toEqual(document);
        expect(kindOf(read.root, read.metadata.capability)).toBe(kind);
      }),
    );
  });
});

describe.each(Object.entries(WRITERS))("what %s writes", (_, write) => {
  test.each([{}, { prefixes }])("is read back equal with %j", async (options) => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        expect(await readDocument(await write(document, options))).toEqual(document);
      }),
    );
  });
});

describe("a document that was written", () => {
  test("is read back equal byte by byte", async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const bytes = Array.from(Buffer.from(text(document)), (byte) => Uint8Array.of(byte));
        expect(await readDocument(bytes)).toEqual(document);
      }),
      { numRuns: 40 },
    );
  });

  test("is read back equal character by character of its text, in UTF-16 too", async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, fc.boolean(), async (document, bigEndian) => {
        const bytes = Buffer.from(`\uFEFF${text(document)}`, "utf16le");
        if (bigEndian) bytes.swap16();
        expect(readDocumentSync(bytes)).toEqual(document);
        const odd = [bytes.subarray(0, 7), bytes.subarray(7, 1002), bytes.subarray(1002)];
        expect(await readDocument(odd)).toEqual(document);
      }),
    );
  });

  test("is the same, byte for byte, from every writer", async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const [first, ...others] = await Promise.all(
          Object.values(WRITERS).map((write) => write(document, { prefixes })),
        );
        for (const other of others) expect(other.equals(first ?? Buffer.of())).toBe(true);
      }),
    );
  });

  test("gives its head before its entries", async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const { entries, ...head } = document;
        const reader = await openDocument(text(document));
        expect(reader.head).toEqual(head);
        expect(await collected(reader)).toEqual(entries);
      }),
    );
  });
});

test.skipIf(!hasXmllint)(
  `has one canonical form from xmlbuilder2 and the streaming writer${hasXmllint ? "" : " (skipped: no xmllint)"}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "documents-"));
    for (const [number, document] of fc.sample(anyDocument, 20).entries()) {
      writeFileSync(join(folder, `${number}-bounded.xml`), await writeBounded(document));
      writeFileSync(join(folder, `${number}-streamed.xml`), text(document));
      const [bounded, streamed] = ["bounded", "streamed"].map((writer) =>
        execFileSync("xmllint", ["--c14n", join(folder, `${number}-${writer}.xml`)]),
      );
      expect(bounded?.equals(streamed ?? Buffer.of())).toBe(true);
    }
    rmSync(folder, { recursive: true });
  },
);
