import { rmSync } from "node:fs";
import { secondsOf } from "@rs-emit/documents";
import {
  BusyError,
  HarvestError,
  isAbsent,
  isSameHost,
  listedDigest,
  siteHost,
  UnreachableError,
  type Validators,
} from "@rs-emit/reader";
import { confirm } from "./compare.ts";
import type { KnownFile } from "./copy/copy-state.ts";
import { fileOf } from "./copy/file-name.ts";
import { setFileTime } from "./copy/folder.ts";
import { Placement } from "./copy/place-files.ts";
import type { Need, Wanted } from "./copy/working-set.ts";
import { ConflictError, changedHereError, foreignFileError, notAskedError } from "./errors.ts";
import { isDry, type Run, type Tally } from "./run.ts";
import { type Arrived, type Described, download, receive } from "./site/download.ts";
import { Mirrors } from "./site/mirrors.ts";

/** Requests of a site at a time: as many as a browser's, and fewer. */
export const PARALLEL = 4;

/** Times in a row that a host may give no answer before it is left alone. */
const UNANSWERED = 3;

export class Update {
  readonly #run: Run;
  readonly #tally: Tally;
  readonly #isDryRun: boolean;
  readonly #placement: Placement;
  readonly #mirrors = new Mirrors();
  #unanswered = 0;
  #isRefused = false;

