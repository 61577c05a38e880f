import { change, changeList, type Entry } from "../documents.ts";
import { C, follower, LOG, NEW, NEWER, site } from "./site.ts";

export function time(): void {
  const days = (
    name: string,
    about: string,
    requirements: string,
    second: readonly (string | Entry)[],
    tells: readonly string[],
    never: readonly string[],
  ) =>
    follower(name, about, requirements, [
      { site: site(), tells: LOG, never: [] },
      { site: { "/changelist.xml": changeList(second) }, tells, never },
    ]);
  days(
    "nothing-new",
    "A check without news tells nothing.",
    "I52 T33",
    LOG,
    [],
    ["/a.html", "/b.html", "/c.html"],
  );
  days(
    "one-new-change",
    "Only what is new since the last check is told.",
    "I52 I53 R89 R90",
    [...LOG, NEW],
    [NEW],
    ["/a.html", "/b.html", "/c.html"],
  );
  const again = "updated /a.html 2026-10-20T18:00:00Z";
  days(
    "the-same-page-again",
    "A page that was told changes again.",
    "I52 R90",
    [...LOG, again],
    [again],
    ["/b.html", "/c.html"],
  );
  days(
    "sliding-list",
    "A list keeps only its newest changes. What left it is not told again, nor called deleted.",
    "I52 I29",
    [C, NEW],
    [NEW],
    ["/a.html", "/b.html", "/c.html"],
  );
  days(
    "rewritten-metadata",
    "A list repeats its changes with the present hash and lastmod. They are the same changes.",
    "I52",
    [
      ...LOG.map((each) => ({
        ...change(each, { hash: `sha-256:${"cd".repeat(32)}` }),
        lastmod: "2026-10-20T18:00:00Z",
      })),
      NEW,
    ],
    [NEW],
    ["/a.html", "/b.html", "/c.html"],
  );
  follower(
    "three-days",
    "Each day's changes are told on their day, and once.",
    "I1 I51 I52 I53 R89 T1 T4",
    [
      { site: site(), tells: LOG, never: ["/new.html", "/newer.html"] },
      {
        site: { "/changelist.xml": changeList([...LOG, NEW]) },
        tells: [NEW],
        never: ["/a.html", "/newer.html"],
      },
      {
        site: { "/changelist.xml": changeList([...LOG, NEW, NEWER]) },
        tells: [NEWER],
        never: ["/a.html", "/new.html"],
      },
    ],
  );
  follower("empty-then-back", "A list is empty for a day. What comes back is not new.", "I52", [
    { site: site(), tells: LOG, never: [] },
    { site: { "/changelist.xml": changeList([]) }, tells: [], never: ["/a.html", "/b.html"] },
    {
      site: { "/changelist.xml": changeList([...LOG, NEWER]) },
      tells: [NEWER],
      never: ["/a.html", "/b.html", "/c.html"],
    },
  ]);
}
