import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { check, type Site } from "@rs-emit/check";
import { discover, HarvestError, type RememberedDocument, type Transport } from "@rs-emit/reader";
import { readSource } from "@rs-emit/reader/read/read-source";
import { readDescriptions } from "@rs-emit/reader/read/site-descriptions";
import { digestBytes } from "../../packages/core/src/model/digest.ts";
import { EmitError } from "../../packages/core/src/model/errors.ts";
import {
  type CollectionPublication,
  publishedCollections,
} from "../../packages/core/src/model/publication.ts";
import type { DocumentStore } from "../../packages/core/src/recall/document-store.ts";
import { type RecallRequest, recall } from "../../packages/core/src/recall/recall.ts";
import { findLists } from "../../packages/harvester/src/readers/sitemap/find-lists.ts";
import { LIST_LIMITS } from "../../packages/harvester/src/readers/sitemap/list-contents.ts";
import {
  ListsReader,
  type PolledList,
} from "../../packages/harvester/src/readers/sitemap/read-lists.ts";
import { SITE_BOUNDS } from "../bounds.ts";
import { type Reader, wordsOf } from "../reader.ts";
import { transportTo } from "./answers.ts";
import { pageTaker } from "./page-taker.ts";
import { piecesIn } from "./pieces.ts";

const SITE = "https://example.org/";
const DESCRIPTION = `${SITE}.well-known/resourcesync`;
const NOW = 1_800_000_000;

const FACT = /\{(#?)([\w./-]{1,80})\}/g;

/** Names of files that lead nowhere else. */
const WITHIN = /^(?:[\w-]+\/)*[\w-][\w.-]*$/;

const copies = mkdtempSync(join(tmpdir(), "rs-emit-fuzz-"));
process.once("exit", () => rmSync(copies, { recursive: true, force: true }));

const FOLDER = { strict: false, force: false, first: false };
const LIVE = { strict: true, force: false, first: false };
const OTHERS = { strict: false, force: true, first: true };

const READER: Reader = {
  name: "site",
  reads: "whole sites, whose documents lead to each other",
  bounds: SITE_BOUNDS,
  functions: [
    { name: "check", throws: [], run: checkSite },
    { name: "recall", throws: [EmitError], run: (bytes) => recallSite(bytes, FOLDER) },
    { name: "recall of a live site", throws: [EmitError], run: (bytes) => recallSite(bytes, LIVE) },
    {
      name: "recall of other logs",
      throws: [EmitError],
      run: (bytes) => recallSite(bytes, OTHERS),
    },
    { name: "readSource, readDescriptions", throws: [HarvestError], run: followSite },
    { name: "ListsReader", throws: [HarvestError], run: readLists },
  ],
  words: [...wordsOf("xml"), ...wordsOf("site")],
};

export default READER;

/** A site at two times. */
interface Versions {
  readonly before: ReadonlyMap<string, Uint8Array>;
  readonly after: ReadonlyMap<string, Uint8Array>;
}

/**
 * The documents of an input, by their names. What stands twice changes from the one to the other. A name in braces stands for
 * the SHA-256 of a document before, and for its length behind a #: what does not fit is refused early, and nothing else of it
 * would be read.
 */
function versionsIn(bytes: Uint8Array): Versions {
  const before = new Map<string, Uint8Array>();
  const after = new Map<string, Uint8Array>();
  for (const [name, raw] of piecesIn(bytes)) {
    const text = raw.replace(FACT, (whole, sign: string, named: string) => {
      const document = after.get(named);
      if (document === undefined) return whole;
      return sign === "#" ? String(document.length) : hash("sha256", document, "hex");
    });
    const document = Buffer.from(text, "latin1");
    if (!before.has(name)) before.set(name, document);
    after.set(name, document);
  }
  return { before, after };
}

/** The same documents, by their addresses. */
function byAddress(documents: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  return new Map(
    [...documents].flatMap(([name, document]) => {
      const url = URL.parse(name, SITE)?.href;
      return url === undefined ? [] : [[url, document]];
    }),
  );
}

/** The site's host, first and later. */
function transportsTo(bytes: Uint8Array): readonly Transport[] {
  const { before, after } = versionsIn(bytes);
  return [before, after].map((documents) => transportTo(byAddress(documents)));
}

async function checkSite(bytes: Uint8Array): Promise<void> {
  const documents = byAddress(versionsIn(bytes).after);
  const site: Site = {
    isLive: true,
    async get(address) {
      const url = new URL(address);
      url.search = "";
      const body = documents.get(url.href);
      const status = body === undefined ? 404 : 200;
      return { status, redirects: [], header: () => undefined, body: body ? [body] : [] };
    },
  };
  await check({ site, description: DESCRIPTION, sample: 20, now: NOW });
}

async function recallSite(
  bytes: Uint8Array,
  how: Pick<RecallRequest, "strict" | "force" | "first">,
): Promise<void> {
  const documents = versionsIn(bytes).after;
  const store: DocumentStore = {
    place: SITE,
    folder: copies,
    hostTime: undefined,
    bytes: async (name) => documents.get(name),
    chunks: async (name) => {
      const document = documents.get(name);
      return document && [document];
    },
    digest: async (name) => {
      const document = documents.get(name);
      return document && digestBytes(document);
    },
  };
  const own = { movedFrom: undefined, collections: [{ url: SITE, folder: "" }] };
  const recalled = await recall(store, { site: SITE, ...own, period: "month", ...how });
  for (const collection of publishedCollections(recalled)) await readLater(collection, documents);
}

/** What a run reads only where it needs it, of its copies. */
async function readLater(
  { folder, log, changeDump }: CollectionPublication,
  documents: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const open = log.open === undefined ? [] : [log.open];
  for (const list of [...log.closed, ...open]) {
    const name = folder + list.name;
    const path = join(copies, name);
    if (WITHIN.test(name)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, documents.get(name) ?? "");
    }
    await list.readEntries();
  }
  for (const one of (await changeDump?.packages()) ?? []) await changeDump?.has(one);
}

async function followSite(bytes: Uint8Array): Promise<void> {
  const remembered = new Map<string, RememberedDocument>();
  const options = { allowOtherHosts: false, useLastmod: true };
  const now = () => NOW;
  for (const transport of transportsTo(bytes)) {
    const descriptionUrl = await discover(transport, SITE);
    const reading = await readSource(transport, { descriptionUrl, remembered, options, now });
    if (reading === undefined) continue;
    const { documents } = await readDescriptions(transport, reading, remembered);
    for (const one of [...reading.documents, ...documents]) remembered.set(one.url, one);
  }
}

async function readLists(bytes: Uint8Array): Promise<void> {
  const known = new Map<string, PolledList>();
  for (const transport of transportsTo(bytes)) {
    const reader = new ListsReader(transport, pageTaker(), {
      roots: (await findLists(transport, SITE)).roots,
      known,
      isFirst: known.size === 0,
      hosts: new Set(["example.org"]),
      allowOtherHosts: false,
      isQuick: known.size > 0,
      isUnconditional: false,
      limits: LIST_LIMITS,
      now: NOW,
    });
    await reader.readChanged();
    if (reader.problem === undefined) await reader.readUnchanged();
    for (const list of reader.lists) known.set(list.url, list);
  }
}
