import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { ParsedDocument } from "@rs-emit/documents";
import { readDocument } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { judgeDocument, type Profile } from "../src/rules/index.ts";
import { shapeOf } from "./examples.shape.ts";

/** The specifications, where the workspace has them beside the repository. */
const SPECIFICATIONS = new URL("../../../../shared/spec/", import.meta.url);
const FIXTURES = new URL("fixtures/", import.meta.url);

/** Examples of discovery (HTML, a Link header, robots.txt) are no documents: a harvester's matter. */
const DISCOVERY = ["09", "10", "11"];

/** What the rules find in the examples: each rule, and where. The other examples keep all. */
const FINDINGS: Record<string, readonly (readonly [string, string])[]> = {
  "resourcesync/01-resource-list": [["up", "rs:ln rel=up"]],
  "resourcesync/02-resource-list": [["up", "rs:ln rel=up"]],
  "resourcesync/03-change-list": [["up", "rs:ln rel=up"]],
  "resourcesync/03-change-list-text": [["up", "rs:ln rel=up"]],
  "resourcesync/04-resource-dump": bareDump(),
  "resourcesync/04-resource-dump-text": bareDump(),
  "resourcesync/05-resource-dump-manifest": bareManifest(),
  "resourcesync/05-resource-dump-manifest-text": bareManifest(),
  "resourcesync/08-resource-list-index": [["up", "rs:ln rel=up"]],
  "resourcesync/27-patches": digestsInBase64(),
  "resourcesync/27-patches-text": digestsInBase64(),
  "ifcc-0001/3-change-list": [
    ["datetime-full", "rs:md@from"],
    ["datetime-full", "entry 1, rs:md@datetime"],
  ],
};

function bareDump() {
  return [
    ["up", "rs:ln rel=up"],
    ["package-metadata", "entry 1, rs:md@type"],
    ["package-metadata", "entry 1, rs:md@length"],
  ] as const;
}

function bareManifest() {
  return [
    ["up", "rs:ln rel=up"],
    ["bitstream-type", "entry 1, rs:md@type"],
    ["bitstream-type", "entry 2, rs:md@type"],
  ] as const;
}

function digestsInBase64() {
  return [1, 2].flatMap((number) => [
    ["hash", `entry ${number}, rs:md@hash`] as const,
    ["hash", `entry ${number}, rs:ln rel=http://www.openarchives.org/rs/terms/patch@hash`] as const,
  ]);
}

/** The texts an example is judged by: its own, and what that builds on. */
const PROFILES: Record<string, readonly Profile[]> = {
  resourcesync: ["resourcesync"],
  "change-notification": ["resourcesync"],
  "ifcc-0001": ["resourcesync", "ifcc-0001"],
};

const FOLDERS = Object.keys(PROFILES);
const NAMES = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(folder, FIXTURES))
    .filter((file) => file.endsWith(".xml"))
    .map((file) => `${folder}/${file.slice(0, -".xml".length)}`),
);

function text(name: string): string {
  return readFileSync(new URL(name, FIXTURES), "utf8");
}

describe("an example is read and judged", () => {
  test.each(NAMES)("%s", async (name) => {
    const document = await readDocument(text(`${name}.xml`));
    expect(document).toEqual(JSON.parse(text(`${name}.json`)));
    const profile = PROFILES[name.replace(/\/.*/, "")] ?? [];
    const found = judgeDocument(document, { profile }).map(({ rule, where }) => [rule, where]);
    expect(found).toEqual(FINDINGS[name] ?? []);
  });

  test("and there is one for each of ResourceSync 1.1 but those of discovery", () => {
    const numbers = Array.from({ length: 33 }, (_, at) => String(at + 1).padStart(2, "0"));
    const told = (number: string) =>
      NAMES.some((name) => name.startsWith(`resourcesync/${number}-`));
    expect(numbers.filter((number) => !told(number))).toEqual(DISCOVERY);
  });
});

/** The published example that a fixture tells in its own words. */
function originalOf(name: string): string | undefined {
  const number = Number(/\d+/.exec(name.replace(/.*\//, ""))?.[0]);
  if (name.startsWith("ifcc-0001/")) {
    return blocks("ifcc-0001-sitemap-update-syndication.md")[number - 1];
  }
  if (name.startsWith("change-notification/")) {
    return block("change-notification-1.0.1.txt", number);
  }
  if (name.endsWith("-text")) return block("resourcesync-1.1.txt", number);
  return readFileSync(new URL(`examples/resourcesync_ex_${number}.xml`, SPECIFICATIONS), "utf8");
}

const DOCUMENT = /(?:<\?xml[^>]*>\s*)?<(urlset|sitemapindex) xmlns="http(?:(?!<urlset).)*?<\/\1>/gs;

function blocks(file: string): readonly string[] {
  return readFileSync(new URL(file, SPECIFICATIONS), "utf8").match(DOCUMENT) ?? [];
}

function block(file: string, number: number): string | undefined {
  const captioned = new RegExp(
    `(${DOCUMENT.source.replace("\\1", "\\2")})\\s+Example ${number}:`,
    "s",
  );
  return captioned.exec(readFileSync(new URL(file, SPECIFICATIONS), "utf8"))?.[1];
}

const present = existsSync(new URL("examples", SPECIFICATIONS));
const reason = present ? "" : ": skipped, the specifications are not beside the repository";

describe.skipIf(!present)(`an example says what the published one says${reason}`, () => {
  test.each(NAMES)("%s", async (name) => {
    const original = originalOf(name);
    if (original === undefined) throw new Error(`No published example is told by ${name}`);
    const [ours, published] = await Promise.all([
      readDocument(text(`${name}.xml`)),
      readDocument(original),
    ]);
    expect(shapeOf(ours)).toEqual(shapeOf(published));
    expect(shared(ours, published)).toEqual([]);
  });
});

/** URLs that both documents name: ours are to be our own. */
function shared(ours: ParsedDocument, published: ParsedDocument): readonly string[] {
  const locs = new Set(published.entries.map(({ loc }) => loc));
  return ours.entries.map(({ loc }) => loc).filter((loc) => locs.has(loc));
}
