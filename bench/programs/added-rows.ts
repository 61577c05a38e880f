import { type CompiledQuery, sql } from "kysely";
import { isSqlite } from "../../packages/harvester/dist/store/dialects.js";
import type { Database } from "../../packages/harvester/dist/store/schema.js";

/** Tables to which outcomes add rows, and the order of these. What others refer to comes before them. */
const TABLES = {
  seen: "collection_id",
  listing: "collection_id",
  entry: "id",
  change: "entry_id",
  feed_entry: "entry_id",
  source_day: "source_id",
  source_check: "source_id",
} as const;

type Row = Readonly<Record<string, unknown>>;
type Rows = ReadonlyMap<string, readonly Row[]>;

/** What tables have before outcomes are recorded. */
export async function rowsBefore(database: Database): Promise<Rows> {
  const rows = new Map<string, readonly Row[]>();
  for (const [table, order] of Object.entries(TABLES)) {
    const all = sql<Row>`SELECT * FROM ${sql.table(table)} ORDER BY ${sql.ref(order)}`;
    rows.set(table, (await all.execute(database)).rows);
  }
  return rows;
}

/**
 * Deletes the rows that were added since.
 *
 * @returns for each of so many outcomes, statements that add its rows again: one for each table
 */
export async function takeAway(
  database: Database,
  before: Rows,
  outcomes: number,
): Promise<readonly (readonly CompiledQuery[])[]> {
  const added = [...(await rowsBefore(database))].map(([table, rows]) => {
    const known = new Set(before.get(table)?.map((row) => JSON.stringify(row)));
    return { table, rows: rows.filter((row) => !known.has(JSON.stringify(row))) };
  });
  await database.transaction().execute(async (transaction) => {
    for (const { table, rows } of added.toReversed()) {
      for (const row of rows) {
        const [one, other] = Object.entries(row).map(
          ([name, value]) => sql`${sql.ref(name)} = ${value}`,
        );
        await sql`DELETE FROM ${sql.table(table)} WHERE ${one} AND ${other}`.execute(transaction);
      }
    }
  });
  return Array.from({ length: outcomes }, (_, at) =>
    added.map(({ table, rows }) => {
      const each = rows.length / outcomes;
      const own = rows.slice(Math.round(at * each), Math.round((at + 1) * each));
      return insertionOf(database, table, own);
    }),
  );
}

function insertionOf(database: Database, table: string, rows: readonly Row[]): CompiledQuery {
  const names = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  const values = sql.join(rows.map((row) => sql`(${sql.join(Object.values(row))})`));
  // PostgreSQL gives rows their ids itself, unless it is told otherwise.
  const withIds = isSqlite(database) ? sql`` : sql`OVERRIDING SYSTEM VALUE`;
  return sql`INSERT INTO ${sql.table(table)} (${names}) ${withIds} VALUES ${values}`.compile(
    database,
  );
}

/** Adds the rows of an outcome again, in a transaction. */
export async function insert(
  database: Database,
  statements: readonly CompiledQuery[],
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const statement of statements) await transaction.executeQuery(statement);
  });
}
