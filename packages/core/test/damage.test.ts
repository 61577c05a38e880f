import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EmitError } from "../src/model/errors.ts";
import { TestSite } from "./support/site.ts";

/** What becomes of a document's text; `undefined` deletes it. */
type Damage = (text: string) => string | undefined;

const DESCRIPTION = ".well-known/resourcesync";
const INDEX = "changelist.xml";
const CLOSED = "changelist/2026-10.xml";
const OPEN = "changelist/2026-11.xml";
const SNAPSHOT = "resourcelist.xml";

const FIRST_ENTRY = /<(url|sitemap)>.*?<\/\1>\n/s;
const SECOND_ENTRY = /(<\/(url|sitemap)>\n)\s*<\2>.*?<\/\2>\n/s;
const LAST_ENTRY = /<(url|sitemap)>(?!.*<\1>).*<\/\1>\n/s;
const ANY_DOCUMENT: Readonly<Record<string, Damage>> = {
  truncated: (text) => text.slice(0, text.length * 0.8),
  emptied: () => "",
  "not XML": () => "gone",
  "HTML in its place": () => "<!doctype html><html><title>Not found</title></html>",
  "a DOCTYPE added": swap("<urlset", '<!DOCTYPE urlset SYSTEM "x.dtd"><urlset'),
  "of another capability": swap(/ capability="\w+"/, ' capability="resourcedump"'),
};
const GENERATOR = swap(/<!--.*-->\n/, "");

