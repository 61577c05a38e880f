import { randomUUID } from "node:crypto";
import {
  type CollectionReading,
  type Description,
  type HarvestError,
  type ListedChange,
  urlOf,
} from "@rs-emit/reader";
import { MissingError } from "@rs-emit/reader/http/errors";
import { recordCheck } from "../../src/check/check.ts";
import type { CheckResult } from "../../src/check/decide.ts";
import type { Facts } from "../../src/check/facts.ts";
import { noteBegun } from "../../src/store/check/unfinished-check.ts";
import { follow } from "../../src/store/following/following.ts";
import { releaseHost, takeHost } from "../../src/store/host-leases.ts";
import { findSource } from "../../src/store/source.ts";
import { TestHarvester } from "./harvest.ts";

/** A collection as a check finds it. */
export interface FoundCollection {
  /** Where it is below its site. */
  readonly path: string;
  readonly description?: Description;
  readonly changes: readonly ListedChange[];
}

/** What a check finds on a site. */
export interface FoundSite {
  readonly description?: Description;
  readonly collections: readonly FoundCollection[];
}

/** A library that is filled by what checks have found, without anything being asked. */
export class TestLibrary extends TestHarvester {
  static override async start(): Promise<TestLibrary> {
    const { store, transport } = await TestHarvester.start({
      get: (url) => Promise.reject(new MissingError(url)),
    });
    const library = new TestLibrary(store, transport);
    library.settings = { ...library.settings, entries: "check" };
    return library;
  }

  /** Follows a site, and records a check of it unless nothing was found yet. */
  async follow(address: string, found?: FoundSite): Promise<number> {
    const { id } = await follow(this.database, address, this.now());
    if (found !== undefined) await this.check(id, found);
    return id;
  }

  /** Records a check. */
  async check(id: number, { description, collections }: FoundSite): Promise<CheckResult> {
    const source = await findSource(this.database, id);
    const site = urlOf(source?.address ?? "");
    const descriptionUrl = `${site}.well-known/resourcesync`;
    const readings = collections.map((one) => readingOf(one, site));
    const reading = {
      descriptionUrl,
      movedTo: undefined,
      describedBy: [],
      collections: readings,
      documents: readings.map(({ listUrls: [url = ""] }) => documentAt(url)),
    };
    const described = collections.flatMap(({ path, description }): [string, Description][] =>
      description === undefined ? [] : [[path, description]],
    );
    const descriptions = {
      source: description,
      collections: new Map(described),
      documents: [],
    };
    return this.#record(id, {
      descriptionUrl,
      reading,
      descriptions,
      error: undefined,
    });
  }

  /** Records a check that has failed. */
  fail(id: number, error: HarvestError): Promise<CheckResult> {
    return this.#record(id, { descriptionUrl: undefined, reading: undefined, error });
  }

  async #record(id: number, facts: Omit<Facts, "remembered" | "busy">): Promise<CheckResult> {
    const source = await findSource(this.database, id);
    if (source === undefined) throw new Error(`no source ${id}`);
    const token = randomUUID();
    const state = await takeHost(this.database, source.host, token, this.now());
    if (state !== "free") throw new Error(`the source ${id} is held`);
    const remembered = await noteBegun(this.database, id);
    const outcome = { source, token, facts: { ...facts, remembered, busy: new Map() } };
    const result = await recordCheck(this, outcome);
    await releaseHost(this.database, source.host, token);
    return result;
  }
}

function readingOf({ path, changes }: FoundCollection, site: string): CollectionReading {
  const list = `${site}${path}changelist.xml`;
  return {
    key: path,
    url: site + path,
    capabilityListUrl: `${site}${path}capabilitylist.xml`,
    describedBy: [],
    notification: undefined,
    lists: [{ url: list, changes }],
    listUrls: [list],
    unreadLists: 0,
    ignored: {},
  };
}

function documentAt(url: string) {
  return { url, validators: {}, hash: "00", summary: undefined, isClosed: false };
}
