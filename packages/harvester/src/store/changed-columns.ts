import { sql } from "kysely";
import type { Database } from "./schema.ts";

/** The columns of a row that differ from what it was. */
export function changedColumns<Row extends object>(
  before: Row,
  after: Row,
): readonly Extract<keyof Row, string>[] {
  const changed: Extract<keyof Row, string>[] = [];
  for (const name in after) if (before[name] !== after[name]) changed.push(name);
  return changed;
}

/**
 * Writes what differs from a row as it was: little where nothing is new.
 *
 * @param key the column that says which one it is, and what it has there
 */
export async function writeChanged<Row extends object>(
  database: Database,
  table: string,
  [key, value]: readonly [key: string, value: number],
  before: Row,
  after: Row,
): Promise<void> {
  const set = changedColumns(before, after).map((name) => sql`${sql.id(name)} = ${after[name]}`);
  if (set.length === 0) return;
  await sql`UPDATE ${sql.table(table)} SET ${sql.join(set)} WHERE ${sql.id(key)} = ${value}`.execute(
    database,
  );
}
