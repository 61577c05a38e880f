import type { Kysely } from "kysely";
import type { Db } from "pg-boss";
import type { Schema } from "./schema.ts";

/** The harvester's memory: PostgreSQL, embedded or on a server. */
export interface Store {
  readonly database: Kysely<Schema>;
  /** The same for pg-boss, and which kind it is to it. */
  readonly jobs: { readonly db: Db; readonly backend: "postgres" | "pglite" };
  close(): Promise<void>;
}
