import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { judgeDocuments } from "@rs-emit/check";
import { formatDatetime } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { FORMAT } from "../packages/core/src/model/log-attributes.ts";
import { hasCommit, isPartial } from "./format/commit.ts";
import { frozenVersions } from "./format/frozen.ts";
import { edit, Garden, NEXT } from "./format/garden.ts";
import { isClosedList, rewriteDocuments, without, withUnknown } from "./format/rewrite.ts";
import { SITES } from "./format/sites.ts";
import {
  documentsOf,
  foreignAttributesIn,
  gardensOf,
  logIn,
  raise,
  temporaryFolder,
  thawed,
  told,
  writtenBy,
} from "./format/thawed.ts";
import { contentsOf, documentsIn } from "./model/documents.ts";
import { TODAYS } from "./model/software.ts";
import { sample } from "./thorough.ts";

const SOURCE_DESCRIPTION = ".well-known/resourcesync";
const ROOT = join(import.meta.dirname, "..");
const DAY = 86_400;

const VERSIONS = frozenVersions();
const FROZEN_SITES = VERSIONS.flatMap((frozen) =>
  Object.entries(frozen.sites).map(([name, site]) => ({
    version: frozen.version,
    frozen,
    name,
    site,
  })),
);

/** What followers of a frozen site are told next, whatever version published it; see `edit`. */
const TOLD = [
  "created draft.html",
  "created lantern.html, moved from lamp.html",
  "created new.html",
  "deleted ink.html",
  "deleted lamp.html, moved to lantern.html",
  "updated (minor) fern.html",
  "updated moss.html: Another one under the gutter.",
  "updated wall.html: Of slate alone.",
];

describe.each(FROZEN_SITES)(
  "the site $name, as version $version left it",
  ({ frozen, name, site }) => {
    test("is not touched where nothing changed", async () => {
      const garden = thawed(frozen, name, site);
      const before = contentsOf(garden.folder);
      const log = logIn(garden);
      const result = await garden.publish(TODAYS, NEXT - DAY);
      expect(told(result, garden)).toEqual([]);
      expect(logIn(garden)).toEqual(log);
      // One that was cut short is completed, and that is all.
      expect(result.status).toBe(name === "cut" ? "published" : "unchanged");
      const now = contentsOf(garden.folder);
      const changed = [...now.keys()].filter((path) => now.get(path) !== before.get(path));
      expect(changed).toEqual(name === "cut" ? ["resourcelist.xml"] : []);
    });

    test("tells what changes next, once, behind all that it told", async () => {
      const garden = thawed(frozen, name, site);
      const log = logIn(garden);
      edit(garden);
      const result = await garden.publish(TODAYS, NEXT);
      expect(told(result, garden)).toEqual(TOLD);
      const next = logIn(garden);
      const at = formatDatetime(NEXT);
      expect(next.filter(({ metadata }) => metadata?.datetime !== at)).toEqual(log);
      expect(next).toHaveLength(log.length + TOLD.length);
      const findings = judgeDocuments(documentsOf(garden));
      // The Capability List of the other site is not here.
      const isOthers = ({ document = "" }: (typeof findings)[number]) =>
        site.options.alsoLists !== undefined && document.endsWith(".well-known/resourcesync");
      expect(findings.filter((finding) => !isOthers(finding))).toEqual([]);
      expect(await garden.publish(TODAYS, NEXT + DAY)).toMatchObject({ status: "unchanged" });
    });
  },
);

test.each(FROZEN_SITES)(
  "the site $name of version $version is not continued under a raised number",
  async ({ frozen, name, site }) => {
    const garden = thawed(frozen, name, site);
    raise(garden, FORMAT + 1);
    edit(garden);
    const before = contentsOf(garden.folder);
    const run = garden.publish(TODAYS, NEXT);
    await expect(run).rejects.toMatchObject({ code: "NEWER_FORMAT", about: "changelist.xml" });
    expect(contentsOf(garden.folder)).toEqual(before);
    raise(garden, FORMAT);
    expect(told(await garden.publish(TODAYS, NEXT), garden)).toEqual(TOLD);
  },
);

