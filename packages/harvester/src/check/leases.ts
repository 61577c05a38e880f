import type { Kysely } from "kysely";
import { LEASE, renewLeases } from "../store/host.ts";
import type { Schema } from "../store/schema.ts";

export class Leases implements Disposable {
  readonly #database: Kysely<Schema>;
  readonly #report: (problem: unknown) => void;
  readonly #tokens = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  /** @param report receives failed renewals; the next one may still be in time */
  constructor(database: Kysely<Schema>, report: (problem: unknown) => void = () => {}) {
    this.#database = database;
    this.#report = report;
    this.#timer = setInterval(() => this.#renew(), (LEASE / 3) * 1000);
    this.#timer.unref();
  }

  add(token: string): void {
    this.#tokens.add(token);
  }

  delete(token: string): void {
    this.#tokens.delete(token);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #renew(): void {
    if (this.#tokens.size === 0) return;
    renewLeases(this.#database, [...this.#tokens]).catch(this.#report);
  }
}
