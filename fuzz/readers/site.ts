import { hash } from "node:crypto";
import { check, type Site } from "@rs-emit/documents/check";
import { digestBytes } from "../../packages/core/src/model/digest.ts";
import { EmitError } from "../../packages/core/src/model/errors.ts";
import { recall } from "../../packages/core/src/recall/recall.ts";
import type { DocumentStore } from "../../packages/core/src/recall/store.ts";
import { discover } from "../../packages/harvester/src/discover/discover.ts";
import { HarvestError } from "../../packages/harvester/src/errors.ts";
import { findLists } from "../../packages/harvester/src/page-lists/find-lists.ts";
import { LIST_LIMITS, pageOf } from "../../packages/harvester/src/page-lists/list-contents.ts";
import { ListsReader } from "../../packages/harvester/src/page-lists/read-lists.ts";
import { readDescriptions } from "../../packages/harvester/src/read/descriptions.ts";
import { readSource } from "../../packages/harvester/src/read/read-source.ts";
import { SITE_BOUNDS } from "../bounds.ts";
import { type Reader, wordsOf } from "../reader.ts";
import { transportTo } from "./answers.ts";

const SITE = "https://example.org/";
const DESCRIPTION = `${SITE}.well-known/resourcesync`;
const NOW = 1_800_000_000;

/** Before each document of an input; its name follows, to the end of the line. */
const MARK = "\f";
const DIGEST = /\{([\w./-]{1,80})\}/g;

const READER: Reader = {
  name: "site",
  reads: "whole sites, whose documents lead to each other",
  bounds: SITE_BOUNDS,
  functions: [
    { name: "check", throws: [], run: checkSite },
    { name: "recall", throws: [EmitError], run: recallSite },
    { name: "readSource, readDescriptions", throws: [HarvestError], run: followSite },
    { name: "ListsReader", throws: [HarvestError], run: readLists },
  ],
  words: [...wordsOf("xml"), ...wordsOf("site")],
};

export default READER;

/**
 * The documents of an input, by their names. A name in braces stands for the SHA-256 of a document before: what does not
 * fit is refused early, and nothing else of it would be read.
 */
function documentsIn(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const documents = new Map<string, Uint8Array>();
  const [, ...pieces] = Buffer.from(bytes).toString("latin1").split(MARK);
  for (const piece of pieces) {
    const end = piece.indexOf("\n");
    const name = end < 0 ? "" : piece.slice(0, end);
    const text = piece.slice(end + 1).replace(DIGEST, (whole, named: string) => {
      const document = documents.get(named);
      return document === undefined ? whole : hash("sha256", document, "hex");
    });
    documents.set(name, Buffer.from(text, "latin1"));
  }
  return documents;
}

/** The same, by their addresses. */
function addressesIn(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const documents = [...documentsIn(bytes)];
  return new Map(
    documents.flatMap(([name, document]) => {
      const url = URL.parse(name, SITE)?.href;
      return url === undefined ? [] : [[url, document]];
    }),
  );
}

async function checkSite(bytes: Uint8Array): Promise<void> {
  const documents = addressesIn(bytes);
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

async function recallSite(bytes: Uint8Array): Promise<void> {
  const documents = documentsIn(bytes);
  const store: DocumentStore = {
    place: SITE,
    folder: "/none",
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
  const collection = { period: "month", force: false, first: false, strict: false } as const;
  await recall(store, { site: SITE, ...own, ...collection });
}

async function followSite(bytes: Uint8Array): Promise<void> {
  const transport = transportTo(addressesIn(bytes));
  const descriptionUrl = await discover(transport, SITE);
  const remembered = new Map();
  const options = { allowOtherHosts: false, useLastmod: true };
  const now = () => NOW;
  const reading = await readSource(transport, { descriptionUrl, remembered, options, now });
  if (reading !== undefined) await readDescriptions(transport, reading, remembered);
}

async function readLists(bytes: Uint8Array): Promise<void> {
  const transport = transportTo(addressesIn(bytes));
  let lists = 0;
  const taker: ConstructorParameters<typeof ListsReader>[1] = {
    add: async () => {
      lists += 1;
      return lists;
    },
    take: async (entries, rules) => entries.filter((entry) => pageOf(entry, 0, rules)),
    forget: async () => {},
  };
  const reader = new ListsReader(transport, taker, {
    roots: await findLists(transport, SITE),
    known: new Map(),
    hosts: new Set(["example.org"]),
    allowOtherHosts: false,
    isShort: false,
    isUnconditional: false,
    limits: LIST_LIMITS,
    now: NOW,
  });
  await reader.readChanged();
}
