import type { StoredDocuments } from "../../store/document.ts";

type Load = (sources: readonly number[]) => Promise<ReadonlyMap<number, StoredDocuments>>;

/** Loads what is remembered of sources' documents: of all that are asked for at one moment with one query. */
export class DocumentLoader {
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
