import type { CheckResult } from "../../check/decide.ts";
import type { Check } from "../../check/facts.ts";
import type { Harvester } from "../../check/harvester.ts";
import { readFacts, StoppedError } from "../../check/read-facts.ts";
import { documentsOf, type StoredDocuments } from "../../store/document.ts";
import { forgetAttempt, noteAttempts, type SourceRow } from "../../store/source.ts";
import type { Report } from "../background.ts";
import type { Recorder } from "./recorder.ts";

export interface AskerOptions {
  /** Stops it: nothing more is begun. */
  readonly signal: AbortSignal;
  /** Takes errors of the worker itself, which goes on. */
  readonly report: Report;
  readonly afterCheck?: (check: FinishedCheck) => void;
  /** How a source is asked, if not by `readFacts`. */
  readonly ask?: typeof readFacts;
}

interface FinishedCheck {
  readonly source: number;
  readonly result: CheckResult;
  readonly seconds: number;
}

/** Seconds that one host may take before others have their turn. */
export const LONGEST_TURN = 60;

/** Checks the sources of a leased host, and has each check recorded. */
export class Asker {
  readonly #harvester: Harvester;
  readonly #recorder: Recorder;
  readonly #options: AskerOptions;
  readonly #documents = new DocumentLoader((ids) => this.begin(ids));

  constructor(harvester: Harvester, recorder: Recorder, options: AskerOptions) {
    this.#harvester = harvester;
    this.#recorder = recorder;
    this.#options = options;
  }

  /** Notes that checks of sources begin; gives what is remembered of their documents. */
  async begin(sources: readonly number[]): Promise<ReadonlyMap<number, StoredDocuments>> {
    const { database } = this.#harvester;
    const [documents] = await Promise.all([
      documentsOf(database, sources),
      noteAttempts(database, sources),
    ]);
    return documents;
  }

  /**
   * Checks due sources of a host one after another.
   *
   * @param remembered the documents of the first one, whose check is noted, among others
   * @returns what resolves when each is recorded
   */
  async ask(
    token: string,
    sources: readonly SourceRow[],
    remembered: ReadonlyMap<number, StoredDocuments>,
  ): Promise<Promise<void>[]> {
    const { signal, report } = this.#options;
    const recorded: Promise<void>[] = [];
    const end = performance.now() + LONGEST_TURN * 1000;
    const [first] = sources;
    let begun = first;
    try {
      for (const source of sources) {
        if (signal.aborted || performance.now() > end) break;
        begun = source;
        const documents =
          source === first
            ? (remembered.get(source.id) ?? new Map())
            : await this.#documents.load(source.id);
        const outcome = await this.#check(source, token, documents);
        begun = undefined;
        recorded.push(this.#record(outcome));
        await this.#recorder.hasRoom();
      }
    } catch (problem) {
      if (!(problem instanceof StoppedError)) report(problem);
    }
    if (begun !== undefined) await forgetAttempt(this.#harvester.database, begun.id).catch(report);
    return recorded;
  }

  async #check(
    source: SourceRow,
    token: string,
    remembered: StoredDocuments,
  ): Promise<Check & { readonly seconds: number }> {
    const { ask = readFacts } = this.#options;
    const began = performance.now();
    const facts = await ask(this.#harvester, source, remembered);
    return { source, token, facts, seconds: (performance.now() - began) / 1000 };
  }

  async #record({ seconds, ...outcome }: Check & { readonly seconds: number }): Promise<void> {
    const result = await this.#recorder.add(outcome);
    this.#options.afterCheck?.({ source: outcome.source.id, result, seconds });
  }
}

type Load = (sources: readonly number[]) => Promise<ReadonlyMap<number, StoredDocuments>>;

/** Begins checks of sources, and loads what is remembered of their documents: of all at one moment together. */
class DocumentLoader {
  readonly #load: Load;
  #asked: number[] = [];
  #loading: Promise<ReadonlyMap<number, StoredDocuments>> | undefined;

  constructor(load: Load) {
    this.#load = load;
  }

  async load(source: number): Promise<StoredDocuments> {
    this.#asked.push(source);
    this.#loading ??= this.#loadAsked();
    return (await this.#loading).get(source) ?? new Map();
  }

  async #loadAsked(): Promise<ReadonlyMap<number, StoredDocuments>> {
    await new Promise((resolve) => setImmediate(resolve));
    const asked = this.#asked;
    this.#asked = [];
    this.#loading = undefined;
    return this.#load(asked);
  }
}
