import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import {
  DocumentError,
  type Documents,
  ListWriter,
  type Metadata,
  readDocumentSync,
} from "@rs-emit/documents";
import type { Collection } from "../model/collections.ts";
import { type Digest, digestFile, hashAttribute, sha256In } from "../model/digest.ts";
import type { DumpLimits } from "../model/environment.ts";
import { statIfThere } from "../model/file-system.ts";
import { documentName, MANIFEST, manifestCopyName } from "../model/layout.ts";
import { isForeign } from "../write/existing-files.ts";
import type { Staging } from "../write/staging.ts";
import { type DumpPackage, zipPackage } from "./package.ts";
import type { PackedPageFiles } from "./packed-files.ts";
import { firstLength, firstOffset } from "./zip.ts";

export interface DumpTools {
  readonly folder: string;
  readonly site: string;
  /** The last publication: the folder of its documents, and its base URL. */
  readonly last: { readonly folder: string; readonly base: string } | undefined;
  readonly files: PackedPageFiles;
  readonly staging: Staging;
  readonly limits: Partial<DumpLimits> | undefined;
}

interface DumpPlace {
  readonly collection: Collection;
  readonly name: string;
}

type DumpHead =
  | Omit<Documents["resource-dump"], "entries">
  | Omit<Documents["change-dump"], "entries">;

/** A copy of each manifest is beside its package: followers know the contents before the download. */
export class DumpList {
  readonly names = new Set<string>();
  readonly #place: DumpPlace;
  readonly #tools: DumpTools;
  readonly #writer: ListWriter;
  readonly #listed: ReadonlyMap<string, Digest>;

  constructor(head: DumpHead, place: DumpPlace, tools: DumpTools) {
    this.#place = place;
    this.#tools = tools;
    this.#writer = new ListWriter(head);
    this.#listed = listedIn(join(tools.folder, place.collection.folder, place.name));
  }

  /** Writes a package, unless the output folder has it. */
  put(name: string, made: DumpPackage, metadata: Metadata): void {
    const { staging, files, folder } = this.#tools;
    const path = this.#place.collection.folder + name;
    const here = join(folder, path);
    const known = this.#listed.get(name);
    if (known !== undefined && isIntact(here, made, known)) {
      staging.add({ path, copyOf: here });
      this.#list(name, known, metadata, made.manifest);
      return;
    }
    const chunks = zipPackage(made, files);
    this.#list(name, staging.addPackage({ path, chunks }), metadata, made.manifest);
  }

  keep(name: string, digest: Digest, metadata: Metadata): void {
    const { staging, last } = this.#tools;
    const path = this.#place.collection.folder + name;
    const copyOf = join(last?.folder ?? "", path);
    staging.add({ path, copyOf });
    this.#list(name, digest, metadata, manifestIn(copyOf));
  }

  #list(name: string, { hash, length }: Digest, metadata: Metadata, manifest: Uint8Array): void {
    const { url, folder } = this.#place.collection;
    const copy = manifestCopyName(name);
    this.names.add(name);
    this.#tools.staging.add({ path: folder + copy, bytes: manifest });
    this.#writer.add({
      loc: url + name,
      metadata: {
        ...metadata,
        type: "application/zip",
        length: String(length),
        hash: hashAttribute(hash),
      },
      links: [{ rel: "contents", href: url + copy, type: "application/xml" }],
    });
  }

  /** @returns `false` without packages: the schema allows no list without entries */
  finish(): boolean {
    if (this.names.size === 0) return false;
    const { collection, name } = this.#place;
    this.#tools.staging.add({ path: collection.folder + name, bytes: this.#writer.finish() });
    return true;
  }
}

/** The packages of a dump in the output folder; empty where it cannot be read. */
function listedIn(file: string): ReadonlyMap<string, Digest> {
  if (statIfThere(file)?.isFile() !== true || isForeign(file)) return new Map();
  try {
    const { entries } = readDocumentSync(readFileSync(file));
    return new Map(
      entries.flatMap(({ loc, metadata }) => {
        const hash = sha256In(metadata?.hash);
        const name = documentName(loc);
        return hash === undefined ? [] : [[name, { hash, length: Number(metadata?.length) }]];
      }),
    );
  } catch (error) {
    if (error instanceof DocumentError) return new Map();
    throw error;
  }
}

/** The manifest has the hash of every file, so equal manifests mean equal packages. */
function isIntact(file: string, { manifest, length }: DumpPackage, known: Digest): boolean {
  const stat = statIfThere(file);
  if (stat?.size !== length || known.length !== length || !stat.isFile()) return false;
  const packed = bytesAt(file, firstOffset(MANIFEST), manifest.length);
  return Buffer.compare(packed, manifest) === 0 && digestFile(file).hash === known.hash;
}

/** Only for a package that rs-emit wrote: its hash is the one in the dump. */
function manifestIn(file: string): Uint8Array {
  const offset = firstOffset(MANIFEST);
  return bytesAt(file, offset, firstLength(bytesAt(file, 0, offset)));
}

function bytesAt(file: string, start: number, length: number): Uint8Array {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(length);
    readSync(descriptor, bytes, 0, length, start);
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}
