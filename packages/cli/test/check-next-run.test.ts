import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { EmitError, type EmitOptions, emit } from "@rs-emit/core";
import { beforeAll, describe, expect, test } from "vitest";
import { rounds, sample } from "../../../test/thorough.ts";
import { folderOf, page, write } from "./support/folder.ts";
import { host, serve } from "./support/host.ts";
import { Terminal } from "./support/terminal.ts";

/** What becomes of a document; `undefined` deletes it. */
type Damage = (text: string, before: Before) => string | Uint8Array | undefined;

interface Before {
  readonly bytes: Buffer;
  /** As the publication before wrote it. */
  readonly older: Buffer | undefined;
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  deleted: () => undefined,
  emptied: () => "",
  "cut off": (text) => text.slice(0, text.length * 0.8),
  "cut off after a byte": (text) => text.slice(0, 1),
  "of another program": () => "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>",
  "a web page": () => "<!doctype html><html><title>Not found</title></html>",
  text: () => "gone",
  "with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "with a byte order mark": (text) => `\ufeff${text}`,
  minified: (text) => text.replaceAll(/<!--.*?-->|\n\s*/gs, ""),
  "without its comment": (text) => text.replace(/<!--.*?-->\n/s, ""),
  "as gzip": (_, { bytes }) => gzipSync(bytes),
  "as UTF-16": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  "with a DOCTYPE": (text) => text.replace(/<(?=\w)/, "<!DOCTYPE x><"),
  "of another capability": (text) => text.replace(/ capability="\w+"/, ' capability="other"'),
  "of a later format": (text) => text.replace(/<rs:md /, '<rs:md emit:format="9" '),
  "of another site": (text) => text.replaceAll(new URL(url).host, "127.0.0.1:9"),
  "a byte longer": (text) => `${text} `,
  "with another hash": (text) => text.replace(/sha-256:.../, "sha-256:123"),
  "older by a publication": (text, { older }) => older ?? text,
  "without its first entry": (text) => text.replace(/<(url|sitemap)>.*?<\/\1>\n?/s, ""),
  "with an entry twice": (text) => text.replace(/<(url|sitemap)>.*?<\/\1>\n?/s, "$&$&"),
  "without publication": without("emit:publication"),
  "without snapshot": without("emit:snapshot"),
  "without since": without("emit:since"),
  "without siblings": without("emit:siblings"),
  "without at": without("at"),
  "without from": without("from"),
  "without a datetime": without("datetime"),
};

function without(attribute: string): Damage {
  return (text) => text.replace(new RegExp(` ${attribute}="[^"]*"`), "");
}

/** No run parses them: these damages are enough. The documents of the other collection are like the first's. */
const FEW = /^(?:deleted|emptied|minified|as gzip|older by a publication)$/;
const ALIKE = /^night\/|dump|about|notification|sitemap|atom$/;

const OPTIONS: Omit<EmitOptions, "folder"> = {
  collections: ["/", "night"],
  history: "files",
  testAddress: true,
  sitemap: true,
  hub: "https://hub.example/",
  dump: { changes: 2 },
};

let url = "";
let folder = "";
let config = "";
/** The documents of the third publication, and what stood there before it. */
let documents: ReadonlyMap<string, Before> = new Map();

/** Three publications in three months, and edits that are not published yet. */
beforeAll(async () => {
  url = await host((request, response) => serve(folder)(request, response));
  folder = folderOf({ "index.html": page("Home"), "night/index.html": page("Night") });
  config = join(folderOf({ "c.json": JSON.stringify({ ...OPTIONS, url, folder }) }), "c.json");
  const publish = async (now: string, text: string) => {
    const run = { ...OPTIONS, folder, url, now, previous: "output", first: true } as const;
    await emit(run);
    write(folder, { "moss.html": page("Moss", text), "night/bus.html": page("Bus", text) });
  };
  await publish("2026-10-01T12:00:00Z", "Some");
  await publish("2026-10-20T12:00:00Z", "More");
  const before = filesOf(folder);
  await publish("2026-11-05T12:00:00Z", "Most");
  const own = [...filesOf(folder)].filter(([file]) => !file.endsWith(".html"));
  documents = new Map(own.map(([file, bytes]) => [file, { bytes, older: before.get(file) }]));
});

