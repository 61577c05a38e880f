import { change, DESCRIPTION, document } from "../documents.ts";
import { A, LOG, once, site, UNDATED } from "./site.ts";

export function entries(): void {
  once(
    "undated",
    "An entry without datetime is ignored, whatever else it has.",
    "I48",
    site([A, UNDATED, { ...UNDATED, lastmod: "2026-10-13T08:00:00Z", md: { change: "created" } }]),
    [A],
    ["/undated.html"],
  );
  once(
    "version-0.9.1",
    "A log in the form of 0.9.1 has the time in lastmod. Only entries that have datetime, too, are told.",
    "I48",
    site([
      { ...change(A), lastmod: "2026-10-12T08:00:00Z" },
      { loc: "/old.html", lastmod: "2026-10-13T08:00:00Z", md: { change: "updated" } },
    ]),
    [A],
    ["/old.html"],
  );
  once(
    "no-change",
    "An entry that does not say created, updated or deleted is no change.",
    "I47",
    site([
      A,
      { loc: "/none.html", md: { datetime: "2026-10-13T08:00:00Z" } },
      change("moved /moved.html 2026-10-13T08:00:00Z"),
      { loc: "/empty.html", md: { change: "", datetime: "2026-10-13T08:00:00Z" } },
    ]),
    [A],
    ["/none.html", "/moved.html", "/empty.html"],
  );
  once(
    "change-in-capitals",
    "The values of change are created, updated and deleted. Updated is none of them.",
    "I47",
    site([A, change("Updated /capital.html 2026-10-13T08:00:00Z")]),
    [A],
    ["/capital.html"],
  );
  once(
    "entry-without-metadata",
    "An entry with loc and lastmod alone is no change.",
    "I47 I48",
    site([A, { loc: "/bare.html", lastmod: "2026-10-13T08:00:00Z" }]),
    [A],
    ["/bare.html"],
  );
  const twice = ["created /a.html 2026-10-12T08:00:00Z", "updated /a.html 2026-10-13T08:00:00Z"];
  once(
    "changed-twice",
    "A page that changed twice has two entries, and both are told.",
    "I52 R90",
    site([...twice, UNDATED]),
    twice,
    ["/undated.html"],
  );
  const again = ["deleted /a.html 2026-10-12T08:00:00Z", "created /a.html 2026-10-13T08:00:00Z"];
  once(
    "deleted-and-created",
    "A page is deleted and created again.",
    "I52 R90",
    site([...again, UNDATED]),
    again,
    ["/undated.html"],
  );
  once(
    "equal-hashes",
    "Two pages with the same bytes and the same time are two changes.",
    "I52",
    site([
      change("created /one.html 2026-10-12T08:00:00Z", { hash: `sha-256:${"ab".repeat(32)}` }),
      change("created /two.html 2026-10-12T08:00:00Z", { hash: `sha-256:${"ab".repeat(32)}` }),
      UNDATED,
    ]),
    ["created /one.html 2026-10-12T08:00:00Z", "created /two.html 2026-10-12T08:00:00Z"],
    ["/undated.html"],
  );
  once(
    "links-of-entries",
    "Who cannot interpret a link leaves it alone and uses loc.",
    "R102",
    site([
      {
        ...change(A),
        links: [
          ["duplicate", "/mirror.html", { pri: "1" }],
          ["https://example.org/rel/unknown", "/unknown.html"],
          ["memento", "/2025/a.html"],
        ],
      },
    ]),
    [A],
    ["/mirror.html", "/unknown.html", "/2025/a.html"],
  );
  once(
    "out-of-order",
    "A list that begins with the newest breaks a rule; its changes have happened all the same.",
    "I52 R90",
    site([...LOG.toReversed(), UNDATED]),
    LOG,
    ["/undated.html"],
  );
  const dates = (name: string, about: string, datetime: string, meant = datetime) =>
    once(
      name,
      about,
      "I48 I52",
      site([`updated /a.html ${datetime}`, UNDATED]),
      [`updated /a.html ${meant}`],
      ["/undated.html"],
    );
  dates(
    "date-only",
    "A date without a time is a W3C datetime, as in the example of IFCC-0001.",
    "2026-10-12",
  );
  dates(
    "minutes",
    "A datetime without seconds is a W3C datetime.",
    "2026-10-12T08:30Z",
    "2026-10-12T08:30:00Z",
  );
  dates(
    "zone",
    "A datetime has another zone than UTC.",
    "2026-10-12T01:30:00+02:00",
    "2026-10-11T23:30:00Z",
  );
  dates(
    "fraction",
    "A datetime has a fraction of a second.",
    "2026-10-12T08:30:00.25Z",
    "2026-10-12T08:30:00Z",
  );
  once(
    "no-datetime-at-all",
    "What is no W3C datetime says no time. The other entry of the list is told.",
    "I48",
    site([A, change("updated /yesterday.html yesterday"), change("updated /odd.html 2026-13-45")]),
    [A],
    ["/yesterday.html", "/odd.html"],
  );
  once(
    "unusual-urls",
    "loc has a query, an escaped sign, and a path in another script.",
    "I44",
    site([
      "updated /search?q=a&lang=en 2026-10-12T08:00:00Z",
      "updated /caf%C3%A9/ 2026-10-12T08:00:00Z",
      UNDATED,
    ]),
    [
      "updated /search?q=a&lang=en 2026-10-12T08:00:00Z",
      "updated /caf%C3%A9/ 2026-10-12T08:00:00Z",
    ],
    ["/undated.html"],
  );
  once(
    "notification-channel",
    "A Capability List names a channel of notifications. Who polls reads the Change List.",
    "R17 I44",
    site([A], {
      "/capabilitylist.xml": document(
        "urlset",
        [
          ["up", DESCRIPTION],
          ["describes", "/"],
        ],
        { capability: "capabilitylist" },
        [
          { loc: "/changelist.xml", md: { capability: "changelist" } },
          {
            loc: "/notification.xml",
            md: { capability: "change-notification" },
            links: [["hub", "/hub"]],
          },
        ],
      ),
    }),
    [A],
    ["/notification.xml", "/hub"],
  );
}
