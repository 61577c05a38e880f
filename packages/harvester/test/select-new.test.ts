import { describe, expect, test } from "vitest";
import {
  type IdentifiedChange,
  identifiedIn,
  type Memory,
  selectNew,
} from "../src/changes/select-new.ts";
import type { StatedChange } from "../src/model.ts";

const COLLECTION = "https://example.org/";
const NOTHING: Memory = {
  seen: new Set(),
  vanished: [],
  newest: undefined,
  knownFrom: 0,
  resources: new Map(),
  isComplete: true,
};

/** A change in a few signs: `created a 10`, with a hash `updated a 20 #1`. */
function stated(...texts: readonly string[]): IdentifiedChange[] {
  const changes = texts.map((text): StatedChange => {
    const [kind = "", page = "", datetime = "", hash] = text.split(" ");
    if (kind !== "created" && kind !== "updated" && kind !== "deleted") throw new Error(text);
    return {
      url: `${COLLECTION}${page}`,
      kind,
      datetime: Number(datetime),
      isMinor: false,
      ...(hash === undefined ? {} : { hash: hash.replace("#", "sha-256:") }),
    };
  });
  return identifiedIn({ url: "list", from: undefined, changes }, COLLECTION);
}

function told({ changes }: { changes: readonly IdentifiedChange[] }): string[] {
  return changes.map(
    ({ kind, url, datetime }) => `${kind} ${url.slice(COLLECTION.length)} ${datetime}`,
  );
}

/** A memory of what some changes said. */
function after(changes: readonly IdentifiedChange[], more: Partial<Memory> = {}): Memory {
  const { newest, resources } = selectNew(changes, undefined, NOTHING);
  const seen = new Set(changes.map(({ identity }) => identity));
  return { ...NOTHING, seen, newest, resources, ...more };
}

describe("what is taken of a log", () => {
  const LOG = stated("created a 10", "created b 20", "updated a 30");

  test("everything, the oldest first, of one that was never seen", () => {
    expect(told(selectNew(LOG.toReversed(), undefined, NOTHING))).toEqual([
      "created a 10",
      "created b 20",
      "updated a 30",
    ]);
  });

  test("nothing that was seen, wherever it stands now", () => {
    const taken = selectNew(LOG, undefined, after(LOG));
    expect(taken.changes).toEqual([]);
    expect(taken.unseen).toEqual([]);
  });

  test("what is new, and what is late", () => {
    const late = stated("created c 15");
    const fresh = stated("deleted b 40");
    const taken = selectNew([...LOG, ...late, ...fresh], undefined, after(LOG));
    expect(told(taken)).toEqual(["created c 15", "deleted b 40"]);
  });

  test("one change once, though two lists tell it", () => {
    expect(told(selectNew([...LOG, ...LOG], undefined, NOTHING))).toHaveLength(3);
  });

  test("nothing from before it was followed, though that is remembered", () => {
    const taken = selectNew(LOG, undefined, { ...NOTHING, knownFrom: 20 });
    expect(told(taken)).toEqual(["created b 20", "updated a 30"]);
    expect(taken.unseen).toHaveLength(3);
  });
});

describe("a hash that is the one last seen for its URL", () => {
  test.each([
    ["is a repeat", ["updated a 10 #1"], ["updated a 20 #1"], []],
    ["is a repeat in other letters", ["updated a 10 #AB"], ["updated a 20 #ab"], []],
    ["is a repeat as a creation, too", ["updated a 10 #1"], ["created a 20 #1"], []],
    ["is none for another page", ["updated a 10 #1"], ["updated b 20 #1"], ["updated b 20"]],
    [
      "is none where others came between",
      ["updated a 10 #1"],
      ["updated a 20 #2", "updated a 30 #1"],
      ["updated a 20", "updated a 30"],
    ],
    [
      "is none after a deletion",
      ["updated a 10 #1"],
      ["deleted a 20", "created a 30 #1"],
      ["deleted a 20", "created a 30"],
    ],
    [
      "is none after bytes that nobody knows",
      ["updated a 10 #1"],
      ["updated a 20", "updated a 30 #1"],
      ["updated a 20", "updated a 30"],
    ],
    ["is a repeat within one log", [], ["created a 10 #1", "updated a 20 #1"], ["created a 10"]],
  ])("%s", (_, before, now, expected) => {
    expect(told(selectNew(stated(...now), undefined, after(stated(...before))))).toEqual(expected);
  });

  test("one digest in common is enough", () => {
    const both = stated("updated a 10 #1").map((one) => ({ ...one, hash: "md5:9 sha-256:1" }));
    expect(told(selectNew(stated("updated a 20 #1"), undefined, after(both)))).toEqual([]);
  });
});

describe("a deletion of what was last seen deleted", () => {
  test.each([
    ["is a repeat", ["deleted a 10"], ["deleted a 20"], []],
    ["is a repeat within one log", [], ["deleted a 10", "deleted a 20"], ["deleted a 10"]],
    [
      "is none after a creation, with or without a hash",
      ["deleted a 10"],
      ["created a 20", "deleted a 30", "created a 40 #1", "deleted a 50"],
      ["created a 20", "deleted a 30", "created a 40", "deleted a 50"],
    ],
    ["is none where it comes late", ["deleted a 30"], ["deleted a 20"], ["deleted a 20"]],
    ["is none for another page", ["deleted a 10"], ["deleted b 20"], ["deleted b 20"]],
  ])("%s", (_, before, now, expected) => {
    expect(told(selectNew(stated(...now), undefined, after(stated(...before))))).toEqual(expected);
  });

  test("is none where an older deletion came after a creation without a hash", () => {
    const created = after(stated("created a 20"));
    const late = selectNew(stated("deleted a 10"), undefined, created);
    const resources = new Map([...created.resources, ...late.resources]);
    const taken = selectNew(stated("deleted a 30"), undefined, { ...created, resources });
    expect(told(taken)).toEqual(["deleted a 30"]);
  });

  test("is none while a creation before it may be on its way", () => {
    const memory = after(stated("deleted a 10"), { isComplete: false });
    expect(told(selectNew(stated("deleted a 30"), undefined, memory))).toEqual(["deleted a 30"]);
  });
});

describe("a history that was rewritten", () => {
  const before = stated("created a 10", "created b 20");
  const now = stated("created a 11", "created b 21", "created c 30");

  test("gives only what is newer than the newest change seen", () => {
    const taken = selectNew(now, 0, after(before, { vanished: [10, 20] }));
    expect(taken.isRewritten).toBe(true);
    expect(told(taken)).toEqual(["created b 21", "created c 30"]);
    expect(taken.unseen).toHaveLength(3);
  });

  test.each<[string, number | undefined, readonly number[], boolean]>([
    ["nothing vanished", 0, [], false],
    ["what vanished is covered", 10, [10], true],
    ["what vanished is older than the log claims to reach", 11, [10], false],
    [
      "what vanished is older than all that stands, and the log claims nothing",
      undefined,
      [10],
      false,
    ],
    [
      "what vanished is younger than what stands, and the log claims nothing",
      undefined,
      [12],
      true,
    ],
  ])("is one where %s", (_, from, vanished, isRewritten) => {
    expect(selectNew(now, from, after(before, { vanished })).isRewritten).toBe(isRewritten);
  });
});