/** What an attribute that is lost costs at the next change, where that is more than nothing. */
const LOSSES: Readonly<
  Record<string, { readonly less: readonly string[]; readonly more: readonly string[] }>
> = {
  markup: { less: [], more: ["updated (minor) stone.html"] },
  note: {
    less: ["updated wall.html: Of slate alone."],
    more: ["updated wall.html; It stands: Of slate alone."],
  },
  blocks: {
    less: [
      "updated moss.html: Another one under the gutter.",
      "updated wall.html: Of slate alone.",
    ],
    more: ["updated moss.html", "updated wall.html"],
  },
};
const NO_LOSS = { less: [], more: [] };

/** What is told next where an attribute is lost; see `TOLD`. */
function toldWithout(name: string): string[] {
  const { less, more } = LOSSES[name] ?? NO_LOSS;
  return [...TOLD.filter((line) => !less.includes(line)), ...more].sort();
}

/** What a run needs to know what was published. */
const REQUIRED = ["publication", "snapshot"];

describe("without an attribute, as an earlier version would leave its documents,", () => {
  const frozen = VERSIONS.at(-1);
  const names = writtenBy(frozen).filter((name) => !REQUIRED.includes(name));

  test.each(names)("emit:%s, nothing is told where nothing changed", async (name) => {
    for (const garden of gardensOf(frozen)) {
      rewriteDocuments(garden.folder, (text) => without(text, [name]));
      const log = logIn(garden);
      expect(told(await garden.publish(TODAYS, NEXT), garden)).toEqual([]);
      expect(logIn(garden)).toEqual(log);
    }
  });

  test.each(names)("emit:%s, what changes next is told, once", async (name) => {
    // The cut one has lost what was remembered of edited pages, too.
    const sites = name === "content" ? ["whole", "parts"] : ["whole", "parts", "cut", "adopted"];
    for (const garden of gardensOf(frozen, sample(sites, 2))) {
      rewriteDocuments(garden.folder, (text) => without(text, [name]));
      edit(garden);
      expect(told(await garden.publish(TODAYS, NEXT), garden)).toEqual(toldWithout(name));
    }
  });

  test.each([
    // A page that moved as it was is known by its bytes.
    { name: "content", loss: "content" },
    { name: "markup", loss: "markup" },
    // It is made anew where the bytes are as they were.
    { name: "blocks", loss: "" },
  ])(
    "emit:$name, or with a scheme that is not known: it is compared with nothing, or made anew",
    async ({ name, loss }) => {
      const value = new RegExp(` emit:${name}="(?!on-demand)`, "g");
      for (const garden of gardensOf(frozen, ["whole", "adopted"])) {
        rewriteDocuments(garden.folder, (text) => text.replaceAll(value, "$&9"));
        expect(told(await garden.publish(TODAYS, NEXT - DAY), garden)).toEqual([]);
        edit(garden);
        expect(told(await garden.publish(TODAYS, NEXT), garden)).toEqual(toldWithout(loss));
      }
    },
  );

  test.each(REQUIRED)("emit:%s, the run stops", async (name) => {
    for (const garden of gardensOf(frozen, ["whole", "parts", "adopted"])) {
      rewriteDocuments(garden.folder, (text) => without(text, [name]));
      const before = contentsOf(garden.folder);
      const run = garden.publish(TODAYS, NEXT);
      await expect(run).rejects.toMatchObject({ code: "DAMAGED_DOCUMENT" });
      expect(contentsOf(garden.folder)).toEqual(before);
    }
  });
});

/** An entry of the Source Description that the author wrote. */
const OTHERS =
  '<url><loc>https://garden.example/other/capabilitylist.xml</loc><rs:md capability="capabilitylist"/></url>';

