import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { urlKey } from "@rs-emit/documents";
import { RobotsMemory, type Transport, type Validators } from "@rs-emit/reader";
import { MissingError } from "@rs-emit/reader/http/errors";
import { folderTransport } from "@rs-emit/reader/http/folder-transport";
import type { Answer } from "@rs-emit/reader/http/transport";
import { expect } from "vitest";
import type { SyncRequest } from "../../packages/harvester/src/sync/run.ts";
import { sync } from "../../packages/harvester/src/sync/sync.ts";
import { urlOfFile } from "../../packages/harvester/test/support/file-url.ts";
import { documentsIn, filesIn, writeContents } from "../model/documents.ts";
import { apply } from "../model/edits.ts";
import type { Host } from "../model/host.ts";
import { expectPublication } from "../model/oracle.ts";
import { sha256 } from "../model/page.ts";
import { Publisher } from "../model/publisher.ts";
import type { State } from "../model/state.ts";
import { DumpWriter } from "./dumps.ts";
import type { Event } from "./events.ts";

/** What a process can do no more that was killed. */
class Killed extends Error {
  override readonly name = "Killed";
}

/** A kind of source. */
export interface SourceKind {
  /** What it states of its resources. */
  readonly stating: "hashes" | "nothing";
  readonly publishing: "lists" | "lists and dumps" | "dumps" | "dumps of rs-emit alone";
}

/**
 * Lives through some events between an author and a copy. After each sync that was not cut short, the copy holds
 * what the site held at its last publication: each URL, byte for byte, and nothing else.
 */
export async function liveAndCopy(
  host: Host,
  kind: SourceKind,
  events: readonly Event[],
): Promise<void> {
  using publisher = new Publisher("output", host);
  const life = new Life(publisher, kind);
  await life.publish({ elapse: 0, edits: [] });
  for (const event of events) {
    if (event.event === "publish") await life.publish(event.step);
    else if (event.event === "sync") await life.sync();
    else await life.crash(event.at);
  }
  await life.sync();
}

class Life {
  readonly #publisher: Publisher;
  readonly #stating: SourceKind["stating"];
  readonly #dumps: DumpWriter | undefined;
  readonly #isAllInDumps: boolean;
  readonly #isOwnDumps: boolean;
  readonly #live: string;
  readonly #copy: string;
  #state: State = new Map();
  /** What the site serves, by `urlKey`: a page that is respelled is the same one. */
  #served: ReadonlyMap<string, Buffer> = new Map();

