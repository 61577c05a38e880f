import { parseDatetime, readDocumentSync } from "@rs-emit/documents";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Period } from "../src/model/layout.ts";
import type { Change, Log } from "../src/model/log.ts";
import { entryToChange } from "../src/model/log-attributes.ts";
import { type AppendRequest, appendChanges } from "../src/write/append.ts";
import { seconds } from "./support/site.ts";

const SITE = "https://example.org/";
const EMPTY: Log = { closed: [], pending: [] };

describe("a log", () => {
  test("without changes is one open list without entries, from its publication on", () => {
    const book = new Book();
    book.append([], { time: seconds("2026-10-05T12:00:00Z") });
    expect(book.intervals()).toEqual(["changelist/2026-10.xml 2026-10-05T12:00:00Z to now: 0"]);
  });

  test("begins at its first entry", () => {
    const book = new Book();
    book.append([created("2026-09-01T08:00:00Z")], { time: seconds("2026-10-05T12:00:00Z") });
    expect(book.intervals()).toEqual(["changelist/2026-09.xml 2026-09-01T08:00:00Z to now: 1"]);
  });

  test("goes on in the open list as long as the period lasts", () => {
    const book = new Book();
    book.tell("2026-10-05T12:00:00Z").tell("2026-10-31T23:59:59Z");
    expect(book.intervals()).toEqual(["changelist/2026-10.xml 2026-10-05T12:00:00Z to now: 2"]);
  });

  test("closes a list when the first change of a later period arrives, where the next begins", () => {
    const book = new Book();
    book.tell("2026-10-05T12:00:00Z").tell("2026-12-24T18:00:00Z");
    expect(book.intervals()).toEqual([
      "changelist/2026-10.xml 2026-10-05T12:00:00Z to 2026-12-24T18:00:00Z: 1",
      "changelist/2026-12.xml 2026-12-24T18:00:00Z to now: 1",
    ]);
  });

  test("closes no list before: a publication without changes leaves it open", () => {
    const book = new Book();
    book.tell("2026-10-05T12:00:00Z");
    book.append([], { time: seconds("2026-12-24T18:00:00Z") });
    expect(book.intervals()).toEqual(["changelist/2026-10.xml 2026-10-05T12:00:00Z to now: 1"]);
  });

  test("is divided by period within one publication that tells history", () => {
    const book = new Book();
    const told = ["2024-12-31T23:59:59Z", "2025-01-01T00:00:00Z", "2026-06-01T00:00:00Z"];
    book.append(told.map(created), { time: seconds("2026-10-05T12:00:00Z"), period: "year" });
    expect(book.intervals()).toEqual([
      "changelist/2024.xml 2024-12-31T23:59:59Z to 2025-01-01T00:00:00Z: 1",
      "changelist/2025.xml 2025-01-01T00:00:00Z to 2026-06-01T00:00:00Z: 1",
      "changelist/2026.xml 2026-06-01T00:00:00Z to now: 1",
    ]);
  });

  test("that lost its open list begins where the closed ones end", () => {
    const book = new Book();
    book.tell("2026-10-05T12:00:00Z").tell("2026-11-05T12:00:00Z").loseOpenList();
    book.tell("2026-11-20T12:00:00Z");
    expect(book.intervals()).toEqual([
      "changelist/2026-10.xml 2026-10-05T12:00:00Z to 2026-11-05T12:00:00Z: 1",
      "changelist/2026-11.xml 2026-11-05T12:00:00Z to now: 1",
    ]);
  });

  test("cannot be written where the limits leave no room for one change", () => {
    const book = new Book();
    const append = () => book.append([created("2026-10-05T12:00:00Z")], { limits: { entries: 0 } });
    expect(append).toThrow(/limits leave no room/);
  });
});

