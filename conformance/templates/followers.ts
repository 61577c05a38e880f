import { gzipSync } from "node:zlib";
import { ORIGIN } from "../server.ts";
import {
  at,
  capabilityList,
  change,
  changeList,
  changeListIndex,
  DESCRIPTION,
  description,
  document,
  type Entry,
  NAMESPACES,
  page,
  resourceList,
} from "./documents.ts";
import { type Files, type TemplateMoment, writeCase } from "./write.ts";

const DAYS = ["2026-10-20T12:00:00Z", "2026-10-21T12:00:00Z", "2026-10-22T12:00:00Z"];
const A = "created /a.html 2026-10-12T08:00:00Z";
const B = "updated /b.html 2026-10-13T09:00:00Z";
const C = "deleted /c.html 2026-10-14T10:00:00Z";
const NEW = "updated /new.html 2026-10-20T18:00:00Z";
const NEWER = "updated /newer.html 2026-10-21T18:00:00Z";
const LOG = [A, B, C];

/** A site with one collection; some files differ. */
function site(changes: readonly (string | Entry)[] = LOG, files: Files = {}): Files {
  return {
    [DESCRIPTION]: description("/"),
    "/capabilitylist.xml": capabilityList(),
    "/changelist.xml": changeList(changes),
    ...files,
  };
}

function follower(
  name: string,
  about: string,
  requirements: string,
  moments: readonly TemplateMoment[],
  more: { readonly start?: string } = {},
): void {
  const timed = moments.map((moment, index) => ({ now: DAYS[index] ?? "", ...moment }));
  writeCase("followers", name, about, requirements, timed, more);
}

/** A case of one moment. */
function once(
  name: string,
  about: string,
  requirements: string,
  files: Files,
  tells: readonly string[],
  never: readonly string[],
  others: Omit<TemplateMoment, "tells" | "never"> & { readonly start?: string } = {},
): void {
  const { start, ...moment } = others;
  const more = start === undefined ? {} : { start };
  follower(name, about, requirements, [{ site: files, tells, never, ...moment }], more);
}

/** A log that is written in an odd form, with one entry more than is told. */
function form(name: string, about: string, requirements: string, list: string | Uint8Array): void {
  const files = site([], { "/changelist.xml": list });
  once(name, about, requirements, files, LOG, ["/undated.html"]);
}

const UNDATED: Entry = { loc: "/undated.html", md: { change: "updated" } };
const PLAIN = changeList([...LOG, UNDATED]);

export function writeFollowers(): void {
  discovery();
  structure();
  entries();
  forms();
  time();
  failures();
}

function discovery(): void {
  once(
    "well-known",
    "The Source Description at the well-known URI leads to the Capability List, and that to the changes.",
    "I33 I37 I44 I50 R29 R90",
    site(LOG, {
      "/capabilitylist.xml": capabilityList("/", {
        resourcelist: "/resourcelist.xml",
        changelist: "/changelist.xml",
      }),
      "/resourcelist.xml": resourceList({ "/quiet.html": page("Quiet") }),
    }),
    LOG,
    ["/quiet.html"],
  );
  const elsewhere = (files: Files): Files => ({
    "/log/capabilitylist.xml": capabilityList("/", { changelist: "/log/changelist.xml" }),
    "/log/changelist.xml": changeList([A, UNDATED]),
    ...files,
  });
  const link = `<link rel="resourcesync" href="${at("/log/capabilitylist.xml")}">`;
  once(
    "page-link",
    'A page links its Capability List with <link rel="resourcesync">. There is nothing at the well-known URI.',
    "R30 I34",
    elsewhere({ "/index.html": page("Home", link) }),
    [A],
    ["/undated.html"],
  );
  once(
    "page-link-below",
    "The address of any page leads to the log that the page links.",
    "R30 I34",
    elsewhere({ "/deep/page.html": page("Deep", link) }),
    [A],
    ["/undated.html"],
    { start: "/deep/page.html" },
  );
  once(
    "link-header",
    "A resource that is no page links its Capability List in the HTTP header Link.",
    "R31 I34",
    elsewhere({ "/picture.png": "not really a picture" }),
    [A],
    ["/undated.html"],
    {
      start: "/picture.png",
      answers: {
        "/picture.png": {
          headers: {
            "content-type": "image/png",
            link: `<${at("/log/capabilitylist.xml")}>; rel="resourcesync"`,
          },
        },
      },
    },
  );
  once(
    "robots",
    "robots.txt names the Resource List. It leads up to the Capability List.",
    "R32 I34",
    elsewhere({
      "/robots.txt": `User-agent: *\nDisallow:\n\nSitemap: ${at("/resourcelist.xml")}\n`,
      "/resourcelist.xml": resourceList({ "/quiet.html": page("Quiet") }, { folder: "/log/" }),
    }),
    [A],
    ["/quiet.html", "/undated.html"],
  );
  once(
    "well-known-redirected",
    "The well-known URI redirects to where the Source Description is.",
    "I33 I49",
    site([A, UNDATED], { "/description.xml": description("/") }),
    [A],
    ["/undated.html"],
    { answers: { [DESCRIPTION]: { status: 302, headers: { location: "/description.xml" } } } },
  );
  const wrong = (body: string) => [
    {
      site: site(LOG, { [DESCRIPTION]: body }),
      tells: [],
      never: ["/a.html", "/b.html", "/c.html"],
    },
    { site: { [DESCRIPTION]: description("/") }, tells: LOG, never: [] },
  ];
  const list = [{ loc: "/capabilitylist.xml", md: { capability: "capabilitylist" } }];
  follower(
    "description-of-another-kind",
    'What says capability="resourcelist" is no Source Description. Once it is mended, the log is read.',
    "I35",
    wrong(document("urlset", [], { capability: "resourcelist", at: "2026-10-01" }, list)),
  );
  follower(
    "description-without-capability",
    "A urlset without rs:md is a plain sitemap, and no Source Description.",
    "I35",
    wrong(document("urlset", [], undefined, list)),
  );
  follower(
    "description-that-is-a-page",
    "A host answers the well-known URI with a page and status 200. That is no Source Description.",
    "I35",
    wrong(page("Not found")),
  );
}