  constructor(publisher: Publisher, { stating, publishing }: SourceKind) {
    this.#publisher = publisher;
    this.#stating = stating;
    this.#isOwnDumps = publishing === "dumps of rs-emit alone";
    this.#isAllInDumps = this.#isOwnDumps || (stating === "hashes" && publishing === "dumps");
    const hasLists = publishing === "lists and dumps";
    this.#dumps =
      publishing === "lists" || this.#isOwnDumps
        ? undefined
        : new DumpWriter(publisher.site.url, { rewrite: (text) => this.#stated(text), hasLists });
    const dump = this.#isOwnDumps && { changes: 999 };
    apply(publisher.site, { edit: "choose", option: { dump } });
    this.#live = join(publisher.aside, "live");
    this.#copy = join(publisher.aside, "copy");
    mkdirSync(this.#live, { recursive: true });
  }

  /** Publishes, and deploys it. */
  async publish({ elapse, edits }: { elapse: number; edits: Parameters<Publisher["edit"]>[0] }) {
    const { site, output } = this.#publisher;
    this.#publisher.edit(edits, elapse);
    const expected = expectPublication(this.#state, site);
    if ("stops" in expected) {
      await expect(this.#publisher.publish()).rejects.toMatchObject({ code: expected.stops });
      return;
    }
    await this.#publisher.publish();
    this.#state = expected.state;
    this.#served = new Map(
      site
        .standing()
        .filter(({ collection }) => collection !== undefined)
        .map(({ url, file }) => [urlKey(url), readFileSync(join(output, file))]),
    );
    const documents = this.#isOwnDumps ? withoutLists(documentsIn(output)) : documentsIn(output);
    const stated = [...documents].map(([path, text]) => [path, this.#stated(text)] as const);
    writeContents(this.#live, new Map(stated));
    const dumps = this.#dumps?.publish(documents, this.#served);
    if (dumps !== undefined) writeContents(this.#live, dumps);
  }

  async sync(): Promise<void> {
    const report = await this.#sync(Number.POSITIVE_INFINITY);
    expect(report.problems).toEqual([]);
    expect(report.isInSync).toBe(true);
    const urls = filesIn(this.#copy).filter((file) => !file.startsWith(".rs-harvest/"));
    const held = urls.map(
      (file) => [urlOfFile(file, this.#publisher.site.url), this.#read(file)] as const,
    );
    const texts = (entries: Iterable<readonly [string | undefined, Buffer]>) =>
      [...entries].map(([url, bytes]) => `${urlKey(url ?? "")} ${bytes.toString()}`).sort();
    expect(texts(held)).toEqual(texts(this.#served));
    const audit = await this.#sync(Number.POSITIVE_INFINITY, { audit: true });
    const isStated = this.#stating === "hashes";
    const count = isStated ? { cannotBeAudited: 0 } : { unchanged: 0 };
    expect(audit).toMatchObject({ isInSync: true, counts: { different: 0, missing: 0, ...count } });
    const again = await this.#sync(Number.POSITIVE_INFINITY);
    expect(again.counts).toMatchObject({ created: 0, updated: 0, deleted: 0, failed: 0 });
  }

  /** Syncs until so many things were asked for, and is dead then. */
  async crash(at: number): Promise<void> {
    await this.#sync(at).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
  }

  async #sync(lives: number, options: Partial<SyncRequest> = {}) {
    const { site } = this.#publisher;
    const request: SyncRequest = {
      ...{ address: site.url, folder: this.#copy, delete: true, allowMassDelete: true },
      ...{ collection: [], include: [], exclude: [], dump: true },
      ...options,
    };
    let left = lives;
    const mortal = (transport: Transport): Transport => ({
      get: async (url, validators, permit) => {
        if (left <= 0) throw new Killed();
        left -= 1;
        return transport.get(url, validators, permit);
      },
    });
    const documents = folderTransport(this.#live, site.url);
    return sync(request, {
      documents: mortal(documents),
      robots: new RobotsMemory(() => site.now),
      files: mortal({
        get: async (url, validators) =>
          url.endsWith(".zip") ? documents.get(url) : this.#serve(url, validators),
      }),
      now: () => site.now,
      progress: { start() {}, advance() {} },
      onChange() {},
    });
  }

  #serve(url: string, validators?: Validators): Answer {
    // Digests tell that a package has the very version that is wanted.
    if (this.#isAllInDumps) throw new Error(`${url} was fetched by itself`);
    const bytes = this.#served.get(urlKey(url));
    if (bytes === undefined) throw new MissingError(url);
    const body = async function* () {
      yield bytes;
    };
    const place = { url, permanentUrl: url };
    const etag = `"${sha256(bytes)}"`;
    if (validators?.etag === etag) return { status: "unchanged", ...place };
    const discard = async () => {};
    return {
      status: "fresh",
      ...place,
      link: undefined,
      validators: { etag },
      body: body(),
      discard,
    };
  }

  #read(file: string): Buffer {
    return readFileSync(join(this.#copy, file));
  }

  /** A document as sources write it that name their resources, and state nothing of them. */
  #stated(text: string): string {
    if (this.#stating === "hashes") return text;
    return text.replaceAll(/ (?:hash|length)="[^"]*"|<lastmod>.*?<\/lastmod>/g, "");
  }
}

/** Capability Lists name dumps alone, where there are any. */
function withoutLists(documents: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...documents].map(([path, text]) => [path, withoutListsIn(path, text)]));
}

const LISTED =
  /<url>\s*<loc>[^<]*<\/loc>\s*<rs:md capability="(?:resource|change)list"\/>\s*<\/url>/g;

function withoutListsIn(path: string, text: string): string {
  if (!path.endsWith("capabilitylist.xml") || !text.includes('"resourcedump"')) return text;
  const left = text.replaceAll(LISTED, "");
  expect(left).not.toContain('list"/>');
  return left;
}
