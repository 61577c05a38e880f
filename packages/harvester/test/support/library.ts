import { takeLease } from "../../src/check/lease.ts";
import type { CheckResult } from "../../src/check/result.ts";
import type { HarvestError } from "../../src/errors.ts";
import { follow } from "../../src/follow/follow.ts";
import { MissingError } from "../../src/http/errors.ts";
import type { Description, StatedChange } from "../../src/model.ts";
import type { CollectionReading } from "../../src/read/reading.ts";
import { recordFailure } from "../../src/record/failure.ts";
import { recordReading } from "../../src/record/reading.ts";
import { TestHarvester } from "./harvest.ts";

/** A collection as a check finds it. */
export interface FoundCollection {
  /** Where it is below its site. */
  readonly path: string;
  readonly description?: Description;
  readonly changes: readonly StatedChange[];
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
    return new TestLibrary(store, transport);
  }

  /** Follows a site, and records a check of it unless nothing was found yet. */
  async follow(address: string, found?: FoundSite): Promise<number> {
    const { id } = await follow(this.database, address, this.now());
    if (found !== undefined) await this.check(id, found);
    return id;
  }

  /** Records a check. */
  async check(id: number, { description, collections }: FoundSite): Promise<CheckResult> {
    const lease = await this.#lease(id);
    const site = lease.source.address;
    const descriptionUrl = `${site}.well-known/resourcesync`;
    await this.database
      .updateTable("source")
      .set({ description_url: descriptionUrl })
      .where("id", "=", id)
      .execute();
    const readings = collections.map((one) => readingOf(one, site));
    const reading = {
      descriptionUrl,
      movedTo: undefined,
      describedBy: [],
      collections: readings,
      documents: readings.map(({ listUrls: [url = ""] }) => documentAt(url)),
      requests: 1,
      unchanged: 0,
    };
    const described = collections.flatMap(({ path, description }): [string, Description][] =>
      description === undefined ? [] : [[path, description]],
    );
    return this.#release(
      await recordReading(this, lease, reading, {
        source: description,
        collections: new Map(described),
        documents: [],
      }),
    );
  }

  /** Records a check that has failed. */
  async fail(id: number, error: HarvestError): Promise<CheckResult> {
    return this.#release(await recordFailure(this, await this.#lease(id), error));
  }

  async #lease(id: number) {
    const lease = await takeLease(this.database, id, this.now());
    if ("held" in lease) throw new Error(`the source ${id} is held`);
    return lease;
  }

  async #release(result: CheckResult): Promise<CheckResult> {
    await this.database.updateTable("host").set({ lease: null, lease_until: null }).execute();
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
    lists: [{ url: list, from: undefined, changes }],
    listUrls: [list],
    from: undefined,
    unreadLists: 0,
    ignored: 0,
  };
}

function documentAt(url: string) {
  return { url, validators: {}, hash: "00", outline: undefined, isClosed: false };
}
