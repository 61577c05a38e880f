import { setTimeout as pause } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDialectConfig,
  SqliteDriver,
} from "kysely";
import { placed, primaryResult } from "./errors.ts";

/** Milliseconds for which a writer waits for others: longer than any check takes to be stored. */
const PATIENCE = 120_000;
/** Milliseconds between two looks whether the database is free. */
const LOOK = 2;
/** Milliseconds: after as long a time of writing, others have a turn, which is longer than they take to look. */
const TURN = { own: 50, others: 6 } as const;

/**
 * SQLite has one writer at a time. Who waits for it does not stand still: a thread that has pages to serve, or answers of
 * hosts to take, goes on with that. And who has much to write lets others write in between.
 */
export class TurnsDriver extends SqliteDriver {
  readonly #path: string;
  #began = 0;
  #written = 0;

  /** @param path of the database */
  constructor(config: SqliteDialectConfig, path: string) {
    super(config);
    this.#path = path;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return new PatientConnection(await super.acquireConnection(), this.#path);
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#written > TURN.own) {
      this.#written = 0;
      await pause(TURN.others);
    }
    await super.beginTransaction(connection);
    this.#began = performance.now();
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#written += performance.now() - this.#began;
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection);
    this.#written += performance.now() - this.#began;
  }
}

/** Asks again while another connection writes. */
class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #path: string;

  constructor(connection: DatabaseConnection, path: string) {
    this.#connection = connection;
    this.#path = path;
  }

  async executeQuery<Result>(query: CompiledQuery): Promise<QueryResult<Result>> {
    const end = performance.now() + PATIENCE;
    for (;;) {
      try {
        return await this.#connection.executeQuery(query);
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw placed(error, this.#path);
        await pause(LOOK);
      }
    }
  }

  streamQuery<Result>(
    query: CompiledQuery,
    size: number,
  ): AsyncIterableIterator<QueryResult<Result>> {
    return this.#connection.streamQuery(query, size);
  }
}

/** SQLITE_BUSY, with its reasons in the bits above. */
const BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && primaryResult(error) === BUSY;
}
