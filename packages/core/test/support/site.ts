import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Finding, judgeDocuments } from "@rs-emit/check";
import { type Entry, type ParsedDocument, readDocumentSync } from "@rs-emit/documents";
import { expect, onTestFinished } from "vitest";
import { emit } from "../../src/emit.ts";
import type { Environment } from "../../src/model/environment.ts";
import { documentName, FEED, isDocumentName } from "../../src/model/layout.ts";
import { urlOf } from "../../src/model/url.ts";
import type { EmitOptions } from "../../src/options/emit-options.generated.ts";
import type { EmitResult } from "../../src/report/result.ts";
import { UNFLUSHED } from "./disk.ts";

/** A temporary folder, gone when the test ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "rs-emit-site-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** UTC seconds of a day of October 2026, of a whole datetime, or of a date. */
export function seconds(at: string): number {
  return Date.parse(at) / 1000;
}

/** What a test may say of a run, besides its time. */
export type RunOptions = Partial<EmitOptions>;

/** A built site in a folder, whose pages a test edits and publishes. */
export class TestSite {
  readonly url: string;
  readonly folder: string;
  readonly options: RunOptions;
  readonly environment: Environment;

  constructor(
    { url = "https://example.org/", ...options }: RunOptions = {},
    environment: Environment = {},
    folder = temporaryFolder(),
  ) {
    this.url = url;
    this.folder = folder;
    this.options = options;
    this.environment = { cacheFolder: temporaryFolder(), fileSystem: UNFLUSHED, ...environment };
  }

  /** Writes a page; its file's time is the evidence of a first publication. */
  page(path: string, text: string, at = "2026-09-01T08:00:00Z"): this {
    const html = `<!doctype html><html lang="en"><title>${text}</title><main>${text}</main></html>`;
    return this.write(path, html, at);
  }

  write(path: string, contents: string | Uint8Array, at = "2026-09-01T08:00:00Z"): this {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
    utimesSync(file, seconds(at), seconds(at));
    return this;
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  remove(...paths: readonly string[]): this {
    for (const path of paths) rmSync(join(this.folder, path), { recursive: true });
    return this;
  }

  /** The same site, as a copy elsewhere. */
  copy(options: RunOptions = {}): TestSite {
    const folder = temporaryFolder();
    cpSync(this.folder, folder, { recursive: true, preserveTimestamps: true });
    return new TestSite({ url: this.url, ...this.options, ...options }, this.environment, folder);
  }

  /** The same pages as a fresh build leaves them: without any document. */
  build(options: RunOptions = {}): TestSite {
    const site = this.copy(options);
    for (const path of site.files().keys()) if (isDocument(path)) site.remove(path);
    return site;
  }

  /** Publishes at a time, and judges every document by the rules. */
  async publish(at: string, options: RunOptions = {}, environment: Environment = {}) {
    const result = await this.run(at, options, environment);
    expectNoFindings(this.folder, options.url ?? this.url);
    return result;
  }

  /** Publishes at a time, whatever comes of it. */
  run(at: string, options: RunOptions = {}, environment: Environment = {}): Promise<EmitResult> {
    return emit(
      {
        folder: this.folder,
        url: this.url,
        testAddress: true,
        previous: "output",
        history: "files",
        now: at,
        ...this.options,
        ...options,
      },
      { clock: () => seconds(at), ...this.environment, ...environment },
    );
  }

  /** Every file by its path, as a digest of its bytes. */
  files(): Map<string, string> {
    return filesOf(this.folder);
  }

  /** Every file by its path, with the time it was last written. */
  times(): Map<string, number> {
    return mapFiles(this.folder, (file) => statSync(file).mtimeMs);
  }
}

export function filesOf(folder: string): Map<string, string> {
  return mapFiles(folder, (file) => createHash("sha256").update(readFileSync(file)).digest("hex"));
}

function mapFiles<Value>(folder: string, value: (file: string) => Value): Map<string, Value> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(files.map((file) => [file.slice(folder.length + 1), value(file)]));
}

/** What a publication cannot satisfy, and why. */
function isAccepted({ rule }: Finding, site: string): boolean {
  // The well-known place belongs to the host: a site below its root cannot publish there.
  return /^(?:ifcc-)?well-known$/.test(rule) && new URL(site).pathname !== "/";
}

/** Files of a publication that are none of ResourceSync's documents. */
const OTHERS: readonly string[] = ["about.xml", FEED];

/** The documents of a publication by their URLs. */
export function documentsOf(folder: string, site: string): Map<string, ParsedDocument> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => isDocument(path) && !OTHERS.includes(basename(path)) && !path.endsWith(".zip"),
  );
  return new Map(
    paths.map((path) => [
      urlOf(site, path, false),
      readDocumentSync(readFileSync(join(folder, path))),
    ]),
  );
}

export function isDocument(path: string): boolean {
  const name = documentName(path);
  return path === ".well-known/resourcesync" || isDocumentName(name) || name === FEED;
}

/** The rules find nothing in a publication. */
export function expectNoFindings(folder: string, site: string): void {
  if (!existsSync(join(folder, ".well-known/resourcesync"))) return;
  const findings = judgeDocuments(documentsOf(folder, site))
    .filter((finding) => !isAccepted(finding, site))
    .map(({ rule, document, where, what }) => `${rule}: ${document} ${where}: ${what}`);
  expect(findings).toEqual([]);
}

/** The whole log of a collection as a follower reads it: `2026-10-05T12:00:00Z updated page.html`. */
export function logOf(folder: string, site: string, collection = ""): string[] {
  return entriesOf(folder, site, collection).map(({ loc, metadata = {} }) => {
    const importance = metadata.foreign?.find(({ name }) => name === "importance")?.value;
    const kind = importance === undefined ? metadata.change : `${metadata.change} (${importance})`;
    return `${metadata.datetime} ${kind} /${loc.slice(site.length)}`;
  });
}

/** The entries of every Change List that the index names, in order. */
export function entriesOf(folder: string, site: string, collection = ""): Entry[] {
  return listsOf(folder, site, collection).flatMap(({ entries }) => entries);
}

/** The Change Lists that the index names, in order. */
export function listsOf(folder: string, site: string, collection = ""): ParsedDocument[] {
  const documents = documentsOf(folder, site);
  const index = documents.get(`${site}${collection}changelist.xml`);
  return (index?.entries ?? []).map(({ loc }) => {
    const list = documents.get(loc);
    if (list === undefined) throw new Error(`${loc} is missing`);
    return list;
  });
}