/** Publications in order: how long after the last, how many changes, and with which choices. */
const publications = fc.array(
  fc.record({
    pause: fc.oneof(fc.integer({ min: 1, max: 90_000 }), fc.integer({ min: 1, max: 40_000_000 })),
    changes: fc.integer({ min: 0, max: 7 }),
    period: fc.constantFrom<Period>("year", "month", "day"),
    entries: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 12 },
);

test("any sequence of publications is one log without a gap, and what is closed stays closed", () => {
  fc.assert(
    fc.property(publications, (runs) => {
      const book = new Book();
      const expected: Change[] = [];
      let time = seconds("2026-01-01T00:00:00Z");
      for (const { pause, changes, period, entries } of runs) {
        time += pause;
        const at = new Date(time * 1000).toISOString();
        const news = Array.from({ length: changes }, (_, page) => created(at, page));
        const closed = book.closedBytes();
        book.append(news, { time, period, limits: { entries } });
        expected.push(...news);
        for (const [name, bytes] of closed) expect(book.bytes.get(name)).toBe(bytes);
        expect(book.changes()).toEqual(expected);
        book.expectAdjacent();
      }
    }),
    { numRuns: 200 },
  );
});

function created(at: string, page = 0): Change {
  const datetime = Math.floor(seconds(at));
  return { url: `${SITE}${page}.html`, kind: "created", datetime, lastmod: datetime };
}

/** A log, continued as often as one likes, and the bytes of all its lists. */
class Book {
  readonly bytes = new Map<string, Uint8Array>();
  #log = EMPTY;
  #names: string[] = [];

  append(changes: readonly Change[], request: Partial<AppendRequest> = {}): void {
    const time = changes[0]?.datetime ?? 0;
    const choices: AppendRequest = {
      collection: SITE,
      period: "month",
      time,
      limits: {},
      ...request,
    };
    const lists = [...appendChanges(this.#log, changes, choices)];
    this.#names = lists.map(({ reference }) => reference.name);
    for (const { reference, chunks } of lists) {
      if (chunks) this.bytes.set(reference.name, Buffer.concat(chunks));
    }
    const [open, ...rest] = lists.filter(({ reference }) => reference.until === undefined);
    if (open === undefined || rest.length > 0) throw new Error("one list must be open");
    this.#log = {
      closed: lists.slice(0, -1).map(({ reference }) => reference),
      open: { ...open.reference, entries: this.#entries(open.reference.name) },
      pending: [],
    };
  }

  tell(at: string): this {
    this.append([created(at)], { time: seconds(at) });
    return this;
  }

  loseOpenList(): void {
    this.#log = { closed: this.#log.closed, pending: [] };
  }

  changes(): Change[] {
    return this.#names.flatMap((name) => this.#entries(name));
  }

  closedBytes(): Map<string, Uint8Array | undefined> {
    return new Map(this.#log.closed.map(({ name }) => [name, this.bytes.get(name)]));
  }

  intervals(): string[] {
    return this.#names.map((name) => {
      const { metadata, entries } = this.#read(name);
      return `${name} ${metadata.from} to ${metadata.until ?? "now"}: ${entries.length}`;
    });
  }

  expectAdjacent(): void {
    expect(new Set(this.#names).size).toBe(this.#names.length);
    let last: string | undefined;
    for (const name of this.#names) {
      const { from = "", until } = this.#read(name).metadata;
      if (last !== undefined) expect(from).toBe(last);
      last = until;
      for (const { datetime } of this.#entries(name)) {
        expect(datetime).toBeGreaterThanOrEqual(parseDatetime(from).seconds);
        if (until) expect(datetime).toBeLessThanOrEqual(parseDatetime(until).seconds);
      }
    }
    expect(last).toBeUndefined();
  }

  #entries(name: string): Change[] {
    return this.#read(name).entries.flatMap((entry) => entryToChange(entry) ?? []);
  }

  #read(name: string) {
    return readDocumentSync(this.bytes.get(name) ?? new Uint8Array());
  }
}
