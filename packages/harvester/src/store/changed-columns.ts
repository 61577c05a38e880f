import { sql } from "kysely";
import { compiledOnce } from "./dialects.ts";
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
  const names = changedColumns(before, after);
  const written = { table, key, value, names, to: names.map((name) => after[name]) };
  if (names.length > 0) await WRITE(database, written);
}

interface Written {
  readonly table: string;
  readonly key: string;
  readonly value: number;
  readonly names: readonly string[];
  readonly to: readonly unknown[];
}

const WRITE = compiledOnce<Written>(
  (given, _, { table, key, names }) => {
    const set = names.map((name, at) => sql`${sql.id(name)} = ${given(({ to }) => to[at])}`);
    return sql`UPDATE ${sql.table(table)} SET ${sql.join(set)} WHERE ${sql.id(key)} = ${given(({ value }) => value)}`;
  },
  ({ table, names }) => `${table} ${names}`,
);