function filesOf(place: string): Map<string, Buffer> {
  const files = readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [file.slice(place.length + 1), readFileSync(file)]));
}

/** Where a run stops and the check says nothing, or a run goes on and the check warns of it. */
async function disagreements(
  cases: readonly (readonly [document: string, damage: string])[],
  from: "output" | "site",
): Promise<{ readonly stops: number; readonly wrong: readonly string[] }> {
  const pages = [...filesOf(folder)].filter(([file]) => file.endsWith(".html"));
  const built = folderOf(Object.fromEntries(pages.map(([file, bytes]) => [file, `${bytes}`])));
  const [output, checked] = from === "output" ? [folder, folder] : [built, url];
  const wrong: string[] = [];
  let stops = 0;
  for (const [document, name] of cases) {
    const file = join(folder, document);
    const before = documents.get(document);
    const damaged = before && DAMAGES[name]?.(before.bytes.toString(), before);
    if (before === undefined || damaged === before.bytes.toString()) continue;
    if (damaged === undefined) rmSync(file);
    else writeFileSync(file, damaged);
    const stop = await stopOf(output, from);
    const found = await findingOf(checked);
    if (stop !== undefined) stops += 1;
    if ((stop === undefined) !== (found === undefined)) {
      wrong.push(`${document}, ${name}: a run says "${stop}", check says "${found}"`);
    }
    writeFileSync(file, before.bytes);
  }
  return { stops, wrong };
}

async function stopOf(output: string, previous: "output" | "site"): Promise<string | undefined> {
  const now = "2026-11-20T12:00:00Z";
  const run = { ...OPTIONS, folder: output, url, previous, now, dryRun: true };
  try {
    await emit(run, { cacheFolder: folderOf({}) });
    return undefined;
  } catch (error) {
    if (error instanceof EmitError) return error.problem;
    throw error;
  }
}

async function findingOf(checked: string): Promise<string | undefined> {
  const args = ["check", checked, "--config", config, "--sample", "0", "--json"];
  const { stdout, exit } = await new Terminal().run(args);
  const { findings }: { findings: { rule: string; what: string }[] } = JSON.parse(stdout);
  const found = findings.find(({ rule }) => rule === "next-run");
  if (found !== undefined) expect(exit).toBe(1);
  return found?.what;
}

describe("whatever stops the next run, check names, and nothing else", () => {
  test("in a folder, each document damaged in each way", async () => {
    const cases = [...documents.keys()].flatMap((document) =>
      Object.keys(DAMAGES)
        .filter((damage) => !ALIKE.test(document) || FEW.test(damage))
        .map((damage) => [document, damage] as const),
    );
    const { stops, wrong } = await disagreements(sample(cases, 80), "output");
    expect(wrong).toEqual([]);
    expect(stops).toBeGreaterThan(rounds(40, 150));
  });

  test("on a live site, each damage of a document and each document damaged", async () => {
    const read = [...documents.keys()].filter((document) => !ALIKE.test(document));
    const cases = Object.keys(DAMAGES).flatMap((damage, at) =>
      [read[at % read.length] ?? "", "resourcelist.xml"].map((one) => [one, damage] as const),
    );
    const { stops, wrong } = await disagreements(cases, "site");
    expect(wrong).toEqual([]);
    expect(stops).toBeGreaterThan(25);
  });

  test("folders where documents should be, and lines of ours without their end", async () => {
    for (const document of ["about.xml", "changes.atom", "notification.xml", "resourcelist.xml"]) {
      const before = readFileSync(join(folder, document));
      rmSync(join(folder, document));
      mkdirSync(join(folder, document));
      expect(await stopOf(folder, "output")).toBe(await findingOf(folder));
      rmSync(join(folder, document), { recursive: true });
      writeFileSync(join(folder, document), before);
    }
    write(folder, {
      "robots.txt": "# rs-emit begins: each run writes the lines up to the end anew",
    });
    expect(await stopOf(folder, "output")).toBe(await findingOf(folder));
    rmSync(join(folder, "robots.txt"));
  });
});