  constructor(run: Run) {
    this.#run = run;
    this.#tally = run.tally;
    this.#isDryRun = isDry(run);
    this.#placement = new Placement(run.state, run.folder, {
      placed: ({ before, url }) => this.#count(before === null, url),
      failed: (url, error) => run.tally.fail(url, error),
    });
  }

  /** What the user should know of mirrors. */
  get notes(): readonly string[] {
    return this.#mirrors.notes;
  }

  /** Fetches what is needed, some at a time. What fails is named, and the rest goes on. */
  async fetchAll(): Promise<void> {
    const all = this.#run.working.needed();
    let isOver = false;
    const work = async () => {
      try {
        for (let next = all.next(); next.done !== true && !isOver; next = all.next()) {
          const { value } = next;
          await this.#attempt(value.url, async () => this.#bring(value));
          this.#run.tools.progress.advance();
        }
      } finally {
        isOver = true;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: PARALLEL }, work));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    if (!this.#isDryRun) this.#placement.flush();
  }

  /**
   * Deletes the files of resources that are gone, or notes that they are.
   *
   * @param mayDelete whether a URL's file is to be deleted
   */
  async deleteGone(mayDelete: (url: string) => boolean): Promise<void> {
    const { state, working } = this.#run;
    for (const known of working.gone()) {
      if (mayDelete(known.url)) await this.#attempt(known.url, async () => this.#delete(known));
      else {
        this.#tally.counts.kept += 1;
        if (!this.#isDryRun) state.keep(known.key);
      }
    }
  }

  async #attempt(url: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      this.#isRefused ||= error instanceof BusyError;
      this.#unanswered = error instanceof UnreachableError ? this.#unanswered + 1 : 0;
      this.#isRefused ||= this.#unanswered >= UNANSWERED;
      this.#tally.fail(url, error);
    }
  }

  async #bring({ need, ...wanted }: Wanted & { readonly need: Need }): Promise<void> {
    const { state, working } = this.#run;
    const known = state.file(wanted.key);
    if (this.#isDryRun && need === "fetch") {
      this.#wouldWrite(known, wanted.url);
      return;
    }
    try {
      await this.#fetch(wanted, known, need === "ask" ? validatorsOf(known) : {});
    } catch (error) {
      if (!isAbsent(error) || !working.isSaidDeleted(wanted.key)) throw error;
      working.giveUp(wanted.key);
    }
  }

  async #fetch(wanted: Wanted, known: KnownFile | undefined, validators: Validators) {
    const { request, source, tools } = this.#run;
    const host = siteHost(source.site);
    const mayAsk = (url: string) => request.otherHosts === true || siteHost(url) === host;
    if (await this.#fetchMirrored(wanted, known)) return;
    if (this.#isRefused) throw notAskedError(wanted.url);
    await this.#receive(async (incoming) => {
      const arrived = await download(tools.files, wanted, { incoming, validators, mayAsk });
      this.#unanswered = 0;
      this.#tally.counts.bytes += arrived?.length ?? 0;
      if (arrived === undefined || (this.#isDryRun && arrived.hash === known?.hash)) {
        this.#tally.counts.unchanged += 1;
        if (known !== undefined && !this.#isDryRun) confirm(this.#run, wanted, known);
      } else if (this.#isDryRun) this.#wouldWrite(known, wanted.url);
      else return this.#keep(wanted, known, { ...arrived, incoming });
      return false;
    });
  }

  /**
   * Fetches a resource from a mirror, whose bytes count only by the digest that the site states: a weaker one than
   * SHA-256 can be met on purpose. Its dates and validators are not the site's.
   *
   * @returns whether one had it
   */
  async #fetchMirrored(wanted: Wanted, known: KnownFile | undefined): Promise<boolean> {
    const { mirrors, hash } = wanted;
    if (mirrors.length === 0 || listedDigest(hash ?? undefined)?.algorithm !== "sha256")
      return false;
    let isThere = false;
    await this.#receive(async (incoming) => {
      const arrived = await this.#mirrors.first(mirrors, (mirror) => {
        rmSync(incoming, { force: true });
        const mayAsk = (url: string) => isSameHost(url, mirror);
        const options = { incoming, validators: {}, mayAsk };
        return download(this.#run.tools.files, { ...wanted, url: mirror }, options);
      });
      if (arrived === undefined) return false;
      isThere = true;
      this.#tally.counts.bytes += arrived.length;
      const own = { incoming, validators: {}, modified: undefined };
      return this.#keep(wanted, known, { ...arrived, ...own });
    });
    return isThere;
  }

  /**
   * Takes the bytes of a resource from elsewhere than its URL.
   *
   * @param expected what they must be
   * @param validators by which its host can be asked for later bytes
   * @param modified when they were made, where that is known: UTC seconds
   * @throws {HarvestError} where they are not what is expected
   */
  async supply(
    wanted: Wanted,
    body: AsyncIterable<Uint8Array>,
    {
      expected,
      ...given
    }: { readonly expected: Described } & Pick<Arrived, "validators" | "modified">,
  ): Promise<void> {
    const { state, working, tools } = this.#run;
    await this.#receive(async (incoming) => {
      const arrived = { ...(await receive(body, expected, incoming)), ...given, incoming };
      const isWaiting = await this.#keep(wanted, state.file(wanted.key), arrived);
      working.supplied(wanted.key);
      tools.progress.advance();
      return isWaiting;
    });
  }

  /** @param act receives bytes, and says whether they still wait for their place when it has ended */
  async #receive(act: (incoming: string) => Promise<boolean>): Promise<void> {
    const incoming = this.#run.folder.nextIncoming();
    let isWaiting = false;
    try {
      isWaiting = await act(incoming);
    } finally {
      if (!isWaiting) rmSync(incoming, { force: true });
    }
  }

  /**
   * Has what has arrived put in its place, where nothing stands that sync did not write.
   *
   * @returns whether it waits for that; it does not where it is there already
   * @throws {ConflictError}
   */
  async #keep(
    wanted: Wanted,
    known: KnownFile | undefined,
    { incoming, hash, length, validators, modified }: Arrived & { readonly incoming: string },
  ): Promise<boolean> {
    const { state, working, folder } = this.#run;
    const { key, url, lastmod, datetime } = wanted;
    const time = secondsOf(lastmod ?? undefined) ?? modified;
    const file = known?.file ?? this.#nameOf(wanted);
    const { etag = null, lastModified = null } = validators;
    const said = { length, listedHash: wanted.hash, lastmod, datetime, etag, lastModified };
    const announce = (before: string | null) =>
      state.announce({ key, url, file, hash, before, ...said });
    try {
      // Its name must be taken before anything is waited for: another resource may ask for it.
      if (known === undefined) announce(null);
      const before = await this.#replaceable(file, known, hash);
      if (known !== undefined || before !== null) announce(before);
      working.noteMember(key);
      if (before !== hash) {
        setFileTime(incoming, time);
        this.#placement.add({ key, url, file, incoming, before });
        return true;
      }
      folder.setTime(file, time);
      state.settle(key);
      if (known?.hash === hash) this.#tally.counts.unchanged += 1;
      else this.#count(known === undefined, url);
      return false;
    } catch (error) {
      if (known === undefined) state.forget(key);
      throw error;
    }
  }

  /**
   * The hash of what stands in a file's place, and may be replaced; `null` where nothing does.
   *
   * @param arrived the hash of what has arrived: what is there already may be anybody's
   * @throws {ConflictError}
   */
  async #replaceable(
    file: string,
    known: KnownFile | undefined,
    arrived: string,
  ): Promise<string | null> {
    const { folder } = this.#run;
    const { found } = folder.look(file);
    if (found === "nothing") return null;
    if (found === "other") throw new ConflictError(file, "is not what must stand there");
    const actual = (await folder.hashOf(file)) ?? null;
    const isOurs = actual === known?.hash || actual === known?.before || actual === arrived;
    if (actual === null || isOurs) return actual;
    throw known === undefined ? foreignFileError(file) : changedHereError(file);
  }

  #nameOf({ url }: Wanted): string {
    const { state, source } = this.#run;
    return fileOf(url, source.site, (folded) => state.taken(folded));
  }

  async #delete({ key, url, file, hash, before }: KnownFile): Promise<void> {
    const { state, folder, tools } = this.#run;
    const actual = await folder.hashOf(file);
    const isGone = folder.look(file).found === "nothing";
    if (!isGone && (actual === undefined || (actual !== hash && actual !== before))) {
      if (!this.#isDryRun) state.keep(key);
      throw changedHereError(file);
    }
    this.#tally.counts.deleted += 1;
    tools.onChange("delete", url);
    if (this.#isDryRun) return;
    folder.remove(file);
    state.forget(key);
  }

  #wouldWrite(known: KnownFile | undefined, url: string): void {
    const isNew = known === undefined || this.#run.folder.look(known.file).found === "nothing";
    this.#count(isNew, url);
  }

  #count(isNew: boolean, url: string): void {
    this.#tally.counts[isNew ? "created" : "updated"] += 1;
    this.#run.tools.onChange(isNew ? "create" : "update", url);
  }
}

function validatorsOf(known: KnownFile | undefined): Validators {
  const { etag, lastModified } = known ?? {};
  return { ...(etag == null ? {} : { etag }), ...(lastModified == null ? {} : { lastModified }) };
}