/** Damage that makes a document useless; each stops the run and names the document. */
const DAMAGES: Readonly<Record<string, Readonly<Record<string, Damage>>>> = {
  [DESCRIPTION]: {
    ...ANY_DOCUMENT,
    "a bad since": swap(/since="[^"]*"/, 'since="soon"'),
    "an entry elsewhere": swap(/<loc>.*<\/loc>/, "<loc>https://example.org/x</loc>"),
    "a collection above the site": swap(/shrine\//g, "../"),
    "a collection above the site, encoded": swap(/shrine\//g, "%2E%2E/"),
    "a collection above the site, as one name": swap(/shrine\//g, "x%2F..%2F../"),
  },
  [INDEX]: {
    ...ANY_DOCUMENT,
    "a DOCTYPE added": swap("<sitemapindex", "<!DOCTYPE sitemapindex><sitemapindex"),
    "without the generator's comment": GENERATOR,
    "an altered length": swap(/length="\d+"/, 'length="7"'),
    "a list without its hash": swap(/ hash="[^"]*"/, ""),
    "an altered from of its own": swap(/from="2026-09-01/, 'from="2026-09-02'),
    "an altered from of a closed list": swap(/from="2026-10-20/, 'from="2026-10-21'),
    "an altered from of the open list": swap(/from="2026-11-05/, 'from="2026-11-06'),
    "a list without its from": swap(/(<sitemap>.*?) from="[^"]*"/s, "$1"),
    "an altered until": swap(/until="2026-10-20/, 'until="2026-10-19'),
    "a closed list without its until": swap(/ until="[^"]*"/, ""),
    "its first list removed": swap(FIRST_ENTRY, ""),
    "a list in the middle removed": swap(SECOND_ENTRY, "$1"),
    "its open list removed": swap(LAST_ENTRY, ""),
    "all its lists removed": swap(/<sitemap>.*<\/sitemap>/s, ""),
    "a list named twice": swap(FIRST_ENTRY, "$&$&"),
    "a list outside the folder": swap(/changelist\/2026-09/, "../changelist/2026-09"),
    "a list of another site": swap(/<loc>https:..example.org/, "<loc>https://example.net"),
    "without its publication": swap(/ emit:publication="[^"]*"/, ""),
    "a later publication": swap(/publication="2026-11-05/, 'publication="2026-11-06'),
  },
  [CLOSED]: {
    ...ANY_DOCUMENT,
    "one byte flipped": swap("updated", "updatee"),
    "one byte added": swap("</urlset>", " </urlset>"),
    "an entry removed": swap(FIRST_ENTRY, ""),
    "without its until": swap(/ until="[^"]*"/, ""),
    "an earlier publication": swap(/publication="2026-11/, 'publication="2026-10'),
  },
  [OPEN]: {
    ...ANY_DOCUMENT,
    "without the generator's comment": GENERATOR,
    "one byte flipped": swap(/sha-256:./, "sha-256:x"),
    "an altered from": swap(/from="2026-11-05/, 'from="2026-11-04'),
    closed: swap(/ emit:publication/, ' until="2026-11-09T00:00:00Z"$&'),
    "a later publication": swap(/publication="2026-11-05/, 'publication="2026-11-06'),
    "entries out of order": swap(/datetime="2026-11-05T12/, 'datetime="2026-11-05T13'),
    "an entry without datetime": swap(/ datetime="[^"]*"/, ""),
    "an entry without change": swap(/ change="[^"]*"/, ""),
    "a bad datetime": swap(/datetime="[^"]*"/, 'datetime="2026-13-45"'),
    "an entry removed": swap(FIRST_ENTRY, ""),
    "an entry duplicated": swap(FIRST_ENTRY, "$&$&"),
    "an entry of another site": swap(/<loc>https:..example.org/, "<loc>https://example.net"),
  },
  [SNAPSHOT]: {
    ...ANY_DOCUMENT,
    "without the generator's comment": GENERATOR,
    "one byte flipped": swap("Home", "Hone"),
    "an altered hash": swap(/sha-256:[0-9a-f]{3}/, "sha-256:123"),
    "a resource without its hash": swap(/ hash="[^"]*"/, ""),
    "an entry removed": swap(FIRST_ENTRY, ""),
    "an entry duplicated": swap(FIRST_ENTRY, "$&$&"),
    "without its at": swap(/ at="[^"]*"/, ""),
    "a resource of another site": swap(/<loc>https:..example.org/, "<loc>https://example.net"),
  },
};

const ROWS = Object.entries(DAMAGES).flatMap(([document, damages]) =>
  Object.entries(damages).map(([what, damage]) => ({ document, what, damage })),
);

test.each(ROWS)("$document, $what, stops the run", async ({ document, damage }) => {
  const error = await stopped(document, damage);
  expect(error).toMatchObject({ code: "DAMAGED_DOCUMENT", about: document });
  expect(error.message).toContain(document);
  expect(error.message).toContain("Restore it from the last deploy or from version control");
});

/** Damage that shows elsewhere, or that has a cure of its own: the code, and what the message says. */
const OTHERS: readonly (readonly [string, string, Damage, string, string])[] = [
  [DESCRIPTION, "not ours", GENERATOR, "FOREIGN_FILE", DESCRIPTION],
  [DESCRIPTION, "of another site", move, "OTHER_SITE", "https://example.net/"],
  [INDEX, "deleted", gone, "MISSING_DOCUMENT", INDEX],
  [INDEX, "older", swap(/publication="2026-11/, 'publication="2026-10'), "SNAPSHOT_AHEAD", INDEX],
  [INDEX, "a closed list's hash", digit(0), "DAMAGED_DOCUMENT", "changelist/2026-09.xml"],
  [INDEX, "the open list's hash", digit(2), "DAMAGED_DOCUMENT", OPEN],
  [INDEX, "no snapshot", swap(/ emit:snapshot="[^"]*"/, ""), "DAMAGED_DOCUMENT", SNAPSHOT],
  [CLOSED, "deleted", gone, "MISSING_DOCUMENT", CLOSED],
  [OPEN, "deleted", gone, "MISSING_DOCUMENT", OPEN],
  [OPEN, "older", swap(/publication="2026-11/, 'publication="2026-10'), "SNAPSHOT_AHEAD", OPEN],
  [SNAPSHOT, "deleted", gone, "MISSING_DOCUMENT", SNAPSHOT],
  [SNAPSHOT, "a later at", swap(/ at="2026-11-05/, ' at="2026-11-06'), "SNAPSHOT_AHEAD", INDEX],
];

test.each(OTHERS)("%s, %s, stops the run", async (document, _, damage, code, words) => {
  const error = await stopped(document, damage);
  expect(error).toMatchObject({ code });
  expect(error.message).toContain(words);
});

/** Damages a document, runs, and expects that the run stopped with nothing written. */
async function stopped(document: string, damage: Damage): Promise<EmitError> {
  const site = await published();
  apply(site, document, damage);
  const before = site.files();
  const run = site.run("2026-11-20T12:00:00Z");
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EmitError)) throw error ?? new Error("the damage went unnoticed");
  expect(site.files()).toEqual(before);
  expect(error.message).toContain("rs-emit changed no page and no log.");
  return error;
}

/** Three publications in three months, and an edit that is not published yet. */
async function published(): Promise<TestSite> {
  const site = new TestSite({ collections: ["", "shrine"] });
  site.page("index.html", "Home").page("links.html", "Links").page("shrine/index.html", "Shrine");
  await site.publish("2026-10-05T12:00:00Z");
  site.page("index.html", "Home again").page("shrine/index.html", "Shrine again");
  await site.publish("2026-10-20T12:00:00Z");
  site.page("index.html", "Home anew").page("links.html", "Links anew");
  await site.publish("2026-11-05T12:00:00Z");
  return site.page("index.html", "Home at last");
}

function apply({ folder }: TestSite, document: string, damage: Damage): void {
  const file = join(folder, document);
  const text = damage(readFileSync(file, "utf8"));
  if (text === undefined) rmSync(file);
  else writeFileSync(file, text);
}

/** One change of the text, which must be possible. */
function swap(pattern: string | RegExp, replacement: string): Damage {
  return (text) => {
    const damaged = text.replace(pattern, replacement);
    if (damaged === text) throw new Error(`${pattern} is not in ${text}`);
    return damaged;
  };
}

/** Alters the hash of the list at a position. */
function digit(position: number): Damage {
  return (text) => {
    let at = 0;
    return text.replace(/sha-256:.../g, (hash) => (at++ === position ? "sha-256:123" : hash));
  };
}

function gone(): undefined {}

function move(text: string): string {
  return text.replaceAll("example.org", "example.net");
}