test("attributes that a version does not know are dropped where it writes a document anew", async () => {
  for (const garden of gardensOf(VERSIONS.at(-1), ["parts"])) {
    rewriteDocuments(garden.folder, (text, path) =>
      withUnknown(path === SOURCE_DESCRIPTION ? text.replace("</urlset>", `${OTHERS}$&`) : text),
    );
    const all = withLater(garden);
    const closed = all.filter((path) => isClosedList(documentIn(garden, path)));
    expect(closed.length).toBeGreaterThan(3);

    const isDropped = (path: string) => path === "capabilitylist.xml";
    expect((await garden.publish(TODAYS, NEXT - DAY)).rewritten.filter(isDropped)).toHaveLength(1);
    expect(withLater(garden)).toEqual(all.filter((path) => !isDropped(path)));

    edit(garden);
    expect(told(await garden.publish(TODAYS, NEXT), garden)).toEqual(TOLD);
    expect(withLater(garden)).toEqual([SOURCE_DESCRIPTION, ...closed]);
    const description = documentIn(garden, SOURCE_DESCRIPTION);
    expect(description.match(/ \w+:later=/g)).toEqual(Array(2).fill(expect.any(String)));

    const url = "https://moved.example/";
    const options = { ...garden.site.options, movedFrom: garden.site.url };
    const moved = new Garden(garden.folder, { ...garden.site, url, options });
    await moved.publish(TODAYS, NEXT + DAY);
    expect(withLater(garden)).toEqual([SOURCE_DESCRIPTION, ...closed]);
    for (const path of closed) expect(documentIn(garden, path)).toContain(url);
  }
});

/** The documents with an attribute of `withUnknown`. */
function withLater(garden: Garden): string[] {
  return [...documentsIn(garden.folder)]
    .filter(([, text]) => / \w+:later="/.test(text))
    .map(([path]) => path);
}

function documentIn({ folder }: Garden, path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

describe("frozen versions", () => {
  test("there is one of each number of the format: npm run freeze", () => {
    const numbers = VERSIONS.map(({ format }) => format);
    const all = Array.from({ length: FORMAT }, (_, at) => at + 1);
    expect([...new Set(numbers)].sort((one, other) => one - other)).toEqual(all);
  });

  test.skipIf(isPartial())("are of commits that a whole clone has", () => {
    for (const { version, commit } of VERSIONS) expect(hasCommit(commit), version).toBe(true);
  });
});

describe("docs/format.md", () => {
  const text = readFileSync(join(ROOT, "docs/format.md"), "utf8");
  const documented = [...text.matchAll(/^\| `(\w+:\w+)/gm)].map(([, name = ""]) => name);
  /** The first format is written without its number. */
  const unwritten = FORMAT === 1 ? ["emit:format"] : [];

  test("says the number of today's format", () => {
    expect(text).toContain(`Today's number is ${FORMAT}.`);
  });

  test("has each attribute that is written today, and no other", async () => {
    const names = new Set(unwritten);
    for (const { make, ...site } of SITES) {
      const garden = new Garden(temporaryFolder(), site);
      await make(garden, TODAYS);
      for (const name of foreignAttributesIn(garden.folder)) names.add(name);
    }
    expect(documented.toSorted()).toEqual([...names].sort());
  });

  test("has each attribute that the code names, whatever it is written for", () => {
    const sources = globSync("packages/*/src/**/*.ts", { cwd: ROOT });
    const code = sources.map((path) => readFileSync(join(ROOT, path), "utf8")).join("\n");
    const named = code.matchAll(/\b(DCTERMS|EMIT|WIKI),\s*(?:name:\s*)?"(\w+)"/g);
    const names = [...named].map(([, prefix = "", name]) => `${prefix.toLowerCase()}:${name}`);
    expect(names.filter((name) => !documented.includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(documented.length);
  });

  test("has each attribute that a frozen version wrote", () => {
    for (const { folder } of VERSIONS) {
      const names = foreignAttributesIn(join(folder, "sites"));
      expect(names.filter((name) => !documented.includes(name))).toEqual([]);
    }
  });
});
