import type { Transport } from "../../src/http/transport.ts";
import { type ReadingOptions, readSource } from "../../src/read/read-source.ts";
import type { ReadingLimits } from "../../src/read/reading-limits.ts";
import type {
  CollectionReading,
  Reading,
  RememberedDocument,
} from "../../src/read/reading-result.ts";

/** Who reads one source again and again, and remembers what it read. */
export class Follower {
  #checks = 0;
  readonly remembered = new Map<string, RememberedDocument>();
  descriptionUrl = "https://example.org/.well-known/resourcesync";
  options: ReadingOptions = { allowOtherHosts: false, useLastmod: false };
  limits: Partial<ReadingLimits> = {};
  /** UTC seconds. */
  time = 1_800_000_000;
  transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Reads the source, and remembers all of it. */
  async read(): Promise<Reading> {
    const reading = await this.peek();
    for (const document of reading.documents) this.remembered.set(document.url, document);
    return reading;
  }

  /** Reads the source, and forgets it again: the check was killed. */
  async peek(): Promise<Reading> {
    const { descriptionUrl, remembered, options, limits } = this;
    const now = () => this.time;
    const checks = this.#checks++;
    const request = { descriptionUrl, remembered, options, now, checks, limits };
    const reading = await readSource(this.transport, request);
    if (reading === undefined) throw new Error("nothing was read");
    return reading;
  }
}

/** The only collection of a reading. */
export function onlyCollection({ collections }: Reading): CollectionReading {
  const [collection] = collections;
  if (collection === undefined || collections.length > 1) throw new Error("not one collection");
  return collection;
}

/** What a collection's lists told, in order: `created a.html`. */
export function reported({ lists }: CollectionReading): string[] {
  return lists.flatMap(({ changes }) =>
    changes.map(({ kind, url }) => `${kind} ${url.replace("https://example.org/", "")}`),
  );
}
