import { ORIGIN } from "../../server.ts";
import {
  at,
  change,
  DESCRIPTION,
  document,
  type Entry,
  type Link,
  page,
  stated,
} from "../documents.ts";
import { type Files, writeCase } from "../write.ts";

export const LINK = `<link rel="resourcesync" href="${at("/capabilitylist.xml")}">`;
export const PAGES: Readonly<Record<string, string>> = {
  "/": page("Home", LINK),
  "/a.html": page("A", LINK),
  "/b.html": page("B", LINK),
};
export const CLOSED = { from: "2026-09-01T00:00:00Z", until: "2026-10-01T00:00:00Z" };
const OPEN = { from: "2026-10-01T00:00:00Z" };
export const TAKEN = { at: "2026-10-15T00:00:00Z" };
export const UP: readonly Link[] = [["up", "/capabilitylist.xml"]];
const BEHIND: readonly Link[] = [...UP, ["index", "/changelist.xml"]];
const ABOUT: Link = ["describedby", "/about.xml", { type: "application/rdf+xml" }];

export const [SEPTEMBER, OCTOBER] = ["/changelist-09.xml", "/changelist-10.xml"] as const;
export const [LISTS, LIST, CAPABILITIES] = [
  "/changelist.xml",
  "/resourcelist.xml",
  "/capabilitylist.xml",
];

export const RESOURCES: readonly Entry[] = Object.entries(PAGES).map(([loc, text]) => ({
  loc,
  md: stated(text),
}));

export function of(loc: string, datetime: string, kind = "created"): Entry {
  const text = PAGES[loc];
  const md = text === undefined || kind === "deleted" ? {} : stated(text);
  return change(`${kind} ${loc} ${datetime}`, md);
}

/** A site that keeps all rules. */
export const SITE: Readonly<Record<string, string>> = {
  [DESCRIPTION]: document("urlset", [ABOUT], { capability: "description" }, [
    {
      loc: CAPABILITIES,
      md: { capability: "capabilitylist" },
      links: [["describes", "/"], ABOUT],
    },
  ]),
  [CAPABILITIES]: document(
    "urlset",
    [["up", DESCRIPTION], ["describes", "/"], ABOUT],
    { capability: "capabilitylist" },
    [
      { loc: LISTS, md: { capability: "changelist" } },
      { loc: LIST, md: { capability: "resourcelist" } },
    ],
  ),
  [LISTS]: document("sitemapindex", UP, { capability: "changelist", from: CLOSED.from }, [
    { loc: SEPTEMBER, md: CLOSED },
    { loc: OCTOBER, md: OPEN },
  ]),
  [SEPTEMBER]: document("urlset", BEHIND, { capability: "changelist", ...CLOSED }, [
    of("/", "2026-09-02T00:00:00Z"),
    of("/old.html", "2026-09-03T00:00:00Z"),
    of("/a.html", "2026-09-04T00:00:00Z"),
  ]),
  [OCTOBER]: document("urlset", BEHIND, { capability: "changelist", ...OPEN }, [
    of("/old.html", "2026-10-02T00:00:00Z", "deleted"),
    of("/b.html", "2026-10-03T00:00:00Z"),
  ]),
  [LIST]: document("urlset", UP, { capability: "resourcelist", ...TAKEN }, RESOURCES),
  "/about.xml":
    '<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dcterms="http://purl.org/dc/terms/">\n' +
    `  <rdf:Description rdf:about="${ORIGIN}/"><dcterms:title>A site</dcterms:title></rdf:Description>\n</rdf:RDF>\n`,
  "/index.html": PAGES["/"] ?? "",
  "/a.html": PAGES["/a.html"] ?? "",
  "/b.html": PAGES["/b.html"] ?? "",
};

export type Edit = (text: string) => string;

/** Replaces one passage, which must be there. */
export function swap(passage: string | RegExp, by: string): Edit {
  return (text) => {
    const edited = text.replace(passage, by);
    if (edited === text) throw new Error(`${passage} is not in ${text}`);
    return edited;
  };
}

export const drop = (passage: string | RegExp) => swap(passage, "");
export const dropLink = (rel: string) => drop(new RegExp(` *<rs:ln rel="${rel}"[^>]*/>\\n`));
export const ownAttribute = (name: string) =>
  drop(new RegExp(`(?<=<rs:md capability="[^"]*"[^>]*) ${name}="[^"]*"`));
export const capabilityless = drop(/ capability="[^"]*"/);

interface Extras {
  readonly site?: Files;
  /** Other documents in which the fault shows. */
  readonly also?: readonly string[];
  /** The document that the finding is about, or several by `|`. */
  readonly where?: string;
}

/**
 * A case: a document of the site is edited, and the judge finds it; at the second moment the document
 * is as it was, and the judge finds no error, nor what it found before.
 *
 * @param finds requirement and level: `R35 error`
 */
export function judged(
  name: string,
  about: string,
  finds: readonly string[],
  path: string,
  edit: Edit,
  { site = SITE, also = [], where = path }: Extras = {},
): void {
  const before = String(site[path] ?? "");
  const found = finds.map((each) => each.replace(" ", ` ${where} `));
  const ids = finds.map((each) => each.split(" ")[0] ?? "");
  writeCase("judges", name, about, ids.join(" "), [
    { site: { ...site, [path]: edit(before) }, finds: found, may: also, never: ["error"] },
    { site: { [path]: before }, finds: [], never: ["error", ...ids.map((id) => `${id} ${where}`)] },
  ]);
}

export const NOTIFICATION = document(
  "urlset",
  UP,
  {
    capability: "change-notification",
    from: "2026-10-02T12:00:00Z",
    until: "2026-10-03T12:00:00Z",
  },
  [of("/b.html", "2026-10-03T00:00:00Z")],
);
