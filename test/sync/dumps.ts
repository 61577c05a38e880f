import { createHash } from "node:crypto";
import { type Entry, readDocumentSync, secondsOf, urlKey } from "@rs-emit/documents";
import { type ZippedFile, zipOf } from "../../packages/harvester/test/support/zip.ts";
import {
  type Attributes,
  documentText,
  type TestEntry,
} from "../../packages/reader/test/support/documents.ts";

/** A package of a Change Dump. */
interface ChangePackage {
  readonly path: string;
  readonly bytes: Buffer;
  readonly from: string;
  readonly until: string;
}

/**
 * Makes dumps of what a source publishes: of each collection a Resource Dump, and a Change Dump with one package for
 * each publication.
 */
export class DumpWriter {
  readonly #url: string;
  readonly #rewrite: (text: string) => string;
  readonly #hasLists: boolean;
  readonly #changes = new Map<string, { readonly from: string; packages: ChangePackage[] }>();

  /**
   * @param url of the site; ends with a slash
   * @param options `rewrite` changes each document before it is published; without `hasLists` no Capability List
   *   names Resource Lists or Change Lists
   */
  constructor(
    url: string,
    { rewrite, hasLists }: { rewrite: (text: string) => string; hasLists: boolean },
  ) {
    this.#url = url;
    this.#rewrite = rewrite;
    this.#hasLists = hasLists;
  }

  /**
   * What is published besides, or in place of what rs-emit has written; bytes by path.
   *
   * @param documents by path
   * @param served the bytes of resources, by `urlKey`
   */
  publish(
    documents: ReadonlyMap<string, string>,
    served: ReadonlyMap<string, Buffer>,
  ): Map<string, string> {
    const added = new Map<string, string>();
    for (const [path, text] of documents) {
      if (!path.endsWith("capabilitylist.xml")) continue;
      const folder = path.slice(0, -"capabilitylist.xml".length);
      const list = readDocumentSync(text);
      const find = (capability: string) =>
        list.entries.find(({ metadata }) => metadata?.capability === capability)?.loc ?? "";
      const read = (url: string): Snapshot => this.#read(documents, url);
      const resources = read(find("resourcelist"));
      const changes = read(find("changelist"));
      const dump = this.#resourceDump(folder, resources, served);
      const log = this.#changeDump(folder, changes, { at: resources.at, served });
      for (const [name, bytes] of [...dump, ...log]) added.set(name, bytes.toString("latin1"));
      const lists = this.#hasLists ? list.entries : [];
      const entries = [
        ...lists.map(({ loc, metadata }) => entryOf(loc, metadata?.capability ?? "")),
        entryOf(this.#urlOf(`${folder}resourcedump.xml`), "resourcedump"),
        entryOf(this.#urlOf(`${folder}changedump.xml`), "changedump"),
      ];
      const links = list.links.map(({ rel, href }) => [rel, href] as const);
      const md = { capability: "capabilitylist" };
      added.set(path, documentText("urlset", md, links, entries));
    }
    return added;
  }

  #resourceDump(
    folder: string,
    { at, entries }: Snapshot,
    served: ReadonlyMap<string, Buffer>,
  ): Map<string, Buffer> {
    const path = `${folder}resourcedump/1.zip`;
    const md = { capability: "resourcedump-manifest", at };
    const bytes = this.#package(md, entries, served);
    const dump = { capability: "resourcedump", at };
    return new Map([
      [path, bytes],
      [`${folder}resourcedump.xml`, this.#dump(dump, [{ path, bytes, md: {} }])],
    ]);
  }

  #changeDump(
    folder: string,
    { from, entries }: Snapshot,
    { at, served }: { readonly at: string; readonly served: ReadonlyMap<string, Buffer> },
  ): Map<string, Buffer> {
    const log = this.#changes.get(folder) ?? { from, packages: [] };
    this.#changes.set(folder, log);
    const last = log.packages.at(-1)?.until ?? from;
    const isFirst = log.packages.length === 0;
    const news = entries.filter(({ metadata }) => {
      const time = secondsOf(metadata?.datetime) ?? 0;
      return isFirst || time > (secondsOf(last) ?? 0);
    });
    if (news.length > 0) {
      const md = { capability: "changedump-manifest", from: last, until: at };
      const path = `${folder}changedump/${log.packages.length + 1}.zip`;
      const bytes = this.#package(md, news, served);
      log.packages.push({ path, bytes, from: last, until: at });
    }
    const named = log.packages.map(({ path, bytes, ...md }) => ({ path, bytes, md }));
    const dump = { capability: "changedump", from: log.from };
    return new Map([
      ...log.packages.map(({ path, bytes }) => [path, bytes] as const),
      [`${folder}changedump.xml`, this.#dump(dump, named)],
    ]);
  }

  #dump(
    md: Attributes,
    packages: readonly { path: string; bytes: Buffer; md: Attributes }[],
  ): Buffer {
    const entries = packages.map(({ path, bytes, md: own }) => {
      const hash = `sha-256:${createHash("sha256").update(bytes).digest("hex")}`;
      return { loc: this.#urlOf(path), md: { ...own, hash, length: String(bytes.length) } };
    });
    return Buffer.from(this.#rewrite(documentText("urlset", md, [], entries)));
  }

  /** A package with a manifest of some entries, as they stand in a list. */
  #package(md: Attributes, entries: readonly Entry[], served: ReadonlyMap<string, Buffer>): Buffer {
    const files: ZippedFile[] = [];
    const described = entries.map(({ loc, lastmod, metadata = {} }): TestEntry => {
      const bytes = metadata.change === "deleted" ? undefined : served.get(urlKey(loc));
      const name = `files/${files.length}`;
      if (bytes !== undefined) files.push({ name, bytes, isDeflated: files.length % 2 === 1 });
      const { hash, length, change, datetime } = metadata;
      const said = { hash, length, change, datetime, path: bytes && `/${name}` };
      const own = Object.entries(said).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, value] as const],
      );
      return { loc, ...(lastmod === undefined ? {} : { lastmod }), md: Object.fromEntries(own) };
    });
    const manifest = this.#rewrite(documentText("urlset", md, [], described));
    return zipOf([{ name: "manifest.xml", bytes: manifest }, ...files]);
  }

  /** A list, or the lists of an index. */
  #read(documents: ReadonlyMap<string, string>, url: string): Snapshot {
    const text = documents.get(url.slice(this.#url.length)) ?? "";
    const { root, metadata, entries } = readDocumentSync(text);
    const { at = "", from = "" } = metadata;
    if (root === "urlset") return { at, from, entries };
    const parts = entries.map(({ loc }) => this.#read(documents, loc));
    return { at, from, entries: parts.flatMap((part) => part.entries) };
  }

  #urlOf(path: string): string {
    return this.#url + path;
  }
}

/** A list as it says it is. */
interface Snapshot {
  readonly at: string;
  readonly from: string;
  readonly entries: readonly Entry[];
}

function entryOf(loc: string, capability: string): TestEntry {
  return { loc, md: { capability } };
}
