import { type RawBuilder, sql } from "kysely";
import { type Connection, isSqlite } from "./dialects.ts";
import type { Database } from "./schema.ts";

/**
 * The places of the feed of everything are the ids of entries. On PostgreSQL ids are given before transactions commit, and
 * those commit in any order: readers stop below the ids of those that have not ended. Nobody waits for anybody.
 *
 * A transaction says with a lock that it shares with all others which ids it may get: those above the last one that was
 * given before. The system takes that lock back once the transaction has ended, and what it did is seen.
 */

/** The keys of these locks: this number, and the last id of 40 bits behind it. */
const LOCKS = 0x52_53_48;
const ID_BITS = 40;

const LAST_ID = sql`CASE WHEN is_called THEN last_value ELSE 0 END`;

/** An insertion of entries, whose transaction says that it adds some before an id is given: it waits for the row of `held`. */
export function holdingHorizon(
  database: Connection,
  insertion: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // SQLite has one writer: ids are given in the order of commits.
  if (isSqlite(database)) return insertion;
  return sql`WITH held AS MATERIALIZED (
      SELECT pg_advisory_xact_lock_shared((${sql.lit(LOCKS)}::bigint << ${sql.lit(ID_BITS)}) | (${LAST_ID}))
      FROM entry_id_seq
    ) ${insertion} CROSS JOIN held`;
}

/** Up to this id no entry is added any more. Queries that begin later see all that are there. */
export async function horizonOf(database: Database): Promise<number> {
  if (isSqlite(database)) {
    // Those that were deleted count: the archives of a feed keep their numbers.
    const { rows } = await sql<{ seq: number }>`
      SELECT seq FROM sqlite_sequence WHERE name = 'entry'`.execute(database);
    return rows[0]?.seq ?? 0;
  }
  // In this order: whoever was given an id by now is seen to hold a lock, or has ended.
  const given = await sql<{ id: number }>`SELECT ${LAST_ID} AS id FROM entry_id_seq`.execute(
    database,
  );
  const held = await sql<{ id: number | null }>`
    SELECT min(((classid::bigint << 32) | objid::bigint) & ((1::bigint << ${sql.lit(ID_BITS)}) - 1)) AS id
    FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid::bigint >> ${sql.lit(ID_BITS - 32)} = ${sql.lit(LOCKS)}`.execute(database);
  const last = given.rows[0]?.id ?? 0;
  return Math.min(last, held.rows[0]?.id ?? last);
}
