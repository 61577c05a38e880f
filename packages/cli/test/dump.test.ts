import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { judgeDocuments } from "@rs-emit/check";
import { type Entry, type ParsedDocument, readDocumentSync } from "@rs-emit/documents";
import { beforeAll, describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { type UnzippedFile, unzip } from "../../core/test/support/zip.ts";
import { rsEmit } from "./support/command.ts";
import { folderOf, page, write } from "./support/folder.ts";

/** The dumps that the command publishes, held against each requirement on a source's dumps. */

const SITE = "https://example.org/";
const LINKS = {
  links: [{ match: "**", rel: "duplicate", href: "https://mirror.example/{path}" }],
};
let folder = "";

beforeAll(async () => {
  folder = folderOf({
    "index.html": page("Home"),
    "fern & ivy.html": page("Fern & <ivy>"),
    "蘚/index.html": page("蘚"),
    "moss.html": page("Moss"),
    "old.html": page("Old"),
  });
  const edits: readonly (() => void)[] = [
    () => {},
    () => write(folder, { "moss.html": page("Moss", "By foot"), "new.html": page("New") }),
    () => rmSync(join(folder, "old.html")),
    () => write(folder, { "moss.html": page("Moss", "By boat") }),
  ];
  const config = join(
    folderOf({ "rs-emit.config.json": JSON.stringify(LINKS) }),
    "rs-emit.config.json",
  );
  for (const [number, edit] of edits.entries()) {
    edit();
    const now = `2026-10-0${number + 5}T18:30:00Z`;
    const options = [
      "--url",
      SITE,
      "--history",
      "files",
      "--config",
      config,
      "--dump-changes",
      "9",
    ];
    const run = await rsEmit([folder, ...options, "--previous", "output", "--now", now]);
    expect(run).toMatchObject({ exit: 0 });
  }
});

function read(path: string): ParsedDocument {
  return readDocumentSync(readFileSync(join(folder, path)));
}

function isHeadOf(document: ParsedDocument, capability: string): void {
  expect(document.metadata.capability).toBe(capability);
  expect(document.links).toContainEqual({ rel: "up", href: `${SITE}capabilitylist.xml` });
  for (const { loc } of document.entries) expect(loc).toMatch(/^https:\/\/example\.org\//);
}

interface OpenedPackage {
  readonly listed: Entry;
  readonly manifest: ParsedDocument;
  readonly files: readonly UnzippedFile[];
}

async function packagesOf(dump: string): Promise<OpenedPackage[]> {
  return Promise.all(
    read(dump).entries.map(async (listed) => {
      const files = await unzip(join(folder, listed.loc.slice(SITE.length)));
      const manifest = files.find(({ name }) => name === "manifest.xml");
      return { listed, manifest: readDocumentSync(manifest?.bytes ?? ""), files };
    }),
  );
}

function digestOf(bytes: Uint8Array): string {
  return `sha-256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Packages are ZIP files as they are listed, with a manifest at the top. */
async function expectPackages(dump: string): Promise<void> {
  const packages = await packagesOf(dump);
  expect(packages.length).toBeGreaterThan(0);
  const there = readdirSync(join(folder, dump.slice(0, -4)))
    .filter((name) => name.endsWith(".zip"))
    .map((name) => `${dump.slice(0, -4)}/${name}`);
  expect(packages.map(({ listed }) => listed.loc.slice(SITE.length))).toEqual(there.sort());
  for (const { listed, files } of packages) {
    const bytes = readFileSync(join(folder, listed.loc.slice(SITE.length)));
    const { type, length, hash } = listed.metadata ?? {};
    expect({ type, length, hash }).toEqual({
      type: "application/zip",
      length: String(bytes.length),
      hash: digestOf(bytes),
    });
    expect(files.filter(({ name }) => name === "manifest.xml")).toHaveLength(1);
    expect(files[0]?.name).toBe("manifest.xml");
  }
}

/** Every entry links a copy of the package's manifest, byte for byte. */
async function expectCopies(dump: string): Promise<void> {
  for (const { listed, files } of await packagesOf(dump)) {
    const [copy, ...others] = listed.links ?? [];
    expect(copy).toMatchObject({ rel: "contents", type: "application/xml" });
    expect(others).toEqual([]);
    const bytes = readFileSync(join(folder, copy?.href.slice(SITE.length) ?? ""));
    expect(files[0]?.bytes.equals(bytes)).toBe(true);
  }
}

/** Every entry names a file of the package that has its bytes, and every file is named. */
function expectFiles({ manifest, files }: OpenedPackage): void {
  const byPath = new Map(files.map(({ name, bytes }) => [`/${name}`, bytes]));
  const named = manifest.entries.filter(({ metadata }) => metadata?.change !== "deleted");
  for (const { metadata = {} } of named) {
    const bytes = byPath.get(metadata.path ?? "");
    expect(bytes).toBeDefined();
    expect(metadata.hash).toBe(digestOf(bytes ?? Buffer.of()));
    expect(metadata.length).toBe(String(bytes?.length));
    expect(metadata.type).toBe("text/html");
  }
  const paths = named.map(({ metadata }) => metadata?.path);
  expect([...byPath.keys()].filter((path) => path !== "/manifest.xml")).toEqual(paths);
}

describe("a Resource Dump", () => {
  test(
    "has the head and the entries of one",
    proves("R5", "R76a", "R76b", "R76c", "R76e", "R76f"),
    () => {
      const dump = read("resourcedump.xml");
      isHeadOf(dump, "resourcedump");
      expect(dump.metadata.at).toBe("2026-10-08T18:30:00Z");
      expect(dump.entries).toHaveLength(1);
    },
  );

  test(
    "points at ZIP files with a manifest at the top",
    proves("R2", "R19", "R76g", "R77a", "R77b", "R81a", "R81b", "T9"),
    () => expectPackages("resourcedump.xml"),
  );

  test(
    "has manifests that say what a package holds",
    proves("R50b", "R82a", "R82b", "R82c", "R82d", "R82e", "R82f", "T43"),
    async () => {
      for (const one of await packagesOf("resourcedump.xml")) {
        isHeadOf(one.manifest, "resourcedump-manifest");
        expect(one.manifest.metadata.at).toBe("2026-10-08T18:30:00Z");
        expectFiles(one);
      }
    },
  );

  test("links a copy of each manifest", proves("R78a"), () => expectCopies("resourcedump.xml"));

  test("holds what the Resource List holds, links included", proves("R66", "R101"), async () => {
    const [one] = await packagesOf("resourcedump.xml");
    const held = one?.manifest.entries.map(({ metadata = {}, ...entry }) => {
      const { path: _, ...rest } = metadata;
      return { ...entry, metadata: rest };
    });
    expect(held).toEqual(read("resourcelist.xml").entries);
    expect(held?.[0]?.links?.[0]?.rel).toBe("duplicate");
  });
});

describe("a Change Dump", () => {
  test(
    "has the head and the entries of one, in order of time",
    proves("R7", "R95a", "R95b", "R95c", "R95d", "R95e", "R95g"),
    () => {
      const dump = read("changedump.xml");
      isHeadOf(dump, "changedump");
      expect(dump.metadata.from).toBe("2026-10-05T18:30:00Z");
      expect(dump.metadata.until).toBeUndefined();
      const days = dump.entries.map(({ metadata }) => [metadata?.from, metadata?.until]);
      expect(days).toEqual(
        [5, 6, 7].map((day) => [`2026-10-0${day}T18:30:00Z`, `2026-10-0${day + 1}T18:30:00Z`]),
      );
    },
  );

  test(
    "points at ZIP files with a manifest at the top",
    proves("R19", "R77a", "R77b", "R95f", "R99a", "R99b"),
    () => expectPackages("changedump.xml"),
  );

  test("links a copy of each manifest", proves("R95h"), () => expectCopies("changedump.xml"));

  test(
    "has manifests that say what changed, with a file for each change that left one",
    proves("R100a", "R100b", "R100c", "R100e", "R100f", "R100g"),
    async () => {
      const packages = await packagesOf("changedump.xml");
      for (const one of packages) {
        const { from, until } = one.listed.metadata ?? {};
        isHeadOf(one.manifest, "changedump-manifest");
        expect(one.manifest.metadata).toMatchObject({ from, until });
        expectFiles(one);
        for (const { metadata } of one.manifest.entries) {
          expect(metadata?.path === undefined).toBe(metadata?.change === "deleted");
        }
      }
      const changes = packages.map(({ manifest }) =>
        manifest.entries.map(
          ({ loc, metadata }) => `${metadata?.change} ${loc.slice(SITE.length)}`,
        ),
      );
      expect(changes.map((those) => those.sort())).toEqual([
        ["created new.html", "updated moss.html"],
        ["deleted old.html"],
        ["updated moss.html"],
      ]);
    },
  );
});

test(
  "the packages of a Change Dump have every change after its from in the log's order, each as the page was then",
  proves("R96", "R100d", "T8"),
  async () => {
    const [list] = read("changelist.xml").entries;
    const log = read(list?.loc.slice(SITE.length) ?? "").entries;
    const { from = "" } = read("changedump.xml").metadata;
    const packages = await packagesOf("changedump.xml");
    const packaged = packages.flatMap(({ manifest, files }) =>
      manifest.entries.map(({ loc, metadata = {} }) => {
        const file = files.find(({ name }) => `/${name}` === metadata.path);
        return { told: toldBy({ loc, metadata }), text: file?.bytes.toString() };
      }),
    );
    const after = log.filter(({ metadata }) => (metadata?.datetime ?? "") > from);
    expect(packaged.map(({ told }) => told)).toEqual(after.map(toldBy));
    expect(packaged.map(({ text }) => text)).toEqual([
      page("Moss", "By foot"),
      page("New"),
      undefined,
      page("Moss", "By boat"),
    ]);
  },
);

function toldBy({ loc, metadata }: Entry): string {
  return `${metadata?.datetime} ${metadata?.change} ${loc}`;
}

test("the Capability List names both dumps", () => {
  const { entries } = read("capabilitylist.xml");
  const dumps = entries.flatMap(({ loc, metadata }) =>
    /dump$/.test(metadata?.capability ?? "") ? [[metadata?.capability, loc]] : [],
  );
  expect(dumps).toEqual([
    ["resourcedump", `${SITE}resourcedump.xml`],
    ["changedump", `${SITE}changedump.xml`],
  ]);
});

describe("what other programs find", () => {
  /** Manifests by their packages, and the dumps. */
  async function documents(): Promise<Map<string, Uint8Array>> {
    const names = ["resourcedump.xml", "changedump.xml", "capabilitylist.xml"];
    const found = new Map<string, Uint8Array>(
      names.map((name) => [name, readFileSync(join(folder, name))]),
    );
    for (const { listed, files } of [
      ...(await packagesOf("resourcedump.xml")),
      ...(await packagesOf("changedump.xml")),
    ]) {
      found.set(listed.loc, files[0]?.bytes ?? Buffer.of());
    }
    return found;
  }

  test("every rule of the judge is kept by manifests too", async () => {
    for (const [name, bytes] of await documents()) {
      const findings = judgeDocuments(new Map([[name, readDocumentSync(bytes)]]), {
        complete: false,
      });
      expect(
        findings.filter(({ where }) => !/link/.test(where)),
        name,
      ).toEqual([]);
    }
  });

  const SCHEMAS = join(import.meta.dirname, "../../../../shared/spec/xsd");
  const hasXmllint = existsSync(SCHEMAS) && spawnSync("xmllint", ["--version"]).status === 0;
  test.skipIf(!hasXmllint)("the framework's schema", async () => {
    const schema = join(SCHEMAS, "list.xsd");
    for (const [name, input] of await documents()) {
      const { status, stderr } = spawnSync("xmllint", ["--noout", "--schema", schema, "-"], {
        input,
      });
      expect(status, `${name} ${String(stderr)}`).toBe(0);
    }
  });

  const hasUnzip = spawnSync("unzip", ["-v"]).status === 0;
  test.skipIf(!hasUnzip)("unzip", () => {
    const packages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".zip"),
    );
    expect(packages).toHaveLength(4);
    for (const name of packages) {
      const { status, stdout } = spawnSync("unzip", ["-t", join(folder, name)], {
        encoding: "utf8",
      });
      expect(status, stdout).toBe(0);
      expect(stdout).toContain("No errors detected");
    }
  });
});
