import { describe, expect, test } from "vitest";
import { decode } from "../src/page/charset.ts";
import { readPage } from "../src/page/read-page.ts";

const title = (...parts: readonly (string | readonly number[])[]) => {
  const bytes = parts.map((part) =>
    typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part),
  );
  return readPage(Buffer.concat(bytes)).title;
};

const NIHONGO = "日本語";
const SHIFT_JIS = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea];
const EUC_JP = [0xc6, 0xfc, 0xcb, 0xdc, 0xb8, 0xec];
const ISO_2022_JP = [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x38, 0x6c, 0x1b, 0x28, 0x42];

describe("a page is read in its own charset", () => {
  test.each([
    ["meta charset", '<meta charset="Shift_JIS">', SHIFT_JIS, NIHONGO],
    [
      "meta http-equiv",
      '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=x-sjis">',
      SHIFT_JIS,
      NIHONGO,
    ],
    ["EUC-JP", "<meta charset=euc-jp>", EUC_JP, NIHONGO],
    ["ISO-2022-JP, which is all ASCII", "<meta charset=iso-2022-jp>", ISO_2022_JP, NIHONGO],
    ["KOI8-R", "<meta charset=koi8-r>", [0xed, 0xc9, 0xd2], "Мир"],
    ["windows-1252 by its older name", "<meta charset=iso-8859-1>", [0x80, 0xe9], "€é"],
    ["XML declaration", '<?xml version="1.0" encoding="euc-jp"?>', EUC_JP, NIHONGO],
    ["UTF-8 said", "<meta charset=utf-8>", [0xc3, 0xa9], "é"],
    ["nothing, in valid UTF-8", "", [0xc3, 0xa9], "é"],
    ["nothing, not in UTF-8: windows-1252", "", [0xe9, 0x93], "é“"],
    ["a charset unknown to all", "<meta charset=klingon>", [0xc3, 0xa9], "é"],
    ["a charset that browsers refuse", "<meta charset=iso-2022-kr>", [0xc3, 0xa9], "é"],
    [
      "a declaration that comes late",
      `<!--${"x".repeat(3000)}--><meta charset=sjis>`,
      SHIFT_JIS,
      NIHONGO,
    ],
  ])("%s", (_, declaration, bytes, expected) => {
    expect(title(declaration, "<title>", bytes, "</title>")).toBe(expected);
  });

  test.each([
    ["UTF-8", [0xef, 0xbb, 0xbf], "utf8"],
    ["UTF-16", [0xff, 0xfe], "utf16le"],
  ] as const)("a byte order mark of %s goes before meta", (_, mark, encoding) => {
    const html = Buffer.from("<meta charset=shift_jis><title>é日</title>", encoding);
    expect(readPage(Buffer.concat([Buffer.from(mark), html])).title).toBe("é日");
  });

  test("big-endian UTF-16 too", () => {
    const html = Buffer.from("\uFEFF<title>日</title>", "utf16le").swap16();
    expect(readPage(html).title).toBe("日");
  });

  test("and the byte order mark is no part of it", () => {
    expect(decode(Buffer.from("\uFEFFHello"))).toBe("Hello");
    expect(decode(new Uint8Array())).toBe("");
  });
});

test("a page's identity is its text's, whatever its charset", () => {
  const page = (declaration: string, bytes: readonly number[]) =>
    readPage(
      Buffer.concat([
        Buffer.from(`${declaration}<main>`),
        Buffer.from(bytes),
        Buffer.from("</main>"),
      ]),
    ).content;
  const utf8 = page("<meta charset=utf-8>", [...Buffer.from(NIHONGO)]);
  expect(page("<meta charset=shift_jis>", SHIFT_JIS)).toBe(utf8);
  expect(page("<meta charset=euc-jp>", EUC_JP)).toBe(utf8);
});

describe("what a charset does not have", () => {
  const read = (declaration: string, text: string | Buffer) =>
    readPage(
      Buffer.concat([Buffer.from(`<meta charset=${declaration}><title>`), Buffer.from(text)]),
    );
  const JAPANESE = {
    sjis: "91db82cc95c782cd97ce82c582b78142",
    eucjp: "c2ddA4cecac9a4cfced0a4c7a4b9a1a3",
  };
  const line = (hex: string) =>
    Buffer.concat([Buffer.from("moss</title><p>"), Buffer.from(hex, "hex")]);

  test.each([
    ["utf-8", line(JAPANESE.sjis), "Shift_JIS", true],
    ["utf-8", line(JAPANESE.eucjp), "EUC-JP", true],
    ["windows-1252", line(JAPANESE.sjis), "Shift_JIS", false],
    ["shift_jis", "moss</title><p>\u68ee\u306e\u58c1\u306f\u7dd1\u3067\u3059", "UTF-8", true],
    [
      "utf-8",
      Buffer.from("m</title><p>Les foug\xe8res sur le mur du vieux jardin", "latin1"),
      undefined,
      false,
    ],
  ])("under %s, %j: saved as %s", (declared, text, likely, isUnreadable) => {
    expect(read(declared, text).undecoded).toEqual({ declared, likely, isUnreadable });
  });

  test.each([
    ["utf-8", "苔の壁"],
    ["shift_jis", line(JAPANESE.sjis)],
    ["utf-8", "a sign that the author wrote: \uFFFD"],
    ["windows-1252", "caf\xc3\xa9"],
  ])("is nothing under %s in %j", (declared, text) => {
    expect(read(declared, text).undecoded).toBeUndefined();
  });

  test("is no title, heading or description", () => {
    const bytes = Buffer.from("foug\xe8res</title><h1>foug\xe8re</h1><p>of the wall", "latin1");
    expect(read("utf-8", bytes)).toMatchObject({ title: undefined, headings: [] });
    const named = Buffer.from("foug\xe8res</title><h1>Ferns</h1><p>of the wall", "latin1");
    expect(read("utf-8", named).title).toBe("Ferns");
  });
});
