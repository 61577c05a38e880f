import {
  capabilityList,
  changeList,
  DESCRIPTION,
  description,
  document,
  page,
  resourceList,
} from "../documents.ts";
import type { Files } from "../write.ts";
import { A, B, C, follower, LOG, NEW, once, site, UNDATED } from "./site.ts";

export function collections(): void {
  const two = (files: Files = {}): Files => ({
    [DESCRIPTION]: description("/garden/", "/shrine/"),
    "/garden/capabilitylist.xml": capabilityList("/garden/"),
    "/shrine/capabilitylist.xml": capabilityList("/shrine/"),
    "/garden/changelist.xml": changeList([GARDEN], { folder: "/garden/" }),
    "/shrine/changelist.xml": changeList([SHRINE], { folder: "/shrine/" }),
    ...files,
  });
  const GARDEN = "created /garden/a.html 2026-10-12T08:00:00Z";
  const SHRINE = "updated /shrine/b.html 2026-10-13T08:00:00Z";
  once(
    "two-collections",
    "Each Capability List is a collection of its own; a Resource List of one tells nothing.",
    "I4 I37 I38 I50",
    two({
      "/garden/capabilitylist.xml": capabilityList("/garden/", {
        changelist: "/garden/changelist.xml",
        resourcelist: "/garden/resourcelist.xml",
      }),
      "/garden/resourcelist.xml": resourceList(
        { "/garden/quiet.html": page("Quiet") },
        { folder: "/garden/" },
      ),
    }),
    [`${GARDEN} /garden/`, `${SHRINE} /shrine/`],
    ["/garden/quiet.html"],
  );
  const both = "updated /both.html 2026-10-14T08:00:00Z";
  once(
    "a-page-in-two-collections",
    "A page in two collections is told in each; an entry without datetime in neither.",
    "I4 I38",
    two({
      "/garden/changelist.xml": changeList([GARDEN, both, UNDATED], { folder: "/garden/" }),
      "/shrine/changelist.xml": changeList([SHRINE, both, UNDATED], { folder: "/shrine/" }),
    }),
    [`${GARDEN} /garden/`, `${SHRINE} /shrine/`, `${both} /garden/`, `${both} /shrine/`],
    ["/undated.html"],
  );
  once(
    "description-index",
    "A Source Description Index is known by its root element; both descriptions in it are read.",
    "I32 I49 R63 R69",
    two({
      [DESCRIPTION]: document("sitemapindex", [], { capability: "description" }, [
        { loc: "/one.xml", md: { capability: "description" } },
        { loc: "/two.xml", md: { capability: "description" } },
      ]),
      "/one.xml": description("/garden/"),
      "/two.xml": description("/shrine/"),
    }),
    [GARDEN, SHRINE],
    ["/one.xml", "/two.xml"],
  );
  once(
    "capability-list-of-another-kind",
    'What says capability="resourcelist" is no Capability List: it is refused, and the other collection is read.',
    "I40 I37",
    two({
      "/garden/capabilitylist.xml": document(
        "urlset",
        [["describes", "/garden/"]],
        { capability: "resourcelist", at: "2026-10-01T00:00:00Z" },
        [{ loc: "/garden/changelist.xml", md: { capability: "changelist" } }],
      ),
    }),
    [SHRINE],
    ["/garden/a.html"],
  );
  once(
    "capability-list-index",
    "There is no index of Capability Lists: a sitemapindex in its place is refused.",
    "I40 R69",
    two({
      "/garden/capabilitylist.xml": document(
        "sitemapindex",
        [["describes", "/garden/"]],
        { capability: "capabilitylist" },
        [{ loc: "/garden/changelist.xml", md: { capability: "changelist" } }],
      ),
    }),
    [SHRINE],
    ["/garden/a.html"],
  );
  once(
    "capability-list-gone",
    "A Capability List that is not there hides no other collection.",
    "I37 I50",
    two({ [DESCRIPTION]: description("/gone/", "/shrine/") }),
    [SHRINE],
    ["/garden/a.html"],
  );
  follower(
    "collection-known-by-describes",
    "A Capability List moves to another address. What it describes is the same, and is known by that.",
    "I41",
    [
      { site: site(), tells: LOG.map((each) => `${each} /`), never: [] },
      {
        site: {
          [DESCRIPTION]: document("urlset", [], { capability: "description" }, [
            {
              loc: "/moved/list.xml",
              md: { capability: "capabilitylist" },
              links: [["describes", "/"]],
            },
          ]),
          "/moved/list.xml": capabilityList("/", { changelist: "/changelist.xml" }),
          "/changelist.xml": changeList([...LOG, NEW]),
        },
        answers: { "/capabilitylist.xml": { status: 404 } },
        tells: [`${NEW} /`],
        never: ["/a.html", "/b.html", "/c.html"],
      },
    ],
  );
  once(
    "describes-in-the-description-only",
    "A Capability List without describes is known by what its Source Description says of it.",
    "I41",
    site([A, UNDATED], {
      [DESCRIPTION]: document("urlset", [], { capability: "description" }, [
        {
          loc: "/capabilitylist.xml",
          md: { capability: "capabilitylist" },
          links: [["describes", "/shrine/"]],
        },
      ]),
      "/capabilitylist.xml": document(
        "urlset",
        [["up", DESCRIPTION]],
        { capability: "capabilitylist" },
        [{ loc: "/changelist.xml", md: { capability: "changelist" } }],
      ),
    }),
    [`${A} /shrine/`],
    ["/undated.html"],
  );
  once(
    "no-change-list",
    "A collection without a Change List has no changes; its Resource List is no log.",
    "I45 I37",
    two({
      "/garden/capabilitylist.xml": capabilityList("/garden/", {
        resourcelist: "/garden/resourcelist.xml",
      }),
      "/garden/resourcelist.xml": resourceList(
        { "/garden/a.html": page("A") },
        { folder: "/garden/" },
      ),
    }),
    [SHRINE],
    ["/garden/a.html"],
  );
  once(
    "other-capabilities",
    "Entries of a Capability List that other specifications define are left alone.",
    "R17 I44",
    site([A], {
      "/capabilitylist.xml": capabilityList("/", {
        changelist: "/changelist.xml",
        "changelist-archive": "/archive.xml",
        changedump: "/changedump.xml",
        "x-of-our-own": "/own.xml",
      }),
      "/archive.xml": changeList([B]),
      "/own.xml": changeList([C]),
    }),
    [A],
    ["/b.html", "/c.html"],
  );
  once(
    "list-at-an-odd-address",
    "The Change List is where the Capability List says, whatever its name.",
    "I44",
    site([C], {
      "/capabilitylist.xml": capabilityList("/", { changelist: "/log/2026" }),
      "/log/2026": changeList([A, B]),
    }),
    [A, B],
    ["/c.html"],
    { answers: { "/log/2026": { headers: { "content-type": "application/octet-stream" } } } },
  );
  once(
    "list-with-a-query",
    "The address of the Change List has a query.",
    "I44",
    site([C], {
      "/capabilitylist.xml": capabilityList("/", { changelist: "/log.php?list=1&all=yes" }),
    }),
    [A, B],
    ["/c.html"],
    {
      answers: {
        "/log.php?list=1&all=yes": {
          status: 200,
          body: changeList([A, B]),
          headers: { "content-type": "text/xml" },
        },
      },
    },
  );
  follower(
    "a-collection-comes",
    "A collection that appears later is read from then on; the other one is not told again.",
    "I37 I49",
    [
      {
        site: two({ [DESCRIPTION]: description("/garden/") }),
        tells: [GARDEN],
        never: ["/shrine/b.html"],
      },
      {
        site: { [DESCRIPTION]: description("/garden/", "/shrine/") },
        tells: [SHRINE],
        never: ["/garden/a.html"],
      },
    ],
  );
  follower(
    "a-collection-goes",
    "A collection leaves the Source Description. Its pages are not called deleted.",
    "I37 I52",
    [
      { site: two(), tells: [GARDEN, SHRINE], never: [] },
      {
        site: { [DESCRIPTION]: description("/garden/") },
        tells: [],
        never: ["/shrine/b.html", "/garden/a.html"],
      },
    ],
  );
}
