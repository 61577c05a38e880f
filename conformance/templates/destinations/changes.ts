import { changeList, changeListIndex, page } from "../documents.ts";
import type { Files } from "../write.ts";
import {
  A,
  ALL,
  copied,
  entryOf,
  filesOf,
  HOME,
  held,
  LATER,
  listed,
  NEWER,
  OTHERS,
  PAGES,
  site,
} from "./site.ts";

const UPDATED = "updated /b.html 2026-10-20T08:00:00Z";
const CREATED = "created /new.html 2026-10-20T08:30:00Z";
const DELETED = "deleted /c.html 2026-10-20T09:00:00Z";

export function changes(): void {
  const next: Files = { "/": HOME, "/a.html": A, "/b.html": NEWER, "/new.html": page("New") };
  const before = site(PAGES, { "/changelist.xml": changeList([]) });
  const news = changeList([
    entryOf(["/b.html", NEWER], { change: "updated", datetime: "2026-10-20T08:00:00Z" }),
    entryOf(["/new.html", page("New")], { change: "created", datetime: "2026-10-20T08:30:00Z" }),
    DELETED,
  ]);
  const after = { ...held(1, "index.html", "a.html"), ...held(2, "b.html", "new.html") };
  const gone = { "/c.html": { status: 404 } };
  const files = filesOf({ "/b.html": NEWER, "/new.html": page("New") });
  const twice = (
    name: string,
    about: string,
    requirements: string,
    documents: Files,
    first: Files = before,
  ) =>
    copied(name, about, requirements, [
      { site: first, holds: ALL, never: ["new.html"] },
      { site: { ...files, ...documents }, answers: gone, holds: after, never: ["c.html"] },
    ]);
  twice(
    "changes",
    "A Change List and the Resource List say what is new: it is fetched, and what is deleted goes.",
    "R11a R11b R91 R3 T5",
    {
      "/changelist.xml": news,
      "/resourcelist.xml": listed(next, LATER),
    },
  );
  twice(
    "changes-before-the-next-list",
    "The Resource List is older than the newest changes. The changes count.",
    "R11a R11b R91 T5",
    {
      "/changelist.xml": news,
    },
  );
  twice(
    "changes-without-hashes",
    "Changes state no hash. The pages are fetched all the same.",
    "R11a R11b R91",
    {
      "/changelist.xml": changeList([UPDATED, CREATED, DELETED]),
    },
  );
  twice(
    "changes-behind-an-index",
    "The changes are in the second list behind a Change List Index.",
    "R11a R11b R91",
    {
      "/changelist.xml": changeListIndex({
        "/changelist-1.xml": { from: "2026-10-01T00:00:00Z", until: "2026-10-16T00:00:00Z" },
        "/changelist-2.xml": { from: "2026-10-16T00:00:00Z" },
      }),
      "/changelist-1.xml": changeList([], { until: "2026-10-16T00:00:00Z" }),
      "/changelist-2.xml": changeList([UPDATED, CREATED, DELETED], {
        from: "2026-10-16T00:00:00Z",
      }),
    },
  );
  twice(
    "lists-alone",
    "A site without Change Lists: two Resource Lists are compared.",
    "R3 R9",
    {
      "/resourcelist.xml": listed(next, LATER),
    },
    site(),
  );
  twice(
    "several-changes-of-a-page",
    "A page changed twice, and one was created and deleted: the last change counts.",
    "R11a R11b",
    {
      "/changelist.xml": changeList([
        "created /brief.html 2026-10-19T08:00:00Z",
        "deleted /brief.html 2026-10-19T09:00:00Z",
        "updated /b.html 2026-10-19T10:00:00Z",
        "deleted /a.html 2026-10-19T11:00:00Z",
        "created /a.html 2026-10-19T12:00:00Z",
        UPDATED,
        CREATED,
        DELETED,
      ]),
    },
  );
  copied("nothing-new", "A second run without news leaves the copy as it is.", "R3 R11a", [
    { site: before, holds: ALL, never: ["new.html"] },
    { holds: ALL, never: ["new.html"] },
  ]);
  copied(
    "patch-is-ignored",
    "A change links a patch. Applied or ignored, the page is the new one.",
    "R108 R102",
    [
      { site: before, holds: ALL, never: ["b.diff"] },
      {
        site: {
          "/b.html": NEWER,
          "/b.diff": "no program's patch",
          "/changelist.xml": changeList([
            {
              ...entryOf(["/b.html", NEWER], {
                change: "updated",
                datetime: "2026-10-20T08:00:00Z",
              }),
              links: [
                ["http://www.openarchives.org/rs/terms/patch", "/b.diff", { type: "text/x-diff" }],
              ],
            },
          ]),
        },
        holds: { ...OTHERS, ...held(2, "b.html") },
        never: ["b.diff"],
      },
    ],
  );
}
