import { rmSync } from "node:fs";
import { HarvestError } from "../errors.ts";
import type { Transport } from "../http/answer.ts";
import { BusyError, UnreachableError } from "../http/errors.ts";
import type { Validators } from "../model.ts";
import { statedDigest } from "../read/digest.ts";
import { type Arrived, download, receive } from "./download.ts";
import { ConflictError, NotAskedError } from "./errors.ts";
import { fileOf } from "./file-name.ts";
import type { CopyFolder } from "./folder.ts";
import { Problems, type SyncCounts } from "./report.ts";
import type { CopyState, KnownFile, Wanted } from "./state.ts";

/** Requests of a site at a time: as many as a browser's, and fewer. */
export const PARALLEL = 4;

/** Times in a row that a host may give no answer before it is left alone. */
const UNANSWERED = 3;

/** What an update works with. */
export interface UpdateRequest {
  readonly state: CopyState;
  readonly folder: CopyFolder;
  readonly files: Transport;
  /** The URL of the site; ends with a slash. */
  readonly site: string;
  /** Whether an address may be asked. */
  readonly mayAsk: (url: string) => boolean;
  readonly isDryRun: boolean;
  readonly advance: () => void;
  /** Told what is done with a resource, or would be. */
  readonly tell: (action: "create" | "update" | "delete", url: string) => void;
}

/** Brings the files of a copy to where they are wanted. */
export class Update {
  readonly counts: SyncCounts = {
    created: 0,
    updated: 0,
    deleted: 0,
    unchanged: 0,
    kept: 0,
    failed: 0,
    bytes: 0,
  };
  readonly problems = new Problems();
  readonly #request: UpdateRequest;
  /** Resources that were counted when they were supplied. */
  #supplied = 0;
  #unanswered = 0;
  #isRefused = false;

  constructor(request: UpdateRequest) {
    this.#request = request;
  }

  /** Fetches what is wanted and not in place, some at a time. What fails is named, and the rest goes on. */
  async fetchAll(): Promise<void> {
    const all = this.#request.state.wanted();
    let isOver = false;
    const work = async () => {
      try {
        for (let next = all.next(); next.done !== true && !isOver; next = all.next()) {
          const { value } = next;
          await this.#attempt(value.url, async () => this.#bring(value));
          this.#request.advance();
        }
      } finally {
        isOver = true;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: PARALLEL }, work));
    this.counts.unchanged -= this.#supplied;
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  /**
   * Deletes the files of resources that are gone, or notes that they are.
   *
   * @param mayDelete whether a URL's file is to be deleted
   */
  async deleteGone(mayDelete: (url: string) => boolean): Promise<void> {
    const { state } = this.#request;
    for (const known of state.gone()) {
      if (mayDelete(known.url)) await this.#attempt(known.url, async () => this.#delete(known));
      else {
        this.counts.kept += 1;
        if (!this.#request.isDryRun) state.keep(known.key);
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
      this.counts.failed += 1;
      this.problems.add(url, error);
    }
  }

  /** Brings one resource, where it is not in place. */
  async #bring(wanted: Wanted): Promise<void> {
    const { state, folder, isDryRun } = this.#request;
    const known = state.file(wanted.key);
    const here = known === undefined ? undefined : folder.look(known.file);
    // A dry run does not find out what a run that was ended has written.
    const isUnknown = here?.found === "nothing" || (isDryRun && known?.isPending === 1);
    const need = isUnknown ? "fetch" : needOf(wanted, known);
    if (need === "none" && known !== undefined) {
      const isOfLength = known.length === null || here?.length === known.length;
      if (here?.found !== "file" || !isOfLength) throw changedHere(known.file);
      this.counts.unchanged += 1;
      if (!isDryRun) confirm(state, wanted, known);
      return;
    }
    if (isDryRun) this.#count(known?.hash == null || here?.found === "nothing", wanted.url);
    else await this.#fetch(wanted, known, need === "ask" ? validatorsOf(known) : {});
  }

  async #fetch(wanted: Wanted, known: KnownFile | undefined, validators: Validators) {
    const { state, folder, files, mayAsk } = this.#request;
    if (this.#isRefused) throw new NotAskedError(wanted.url);
    const incoming = folder.nextIncoming();
    try {
      const arrived = await download(files, wanted, { incoming, validators, mayAsk });
      this.#unanswered = 0;
      if (arrived === undefined) {
        this.counts.unchanged += 1;
        if (known !== undefined) confirm(state, wanted, known);
        return;
      }
      this.counts.bytes += arrived.length;
      await this.#keep(wanted, known, { ...arrived, incoming });
    } finally {
      rmSync(incoming, { force: true });
    }
  }

  /**
   * Takes the bytes of a resource from elsewhere than its URL, where it is wanted, and not in place.
   *
   * @returns whether they were taken
   * @throws {DifferentError} where they are not what its list states
   */
  async supply(key: string, body: () => Promise<AsyncIterable<Uint8Array>>): Promise<boolean> {
    const { state, folder } = this.#request;
    const wanted = state.wantedAt(key);
    // Only bytes that the lists vouch for: a dump is older than they are.
    if (wanted === undefined || statedDigest(wanted.hash ?? undefined) === undefined) return false;
    const known = state.file(key);
    const isHere = known !== undefined && folder.look(known.file).found !== "nothing";
    if (isHere && needOf(wanted, known) === "none") return false;
    const incoming = folder.nextIncoming();
    try {
      const arrived = await receive(await body(), wanted, incoming);
      await this.#keep(wanted, known, { ...arrived, validators: {}, incoming });
      this.#supplied += 1;
      return true;
    } finally {
      rmSync(incoming, { force: true });
    }
  }

  /** Puts what has arrived in its place, where nothing stands that sync did not write. */
  async #keep(
    wanted: Wanted,
    known: KnownFile | undefined,
    arrived: Arrived & { readonly incoming: string },
  ): Promise<void> {
    const { state, folder } = this.#request;
    const file = known?.file ?? this.#reserve(wanted);
    try {
      const { found } = folder.look(file);
      const actual = await folder.hashOf(file);
      const isOurs = actual !== undefined && (actual === known?.hash || actual === known?.before);
      if (found === "other") throw new ConflictError(file, "is not what must stand there");
      if (found === "file" && !isOurs && actual !== arrived.hash) {
        throw known === undefined
          ? new ConflictError(file, "was not written by sync, and stands where it must write")
          : changedHere(file);
      }
      state.announce(wanted.key, {
        ...wanted,
        hash: arrived.hash,
        before: actual ?? null,
        length: arrived.length,
        stated: wanted.hash,
        etag: arrived.validators.etag ?? null,
        lastModified: arrived.validators.lastModified ?? null,
      });
      if (actual !== arrived.hash) folder.place(arrived.incoming, file);
      if (actual !== undefined && known?.hash === arrived.hash) this.counts.unchanged += 1;
      else this.#count(known?.hash == null || actual === undefined, wanted.url);
    } catch (error) {
      if (known === undefined) state.forget(wanted.key);
      throw error;
    }
  }