function structure(): void {
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
    "I32 I44 R94 R88",
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

function entries(): void {
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

function forms(): void {
  const utf16 = PLAIN.replace("UTF-8", "UTF-16");
  form(
    "utf-16",
    "XML in UTF-16 with a byte order mark.",
    "I44",
    Buffer.from(`\ufeff${utf16}`, "utf16le"),
  );
  form("byte-order-mark", "XML in UTF-8 with a byte order mark.", "I44", `\ufeff${PLAIN}`);
  form(
    "iso-8859-1",
    "XML in ISO 8859-1, with a letter that is no UTF-8.",
    "I44",
    Buffer.from(
      PLAIN.replace("UTF-8", "ISO-8859-1").replace("<urlset", "<!-- Übersicht -->\n<urlset"),
      "latin1",
    ),
  );
  form("no-declaration", "XML without a declaration is UTF-8.", "I44", PLAIN.replace(/^.*\n/, ""));
  const prefixed = PLAIN.replaceAll(/<(\/?)(urlset|url|loc)\b/g, "<$1sm:$2").replace(
    "xmlns=",
    "xmlns:sm=",
  );
  form("sitemap-prefix", "The elements of sitemaps have a prefix.", "I44", prefixed);
  form(
    "another-prefix",
    "The elements of ResourceSync have another prefix.",
    "I44",
    PLAIN.replaceAll("rs:", "sync:").replace("xmlns:rs", "xmlns:sync"),
  );
  const terms = ' xmlns:rs="http://www.openarchives.org/rs/terms/"';
  form(
    "inner-namespaces",
    "The namespace is declared where it is used.",
    "I44",
    PLAIN.replace(terms, "")
      .replaceAll("<rs:md", `<rs:md${terms}`)
      .replaceAll("<rs:ln", `<rs:ln${terms}`),
  );
  const images = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';
  once(
    "foreign-elements",
    "Elements of other namespaces are left alone; a loc of theirs is none of ours.",
    "I44 R102",
    site([], {
      "/changelist.xml": changeList([
        {
          ...change(A),
          more: `<image:image><image:loc>${at("/picture.png")}</image:loc></image:image>`,
        },
      ]).replace(NAMESPACES, `${NAMESPACES} ${images}`),
    }),
    [A],
    ["/picture.png"],
  );
  once(
    "foreign-attributes",
    "Attributes of other namespaces, and changefreq and priority, change nothing.",
    "I44 I47",
    site([], {
      "/changelist.xml": changeList([
        {
          ...change(A, { "x:change": "deleted" }),
          more: "<changefreq>daily</changefreq><priority>0.3</priority>",
        },
        UNDATED,
      ]).replace(NAMESPACES, `${NAMESPACES} xmlns:x="https://example.org/x"`),
    }),
    [A],
    ["/undated.html"],
  );
  once(
    "another-namespace-called-rs",
    "An element is known by its namespace. What is called rs:md in another one says nothing.",
    "I47 N1",
    site([], {
      "/changelist.xml": changeList([
        A,
        {
          loc: "/fake.html",
          more: '<rs:md xmlns:rs="https://example.org/fake" change="updated" datetime="2026-10-13T08:00:00Z"/>',
        },
      ]),
    }),
    [A],
    ["/fake.html"],
  );
  form(
    "comments-and-sections",
    "Comments, CDATA sections and white space around loc.",
    "I44",
    PLAIN.replaceAll(
      /<loc>(.*?)<\/loc>/g,
      "<loc>\n      <![CDATA[$1]]>\n    </loc><!-- a page -->",
    ),
  );
  form(
    "processing-instruction",
    "A stylesheet is named before the root.",
    "I44",
    PLAIN.replace("<urlset", '<?xml-stylesheet type="text/css" href="/list.css"?>\n<urlset'),
  );
  const swapped = PLAIN.replaceAll(/( {4}<loc>.*<\/loc>\n)( {4}<rs:md.*\/>\n)/g, "$2$1");
  form("metadata-before-loc", "rs:md stands before loc.", "I44", swapped);
  once(
    "gzip-file",
    "The Change List is a file that is compressed with gzip.",
    "T19a",
    site([C], {
      "/capabilitylist.xml": capabilityList("/", { changelist: "/changelist.xml.gz" }),
      "/changelist.xml.gz": gzipSync(changeList([A, B]), { level: 9 }),
    }),
    [A, B],
    ["/c.html"],
  );
  once(
    "content-encoding",
    "The Change List comes with Content-Encoding: gzip.",
    "T19a",
    site([], { "/zipped": gzipSync(PLAIN, { level: 9 }) }),
    LOG,
    ["/undated.html"],
    {
      answers: { "/changelist.xml": { file: "/zipped", headers: { "content-encoding": "gzip" } } },
    },
  );
  once(
    "content-types",
    "Documents are known by their content, whatever their Content-Type.",
    "R31 I32",
    site([...LOG, UNDATED]),
    LOG,
    ["/undated.html"],
    {
      answers: {
        [DESCRIPTION]: { headers: { "content-type": "application/octet-stream" } },
        "/capabilitylist.xml": { headers: { "content-type": "text/plain" } },
        "/changelist.xml": { headers: { "content-type": "text/html" } },
      },
    },
  );
}

function time(): void {
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
  follower("three-days", "Each day's changes are told on their day, and once.", "I51 I52 I53 R89", [
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
  ]);
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

function failures(): void {
  const broken = (name: string, about: string, second: TemplateMoment) =>
    follower(name, about, "I51 I52 R90", [
      { site: site(), tells: LOG, never: [] },
      { tells: [], never: ["/a.html", "/b.html", "/c.html", "/new.html"], ...second },
      {
        site: {
          "/changelist.xml": changeList([...LOG, NEW]),
          "/capabilitylist.xml": capabilityList(),
        },
        tells: [NEW],
        never: ["/a.html", "/b.html", "/c.html"],
      },
    ]);
  broken(
    "server-error",
    "The host fails for a day. Nothing is deleted by that, and nothing is told twice.",
    {
      answers: { "/changelist.xml": { status: 500 } },
    },
  );
  broken("list-away", "The Change List is away for a day.", {
    answers: { "/changelist.xml": { status: 404 } },
  });
  broken("all-away", "The whole site is away for a day.", {
    answers: {
      [DESCRIPTION]: { status: 404 },
      "/capabilitylist.xml": { status: 404 },
      "/changelist.xml": { status: 404 },
    },
  });
  broken(
    "page-in-place-of-a-list",
    "A page of an error comes with status 200 in place of the list.",
    {
      answers: {
        "/changelist.xml": { body: page("An error"), headers: { "content-type": "text/html" } },
      },
    },
  );
  broken("not-well-formed", "The list is not well-formed: an address has a bare &.", {
    answers: {
      "/changelist.xml": {
        body: changeList([]).replace("</urlset>", `<url><loc>${ORIGIN}/?a&b</loc></url></urlset>`),
      },
    },
  });
  broken(
    "capability-list-of-another-kind-for-a-day",
    "The Capability List is of another kind for a day.",
    {
      site: { "/capabilitylist.xml": resourceList({ "/a.html": page("A") }) },
    },
  );
}
