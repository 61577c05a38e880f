import { describe, expect, test } from "vitest";
import { type ParsedDocument, readDocument, readDocumentSync } from "../src/index.ts";

const TITLE = "Grüße, 世界 𝄞";

function document(title: string, encoding?: string): string {
  const declaration = encoding === undefined ? "" : `<?xml version="1.0" encoding="${encoding}"?>`;
  return (
    `${declaration}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"` +
    ` xmlns:rs="http://www.openarchives.org/rs/terms/">\n` +
    `<rs:md xmlns:t="urn:t" capability="resourcelist" t:title="${title}"/></urlset>`
  );
}

function utf16(text: string, bigEndian: boolean): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
}

function titleOf({ metadata }: ParsedDocument): string | undefined {
  return metadata.foreign?.[0]?.value;
}

async function expectTitle(bytes: Uint8Array, title: string): Promise<void> {
  expect(titleOf(readDocumentSync(bytes))).toBe(title);
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  expect(titleOf(await readDocument(single))).toBe(title);
}

describe("a document is read in", () => {
  test.each([
    ["UTF-8", Buffer.from(document(TITLE))],
    ["UTF-8, declared", Buffer.from(document(TITLE, "UTF-8"))],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${document(TITLE, "utf-8")}`)],
    ["UTF-8 after a line end", Buffer.from(`\r\n\t ${document(TITLE, "utf-8")}`)],
    ["UTF-8 after much white space", Buffer.from("\n".repeat(5000) + document(TITLE, "utf-8"))],
    ["UTF-8 with a mark and a line end", Buffer.from(`\uFEFF\n${document(TITLE, "utf-8")}`)],
    ["UTF-16LE with a mark and a line end", utf16(`\uFEFF\n${document(TITLE, "UTF-16")}`, false)],
    ["UTF-8, declared as UTF-16 by mistake", Buffer.from(document(TITLE, "UTF-16"))],
    ["UTF-16LE with a byte order mark", utf16(`\uFEFF${document(TITLE, "UTF-16")}`, false)],
    ["UTF-16BE with a byte order mark", utf16(`\uFEFF${document(TITLE)}`, true)],
    ["UTF-16LE without one", utf16(document(TITLE, "UTF-16"), false)],
    ["UTF-16BE without one", utf16(document(TITLE), true)],
  ])("%s", async (_, bytes) => {
    await expectTitle(bytes, TITLE);
  });

  test("a declared encoding after a line end, and errors at their lines", () => {
    const late = Buffer.from(`\n\n${document("é", "ISO-8859-1")}`, "latin1");
    expect(titleOf(readDocumentSync(late))).toBe("é");
    expect(() => readDocumentSync(`\n\n${document(TITLE, "utf-8")}<x`)).toThrow(/^Line 4,/);
    expect(() => readDocumentSync(`x${document(TITLE, "utf-8")}`)).toThrow(/Line 1/);
    expect(() => readDocumentSync(`\u00a0${document(TITLE, "utf-8")}`)).toThrow(/Line 1/);
  });

  test.each([
    ["ISO-8859-1", [0xe9], "é"],
    ["windows-1252", [0x80, 0x93], "€“"],
    ["ISO-8859-15", [0xa4], "€"],
    ["koi8-r", [0xc1], "а"],
    ["Shift_JIS", [0x93, 0xfa, 0x96, 0x7b], "日本"],
    ["EUC-JP", [0xc6, 0xfc], "日"],
    ["gb18030", [0xca, 0xc0], "世"],
    ["big5", [0xa5, 0x40], "世"],
    ["US-ASCII", [0x41], "A"],
  ])("the declared %s", async (encoding, bytes, title) => {
    const [before, after] = document("*", encoding)
      .split("*")
      .map((part) => Buffer.from(part));
    const whole = Buffer.concat([before ?? Buffer.of(), Buffer.of(...bytes), after ?? Buffer.of()]);
    await expectTitle(whole, title);
  });
});

describe("a document is refused", () => {
  test.each([
    [
      "an encoding nobody knows",
      document("", "x-none"),
      1,
      1,
      'the encoding "x-none" is not known',
    ],
    ["bytes that are not UTF-8", document("*"), 2, 59, "bytes that are not utf-8"],
    ["bytes that are not what is declared", document("*", "euc-jp"), 2, 59, "not euc-jp"],
    ["an end amid a character", `${document("")}<!--*`, 2, 75, "a character is cut off in utf-8"],
  ])("for %s", async (_, text, line, column, problem) => {
    const bytes = Buffer.from(text.replace("*", "\uE000"), "utf8");
    const marker = bytes.indexOf("\uE000");
    const bad = text.includes("<!--*")
      ? bytes.subarray(0, marker + 2)
      : Buffer.concat([bytes.subarray(0, marker), Buffer.of(0xff), bytes.subarray(marker + 3)]);
    for (const pieces of [[bad], Array.from(bad, (byte) => Uint8Array.of(byte))]) {
      const error = await readDocument(pieces).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "ENCODING" });
      expect(error).toMatchObject({ code: "ENCODING", at: { line, column } });
      expect(error).toHaveProperty("message", expect.stringContaining(problem));
    }
  });

  test("for half of a UTF-16 pair, in its place", async () => {
    const bytes = utf16(document("ab*"), false);
    bytes.writeUInt16LE(0xd834, bytes.indexOf(utf16("*", false)));
    for (const pieces of [[bytes], [bytes.subarray(0, 301), bytes.subarray(301)]]) {
      const reading = readDocument(pieces);
      await expect(reading).rejects.toMatchObject({
        code: "ENCODING",
        at: { line: 2, column: 61 },
      });
    }
  });

  test("for compressed bytes, by name", () => {
    expect(() => readDocumentSync(Buffer.of(0x1f, 0x8b, 8, 0, 0, 0))).toThrow('"gzip"');
  });

  test("for UTF-32", () => {
    const bytes = Buffer.of(0, 0, 0xfe, 0xff, 0, 0, 0, 0x3c);
    expect(() => readDocumentSync(bytes)).toThrow(expect.objectContaining({ code: "ENCODING" }));
  });
});
