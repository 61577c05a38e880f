import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Entry, readDocumentSync, splitList, type WrittenList } from "../src/index.ts";
import { changeList, resourceList } from "./heads.ts";

const naming = {
  list: { name: "list.xml", url: "https://example.org/list.xml" },
  part: (number: number) => ({
    name: `list-part${number}.xml`,
    url: `https://example.org/list-part${number}.xml`,
  }),
};

function page(number: number): Entry {
  return { loc: `https://example.org/${number}` };
}

function change(number: number): Entry {
  const datetime = `2026-10-0${number}T00:00:00Z`;
  return { ...page(number), metadata: { change: "updated", datetime } };
}

const read = ({ chunks }: WrittenList) => readDocumentSync(Buffer.concat(chunks));

describe("a list within the limits", () => {
  test("is one document, in the place of the list, without an index", () => {
    const documents = [...splitList(resourceList, [page(1), page(2)], naming)];
    expect(documents).toMatchObject([{ role: "list", name: "list.xml", entries: 2 }]);
    expect(documents.map(read)).toEqual([{ ...resourceList, entries: [page(1), page(2)] }]);
  });

  test("may be empty", () => {
    const documents = [...splitList(changeList, [], naming)];
    expect(documents.map(read)).toEqual([{ ...changeList, entries: [] }]);
  });

  test("keeps the end of its interval", () => {
    const metadata = { ...changeList.metadata, until: "2026-11-01T00:00:00Z" };
    const [document] = splitList({ ...changeList, metadata }, [change(2)], naming);
    expect(document && read(document).metadata).toEqual(metadata);
  });
});

describe("a snapshot past the limits", () => {
  const pages = [1, 2, 3, 4, 5].map(page);
  const metadata = { ...resourceList.metadata, completed: "2026-10-01T00:01:00Z" };
  const documents = [...splitList({ ...resourceList, metadata }, pages, naming, { entries: 2 })];
  const [first, , third, index] = documents;

  test("is told in parts, with the index last", () => {
    expect(documents.map(({ role, name, entries }) => [role, name, entries])).toEqual([
      ["part", "list-part1.xml", 2],
      ["part", "list-part2.xml", 2],
      ["part", "list-part3.xml", 1],
      ["index", "list.xml", 3],
    ]);
    expect(third && read(third).entries).toEqual([page(5)]);
  });

  test("has parts that say what the whole says, and where their index is", () => {
    expect(first && read(first)).toMatchObject({
      root: "urlset",
      metadata,
      links: [...resourceList.links, { rel: "index", href: "https://example.org/list.xml" }],
    });
  });

  test("has an index that tells each part's times, digest and length", () => {
    const parts = documents.slice(0, 3).map(({ url, chunks }) => {
      const bytes = Buffer.concat(chunks);
      const hash = `sha-256:${createHash("sha256").update(bytes).digest("hex")}`;
      const { at, completed } = metadata;
      return { loc: url, metadata: { at, completed, hash, length: String(bytes.length) } };
    });
    expect(index && read(index)).toEqual({
      ...resourceList,
      root: "sitemapindex",
      metadata,
      entries: parts,
    });
  });
});

describe("changes past the limits", () => {
  const changes = [2, 3, 3, 3, 5].map(change);

  test("are told in intervals without gap: all closed but the last", () => {
    const documents = [...splitList(changeList, changes, naming, { entries: 2 })];
    expect(documents.map((document) => read(document).metadata)).toEqual([
      { capability: "changelist", from: "2026-10-01T00:00:00Z", until: "2026-10-03T00:00:00Z" },
      { capability: "changelist", from: "2026-10-03T00:00:00Z", until: "2026-10-05T00:00:00Z" },
      { capability: "changelist", from: "2026-10-05T00:00:00Z" },
      { capability: "changelist", from: "2026-10-01T00:00:00Z" },
    ]);
    expect(
      documents
        .map(read)
        .at(-1)
        ?.entries.map(({ metadata }) => metadata),
    ).toMatchObject([
      { from: "2026-10-01T00:00:00Z", until: "2026-10-03T00:00:00Z" },
      { from: "2026-10-03T00:00:00Z", until: "2026-10-05T00:00:00Z" },
      { from: "2026-10-05T00:00:00Z" },
    ]);
  });

  test("are closed to the last where the whole is", () => {
    const metadata = { ...changeList.metadata, until: "2026-11-01T00:00:00Z" };
    const documents = [...splitList({ ...changeList, metadata }, changes, naming, { entries: 3 })];
    expect(documents.map((document) => read(document).metadata.until)).toEqual([
      "2026-10-03T00:00:00Z",
      "2026-11-01T00:00:00Z",
      "2026-11-01T00:00:00Z",
    ]);
  });

  test("cannot be parted at a change without datetime", () => {
    const undated: Entry = { ...page(9), metadata: { change: "created" } };
    const entries = [change(2), undated];
    expect(() => [...splitList(changeList, entries, naming, { entries: 1 })]).toThrow(
      expect.objectContaining({ code: "MISSING_VALUE" }),
    );
  });
});

describe("splitting", () => {
  test("loses no entry, and keeps each part within its limits", () => {
    const limits = fc.record({ entries: fc.integer({ min: 1, max: 9 }), bytes: fc.nat(1000) });
    fc.assert(
      fc.property(fc.nat(40), limits, (count, { entries, bytes }) => {
        const pages = Array.from({ length: count }, (_, number) => page(number));
        const options = { entries, bytes: 700 + bytes };
        const documents = [...splitList(resourceList, pages, naming, options)];
        const lists = documents.filter(({ role }) => role !== "index");
        expect(lists.flatMap((list) => read(list).entries)).toEqual(pages);
        for (const list of lists) {
          expect(list.entries).toBeLessThanOrEqual(entries);
          expect(list.length).toBeLessThanOrEqual(options.bytes);
        }
      }),
    );
  });

  test("holds one part at a time", () => {
    let pulled = 0;
    function* pages() {
      for (; ; pulled += 1) yield page(pulled);
    }
    for (const part of splitList(resourceList, pages(), naming, { entries: 10 })) {
      expect(part.role).toBe("part");
      expect(pulled).toBe(part.name === "list-part1.xml" ? 10 : 20);
      if (part.name === "list-part2.xml") break;
    }
  });

  test("gives up on an entry that is larger than the limit", () => {
    expect(() => [...splitList(resourceList, [page(1)], naming, { bytes: 400 })]).toThrow(
      expect.objectContaining({ code: "LIMIT" }),
    );
  });
});
