import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { judgeDocuments } from "@rs-emit/check";
import { readDocumentSync } from "@rs-emit/documents";
import { expect } from "vitest";
import { documentsIn } from "./documents.ts";
import { publishedBytes } from "./insertions.ts";
import { type Entry, type Followed, followFolder } from "./log.ts";
import { sha256 } from "./page.ts";
import type { Site } from "./site.ts";
import type { CollectionState, Known, State } from "./state.ts";

/** The documents in a folder say exactly what the model says, and follow every rule. */
export function proveDocuments(folder: string, site: string, state: State): void {
  const { collections, documents } = followFolder(folder, site);
  expect([...collections.keys()].sort()).toEqual([...state.keys()].sort());
  for (const [url, expected] of state) {
    const followed = collections.get(url);
    if (followed === undefined) throw new Error(`${url} is not listed`);
    proveCollection(url, followed, expected);
  }
  expect(judgeDocuments(documents)).toEqual([]);
  for (const path of state.keys()) proveDumps(folder, path.slice(site.length));
}

/** Each dump of a collection names packages and copies of their manifests that are there, and no other is. */
function proveDumps(folder: string, collection: string): void {
  for (const name of ["resourcedump", "changedump"]) {
    const list = readIfThere(join(folder, collection, `${name}.xml`));
    const entries = list === undefined ? [] : readDocumentSync(list).entries;
    const named = entries.map(({ loc, metadata }) => [basename(loc), metadata?.hash]);
    const linked = entries.flatMap(({ links = [] }) =>
      links.flatMap(({ rel, href }) => (rel === "contents" ? basename(href) : [])),
    );
    const place = join(folder, collection, name);
    const there = existsSync(place) ? readdirSync(place) : [];
    const packages = there
      .filter((file) => file.endsWith(".zip"))
      .map((file) => [file, `sha-256:${sha256(readFileSync(join(place, file)))}`]);
    expect(named.sort(), `packages of ${collection}${name}.xml`).toEqual(packages.sort());
    const manifests = there.filter((file) => !file.endsWith(".zip"));
    expect(linked.sort(), `manifests of ${collection}${name}.xml`).toEqual(manifests.sort());
    expect(linked).toHaveLength(named.length);
    const capabilities = readFileSync(join(folder, collection, "capabilitylist.xml"), "utf8");
    expect(capabilities.includes(`"${name}"`)).toBe(list !== undefined);
  }
}

function readIfThere(file: string): Uint8Array | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

/**
 * Lists of changes in pages are filled, links stand in resources and in no other page, and no other
 * byte is touched.
 */
export function provePages(folder: string, site: Site, state: State): void {
  for (const page of site.standing()) {
    const { log = [] } = state.get(page.listed ?? "") ?? {};
    const text = readFileSync(join(folder, page.file), "utf8");
    expect(text, page.file).toBe(publishedBytes(page, site, log).toString());
  }
}

function proveCollection(url: string, followed: Followed, expected: CollectionState): void {
  expect(followed.log, `the log of ${url}`).toEqual(expected.log);
  expect(followed.at, `the time of ${url}`).toBe(expected.time);
  expect(followed.resources).toEqual([...expected.snapshot.values()].sort(byUrl).map(listed));
  expect(followed.from).toBe(expected.from);
  proveOrder(followed);
}

/** Datetimes never decrease; intervals follow each other without gap or overlap; the last is open. */
function proveOrder({ lists, log, from }: Followed): void {
  expect(log.map(({ datetime }) => datetime)).toEqual(
    log.map(({ datetime }) => datetime).sort((one, other) => one - other),
  );
  expect(from).toBe(lists[0]?.from);
  for (const [position, list] of lists.entries()) {
    expect(list.until).toBe(lists[position + 1]?.from);
    for (const { datetime } of list.entries) {
      expect(datetime).toBeGreaterThanOrEqual(list.from);
      expect(datetime).toBeLessThanOrEqual(list.until ?? Number.POSITIVE_INFINITY);
    }
  }
}

/** Lists that were once published as closed: they are never touched again. */
export class ClosedLists {
  readonly #bytes = new Map<string, string | undefined>();

  prove(folder: string, site: string): void {
    const documents = documentsIn(folder);
    for (const [path, bytes] of this.#bytes) expect(documents.get(path), path).toBe(bytes);
    for (const [url, { lists }] of followFolder(folder, site).collections) {
      for (const { name, until } of lists) {
        const path = url.slice(site.length) + name;
        if (until !== undefined) this.#bytes.set(path, documents.get(path));
      }
    }
  }
}

function listed({ url, lastmod, hash, length, type, title }: Known): Partial<Entry> {
  return { url, lastmod, hash, length, type, ...(title === undefined ? {} : { title }) };
}

function byUrl(one: Known, other: Known): number {
  return one.url < other.url ? -1 : 1;
}
