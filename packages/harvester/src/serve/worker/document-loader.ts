import type { StoredDocuments } from "../../store/document.ts";

type Load = (sources: readonly number[]) => Promise<ReadonlyMap<number, StoredDocuments>>;

/** Begins checks of sources, and loads what is remembered of their documents: of all at one moment together. */
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
