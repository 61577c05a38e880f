import { changeList, changeListIndex, document } from "../documents.ts";
import type { Files } from "../write.ts";
import { A, B, C, DAYS, follower, LOG, NEW, NEWER, once, site } from "./site.ts";

export function lists(): void {
  const SEPTEMBER = { from: "2026-09-01T00:00:00Z", until: "2026-10-13T00:00:00Z" };
  const OCTOBER = { from: "2026-10-13T00:00:00Z" };
  const index = (files: Files): Files =>
    site([], {
      "/changelist.xml": changeListIndex({
        "/changelist-1.xml": SEPTEMBER,
        "/changelist-2.xml": OCTOBER,
      }),
      "/changelist-1.xml": changeList([A], SEPTEMBER, [["index", "/changelist.xml"]]),
      "/changelist-2.xml": changeList([B, C], OCTOBER, [["index", "/changelist.xml"]]),
      ...files,
    });
  once(
    "change-list-index",
    "A Change List Index is known by its root element; every list in it is read, and is no change itself.",
    "I32 I44 R94 R88 T37",
    index({}),
    LOG,
    ["/changelist-1.xml", "/changelist-2.xml"],
  );
  once(
    "change-list-index-without-intervals",
    "The entries of an index do not say which time they cover. All lists are read.",
    "I32 I46",
    index({
      "/changelist.xml": document(
        "sitemapindex",
        [],
        { capability: "changelist", from: "2026-09-01" },
        [{ loc: "/changelist-1.xml" }, { loc: "/changelist-2.xml" }],
      ),
    }),
    LOG,
    ["/changelist-1.xml", "/changelist-2.xml"],
  );
  once(
    "overlapping-lists",
    "Two lists of an index overlap: what stands in both is told once.",
    "I52 R90",
    index({ "/changelist-2.xml": changeList([A, B, C], OCTOBER) }),
    LOG,
    ["/changelist-1.xml"],
  );
  once(
    "index-three-deep",
    "An index leads to an index. What a program makes of it is its own affair, but it hides no other list.",
    "R94",
    index({
      "/changelist-1.xml": changeListIndex({ "/deep.xml": SEPTEMBER }),
      "/deep.xml": changeList([A]),
    }),
    [B, C],
    ["/deep.xml", "/changelist-1.xml"],
    { may: ["/a.html"] },
  );
  follower(
    "processed-list-is-skipped",
    "A list whose until is before the last check was processed: it may be out of reach now.",
    "I46 I51 R88 R89",
    [
      { site: index({}), tells: LOG, never: [] },
      {
        site: { "/changelist-2.xml": changeList([B, C, NEW], OCTOBER) },
        answers: { "/changelist-1.xml": { status: 503 } },
        tells: [NEW],
        never: ["/a.html", "/b.html", "/c.html"],
      },
    ],
  );
  const closed = { ...OCTOBER, until: "2026-10-21T00:00:00Z" };
  const next = { from: "2026-10-21T00:00:00Z" };
  follower(
    "list-closed-between-checks",
    "A list was closed after the last check, and another one begun. Both have news.",
    "I51 R88",
    [
      { site: index({}), tells: LOG, never: [] },
      {
        now: DAYS[2] ?? "",
        site: {
          "/changelist.xml": changeListIndex({
            "/changelist-1.xml": SEPTEMBER,
            "/changelist-2.xml": closed,
            "/changelist-3.xml": next,
          }),
          "/changelist-2.xml": changeList([B, C, NEW], closed),
          "/changelist-3.xml": changeList([NEWER], next),
        },
        tells: [NEW, NEWER],
        never: ["/a.html", "/b.html", "/c.html"],
      },
    ],
  );
  follower(
    "list-becomes-an-index",
    "The Change List of the first day is behind an index on the second. Nothing is told again.",
    "I32 I52 R94",
    [
      { site: site(), tells: LOG, never: [] },
      {
        site: {
          ...index({}),
          "/changelist-2.xml": changeList([B, C, NEW], OCTOBER),
        },
        tells: [NEW],
        never: ["/a.html", "/b.html", "/c.html"],
      },
    ],
  );
}
