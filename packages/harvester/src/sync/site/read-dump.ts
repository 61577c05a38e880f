import { rmSync } from "node:fs";
import { type Entry, secondsOf } from "@rs-emit/documents";
import { type ListedBytes, listedIn, resolveLoc } from "@rs-emit/reader";
import type { Run } from "../run.ts";
import { receive } from "./download.ts";
import type { ListHead, TakeList } from "./source.ts";
import { Package } from "./zip-package.ts";

export interface NamedPackage extends ListedBytes {
  readonly url: string;
  /** When the bytes of a Resource Dump were taken, in UTC seconds. */
  readonly at: number | undefined;
  /** Of a Change Dump: the start of the interval whose changes it holds, in UTC seconds. */
  readonly from: number | undefined;
  /** The end of that interval, in UTC seconds. */
  readonly until: number | undefined;
}

/** A Resource Dump or a Change Dump, or an index of some (ResourceSync 1.1, sections 11 and 13). */
export class Dump {
  readonly #run: Run;
  readonly #url: string;
  readonly #since: number | undefined;
  readonly #fetched = new Map<string, string>();
  #read: Promise<{ head: ListHead; packages: readonly NamedPackage[] }> | undefined;

  /** @param since packages that end before this are left out; UTC seconds */
  constructor(run: Run, url: string, since: number | undefined) {
    this.#run = run;
    this.#url = url;
    this.#since = since;
  }

  /** @throws {HarvestError} where the dump cannot be read */
  async packages(): Promise<readonly NamedPackage[]> {
    this.#read ??= this.#readList();
    return (await this.#read).packages;
  }

  /**
   * Reads the manifests of all packages, as if they were one list.
   *
   * @throws {HarvestError} where any of it is broken: nothing of it counts then
   */
  async readManifests(take: TakeList): Promise<ListHead> {
    this.#read ??= this.#readList();
    const { head, packages } = await this.#read;
    for (const named of packages) {
      using opened = await this.open(named);
      await take(opened.manifest(), named.url, { ...named, at: head.at });
    }
    return head;
  }

  has({ url }: NamedPackage): boolean {
    return this.#fetched.has(url);
  }

  /**
   * Opens a package; fetches it where that was not done before.
   *
   * @throws {HarvestError} where it cannot be had, is not what the dump states, or is broken
   */
  async open(named: NamedPackage): Promise<Package> {
    const path = this.#fetched.get(named.url) ?? (await this.#fetch(named));
    this.#fetched.set(named.url, path);
    return Package.open(named.url, path);
  }

  discard({ url }: NamedPackage): void {
    const path = this.#fetched.get(url);
    if (path !== undefined) rmSync(path, { force: true });
    this.#fetched.delete(url);
  }

  async #fetch(named: NamedPackage): Promise<string> {
    const { source, tools, folder, tally } = this.#run;
    const { url } = named;
    source.require(url);
    const path = folder.nextIncoming();
    try {
      const answer = await tools.files.get(url, {}, async (asked) => source.require(asked));
      if (answer.status === "unchanged") throw new TypeError("an answer to a question not asked");
      const { length } = await receive(answer.body, named, path);
      tally.counts.bytes += length;
      return path;
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    }
  }

  async #readList() {
    const packages: NamedPackage[] = [];
    const take: TakeList = async (batches, base) => {
      for await (const batch of batches) {
        packages.push(...batch.flatMap((entry) => packageIn(entry, base)));
      }
    };
    const head = await this.#run.source.read(this.#url, "dumps", this.#since, take);
    const since = this.#since ?? Number.NEGATIVE_INFINITY;
    const news = packages.filter(({ until = Number.POSITIVE_INFINITY }) => until > since);
    return { head, packages: news.map((one) => ({ ...one, at: one.at ?? head.at })) };
  }
}

function packageIn({ loc, metadata = {} }: Entry, base: string): NamedPackage[] {
  const url = resolveLoc(loc, base);
  const { at, from, until } = metadata;
  if (url === undefined) return [];
  return [
    {
      url,
      ...listedIn(metadata),
      at: secondsOf(at),
      from: secondsOf(from),
      until: secondsOf(until),
    },
  ];
}
