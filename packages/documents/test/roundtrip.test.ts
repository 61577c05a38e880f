import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import {
  type AnyDocument,
  kindOf,
  ListWriter,
  openDocument,
  readDocument,
  readDocumentSync,
  type WriteOptions,
  writeBounded,
} from "../src/index.ts";
import { anyDocument, documents } from "./arbitrary.ts";

const prefixes = { dcterms: "http://purl.org/dc/terms/", ns1: "urn:taken" };

/** The whole document. */
function write(document: AnyDocument, options: WriteOptions): Buffer {
  const writer = new ListWriter(document, options);
  for (const entry of document.entries) expect(writer.add(entry)).toBe(true);
  const bytes = Buffer.from(writer.finish());
  expect(bytes).toHaveLength(writer.bytes);
  expect(writeBounded(document, options)).toBe(bytes.toString());
  return bytes;
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = [];
  for await (const item of items) array.push(item);
  return array;
}

function text(document: AnyDocument): string {
  return write(document, {}).toString();
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

describe("a document that was written", () => {
  test.each([{}, { prefixes }])("is read back equal with %j", async (options) => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        expect(await readDocument(write(document, options))).toEqual(document);
      }),
    );
  });

  test("is read back equal byte by byte", async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const bytes = Array.from(Buffer.from(text(document)), (byte) => Uint8Array.of(byte));
        expect(await readDocument(bytes)).toEqual(document);
      }),
      { numRuns: rounds(12, 40) },
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