  #reserve({ key, url }: Wanted): string {
    const { state, site } = this.#request;
    const file = fileOf(url, site, (folded) => state.taken(folded));
    state.reserve(key, url, file);
    return file;
  }

  async #delete({ key, url, file, hash, before }: KnownFile): Promise<void> {
    const { state, folder, isDryRun, tell } = this.#request;
    const actual = await folder.hashOf(file);
    const isGone = folder.look(file).found === "nothing";
    if (!isGone && (actual === undefined || (actual !== hash && actual !== before))) {
      if (!isDryRun) state.keep(key);
      throw changedHere(file);
    }
    this.counts.deleted += 1;
    tell("delete", url);
    if (isDryRun) return;
    folder.remove(file);
    state.forget(key);
  }

  #count(isNew: boolean, url: string): void {
    this.counts[isNew ? "created" : "updated"] += 1;
    this.#request.tell(isNew ? "create" : "update", url);
  }
}

/**
 * Whether a resource must be fetched: by its hash where one is stated, else by the time of its change, its length
 * and `lastmod`. Where nothing of this is stated, its host is asked whether it is as it was.
 */
function needOf(wanted: Wanted, known: KnownFile | undefined): "none" | "fetch" | "ask" {
  if (known?.hash == null) return "fetch";
  const stated = statedDigest(wanted.hash ?? undefined);
  if (stated?.algorithm === "sha256") return stated.hex === known.hash ? "none" : "fetch";
  if (wanted.hash !== null) return wanted.hash === known.stated ? "none" : "fetch";
  if (wanted.datetime !== null && wanted.datetime > (known.datetime ?? 0)) return "fetch";
  if (wanted.length !== null && wanted.length !== known.length) return "fetch";
  if (wanted.lastmod !== null) return wanted.lastmod === known.lastmod ? "none" : "fetch";
  return wanted.datetime === null ? "ask" : "none";
}

/** Notes what is stated of a file that is as it should be, where that is news. */
function confirm(state: CopyState, wanted: Wanted, known: KnownFile): void {
  const { hash, lastmod, datetime } = wanted;
  const isNews =
    (hash !== null && hash !== known.stated) ||
    (lastmod !== null && lastmod !== known.lastmod) ||
    (datetime ?? 0) > (known.datetime ?? 0) ||
    known.isGone === 1;
  if (isNews) state.confirm(wanted.key, wanted);
}

function validatorsOf(known: KnownFile | undefined): Validators {
  const { etag, lastModified } = known ?? {};
  return { ...(etag == null ? {} : { etag }), ...(lastModified == null ? {} : { lastModified }) };
}

function changedHere(file: string): ConflictError {
  return new ConflictError(file, "was changed here, not by sync");
}
