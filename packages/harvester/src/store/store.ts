import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/** The harvester's memory: SQLite in a file, or PostgreSQL. */
export interface Store {
  readonly database: Kysely<Schema>;
  /** Opens a connection of its own for reading; of a database in memory, the same one. */
  readonly reader: () => Store;
  close(): Promise<void>;
}
