import type { Store } from "../../store/database.ts";

/** Seconds between two. */
const PAUSE = 6 * 3600;

/**
 * Makes room in an embedded database, which nobody else does: what was updated or deleted there stays until
 * it is vacuumed. A server does so by itself.
 */
export class Vacuum {
  readonly #store: Store;
  #nextAt = performance.now() + PAUSE * 1000;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Vacuums when it is time. */
  async run(): Promise<void> {
    if (this.#store.jobs.backend !== "pglite" || performance.now() < this.#nextAt) return;
    this.#nextAt = performance.now() + PAUSE * 1000;
    await this.#store.jobs.db.executeSql("VACUUM");
  }
}
