import { codeOf } from "@rs-emit/reader";
import {
  CompiledQuery,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  sql,
  type Transaction,
} from "kysely";
import type { Database, Schema } from "./schema.ts";

type Connection = Pick<Kysely<unknown>, "getExecutor">;

export function isSqlite(database: Connection): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter;
}

type Cell = string | number | null;

type Type = keyof typeof TYPES;

const TYPES = { text: "text", number: "double precision", integer: "bigint" } as const;

/**
 * Rows as a table of a query with this name and these columns.
 * @param values may have other properties, which are left out
 */
export function rows<Name extends string>(
  database: Connection,
  name: string,
  columns: Readonly<Partial<Record<Name, Type>>>,
  values: readonly Readonly<Record<Name, Cell>>[],
): RawBuilder<unknown> {
  const list = columnsIn(columns);
  const names = list.map((column) => column.name);
  if (isSqlite(database)) {
    // It reads arrays faster than objects.
    const json = JSON.stringify(values.map((value) => names.map((column) => value[column])));
    const read = names.map((column, at) => sql`value ->> ${sql.lit(at)} AS ${sql.id(column)}`);
    return sql`(SELECT ${sql.join(read)} FROM json_each(${json})) AS ${sql.id(name)}`;
  }
  return sql`${unnested(list, values)} AS ${sql.id(name)} (${columnList(names)})`;
}

/** PostgreSQL reads an array for each column faster than JSON. */
function unnested<Name extends string>(
  columns: readonly Column<Name>[],
  values: readonly Readonly<Record<Name, Cell>>[],
): RawBuilder<unknown> {
  const arrays = columns.map(
    ({ name, type }) => sql`${values.map((value) => value[name])}::${sql.raw(TYPES[type])}[]`,
  );
  return sql`unnest(${sql.join(arrays)})`;
}

function columnList(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.id(name)));
}

interface Column<Name extends string> {
  readonly name: Name;
  readonly type: Type;
}

/** In order. */
function columnsIn<Name extends string>(
  columns: Readonly<Partial<Record<Name, Type>>>,
): Column<Name>[] {
  const list: Column<Name>[] = [];
  for (const name in columns) {
    const type = columns[name];
    if (type !== undefined) list.push({ name, type });
  }
  return list;
}

/** A row of a table, or some of its columns. */
export type Row<Columns> = Readonly<Record<keyof Columns, Cell>>;

/** The columns that rows have, as the first one says. */
export function columnsOf<Columns extends object>(
  values: readonly Columns[],
): (keyof Columns & string)[] {
  const names: (keyof Columns & string)[] = [];
  for (const name in values[0]) names.push(name);
  return names;
}

/** Rows of a table as a table of a query, in one JSON parameter. */
function rowsOf<Columns extends Row<Columns>>(
  database: Connection,
  table: string,
  values: readonly Columns[],
  names: readonly (keyof Columns & string)[],
): RawBuilder<unknown> {
  if (!isSqlite(database)) {
    const json = JSON.stringify(values, [...names]);
    return sql`json_populate_recordset(NULL::${sql.table(table)}, ${json}::json) AS given`;
  }
  const json = JSON.stringify(values.map((value) => names.map((name) => value[name])));
  const read = names.map((name, at) => sql`value ->> ${sql.lit(at)} AS ${sql.id(name)}`);
  return sql`(SELECT ${sql.join(read)} FROM json_each(${json})) AS given`;
}

/** Inserts rows. An order, a conflict or what is returned may follow. */
export function insertion<Columns extends Row<Columns>>(
  database: Connection,
  table: string,
  values: readonly Columns[],
): RawBuilder<unknown> {
  const columns = columnsOf(values);
  const names = columnList(columns);
  return sql`INSERT INTO ${sql.table(table)} (${names})
    SELECT ${names} FROM ${rowsOf(database, table, values, columns)} WHERE true`;
}

/** Inserts very many rows, in their order. */
export async function insertMany<Name extends string>(
  database: Database,
  table: string,
  columns: Readonly<Partial<Record<Name, Type>>>,
  values: readonly Readonly<Record<Name, Cell>>[],
  conflict: RawBuilder<unknown> = sql``,
): Promise<void> {
  const list = columnsIn(columns);
  const names = list.map(({ name }) => name);
  const into = sql`INSERT INTO ${sql.table(table)} (${columnList(names)})`;
  for (const some of inParts(values)) {
    if (isSqlite(database)) {
      // A statement that runs for each row takes half as long as one that reads them from JSON.
      const statement = sql`${into} VALUES (${sql.join(names)}) ${conflict}`.compile(database).sql;
      const each = some.map((value) => names.map((name) => value[name]));
      await database.executeQuery(CompiledQuery.raw(statement, each));
    } else {
      await sql`${into} SELECT ${columnList(names)}
        FROM ${unnested(list, some)} WITH ORDINALITY AS given (${columnList([...names, "place"])})
        ORDER BY place ${conflict}`.execute(database);
    }
  }
}

/** Inserts rows; those whose keys are there are replaced. */
export function replacement<Columns extends Row<Columns>>(
  database: Connection,
  table: string,
  keys: readonly (keyof Columns & string)[],
  values: readonly Columns[],
): RawBuilder<unknown> {
  const others = columnsOf(values).filter((name) => !keys.includes(name));
  return sql`${insertion(database, table, values)} ${replacing(keys, others)}`;
}

/** After an insertion: rows whose keys are there get these columns. */
export function replacing(
  keys: readonly string[],
  columns: readonly string[],
): RawBuilder<unknown> {
  const set = columns.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`);
  return sql`ON CONFLICT (${columnList(keys)}) DO UPDATE SET ${sql.join(set)}`;
}

/** Updates some columns of rows, by their ids. */
export function update<Columns extends Row<Columns> & { readonly id: number }>(
  database: Connection,
  table: string,
  values: readonly Columns[],
  columns: readonly (keyof Columns & string)[] = columnsOf(values),
): RawBuilder<unknown> {
  const changing = columns.filter((name) => name !== "id");
  const set = changing.map((name) => sql`${sql.id(name)} = given.${sql.id(name)}`);
  const given = rowsOf(database, table, values, ["id", ...changing]);
  return sql`UPDATE ${sql.table(table)} SET ${sql.join(set)} FROM ${given}
    WHERE ${sql.table(table)}.id = given.id`;
}

/** Rows in one parameter: more would take much memory at once. */
const ROWS_AT_ONCE = 5_000;

/** Values in parts that fit into one parameter. */
export function* inParts<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let at = 0; at < values.length; at += ROWS_AT_ONCE)
    yield values.slice(at, at + ROWS_AT_ONCE);
}

/** Texts as a subquery with one parameter: databases limit the number of parameters. */
export function texts(database: Connection, values: readonly string[]): RawBuilder<string> {
  const json = JSON.stringify(values);
  return isSqlite(database)
    ? sql`(SELECT value FROM json_each(${json}))`
    : sql`(SELECT json_array_elements_text(${json}::json))`;
}

/**
 * Whether a column has one of many texts. With a subquery, PostgreSQL may join the two in a nested loop
 * where its statistics are of a table that was small; with an array it asks an index or a hash table.
 */
export function isAmong(
  database: Connection,
  column: string,
  values: readonly string[],
): RawBuilder<SqlBool> {
  const name = sql.ref(column);
  return isSqlite(database)
    ? sql`${name} IN ${texts(database, values)}`
    : sql`${name} = ANY(${values}::text[])`;
}

/** The ids of rows, like `texts`. */
export function idsOf(
  database: Connection,
  rows: readonly { readonly id: number }[],
): RawBuilder<number> {
  const values = rows.map(({ id }) => id);
  return ids(database, values);
}

/** Like `texts`. */
export function ids(database: Connection, values: readonly number[]): RawBuilder<number> {
  const json = JSON.stringify(values);
  return isSqlite(database)
    ? sql`(SELECT value FROM json_each(${json}))`
    : sql`(SELECT json_array_elements_text(${json}::json)::bigint)`;
}

export function pairs(
  database: Connection,
  values: readonly (readonly [number, string])[],
): RawBuilder<unknown> {
  const json = JSON.stringify(values);
  return isSqlite(database)
    ? sql`(SELECT value ->> 0, value ->> 1 FROM json_each(${json}))`
    : sql`(SELECT (value ->> 0)::bigint, value ->> 1 FROM json_array_elements(${json}::json))`;
}

/** Locks the query's rows until the transaction ends. SQLite has one writer anyway. */
export function forUpdate(
  database: Connection,
  { of, skipLocked = false }: { readonly of?: string; readonly skipLocked?: boolean } = {},
): RawBuilder<unknown> {
  if (isSqlite(database)) return sql``;
  const table = of === undefined ? sql`` : sql` OF ${sql.id(of)}`;
  return sql`FOR UPDATE${table}${skipLocked ? sql` SKIP LOCKED` : sql``}`;
}

/** The database's clock, UTC seconds: workers' clocks may differ. */
export function clock(database: Connection): RawBuilder<number> {
  return isSqlite(database)
    ? sql`unixepoch('subsec')`
    : sql`extract(epoch FROM clock_timestamp())::double precision`;
}

/** The earlier time, or the known one. */
export function earlier(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(CASE WHEN ${one} < ${other} THEN ${one} ELSE ${other} END)`;
}

/**
 * Joins the rows whose ids a subquery returns. PostgreSQL needs a lateral join, or runs it for each
 * pair of rows; SQLite has none, and needs none.
 */
export function joinEach(
  database: Connection,
  table: RawBuilder<unknown>,
  wanted: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return isSqlite(database)
    ? sql`JOIN ${table} ON ${table}.id IN (${wanted})`
    : sql`CROSS JOIN LATERAL (${wanted}) AS wanted (id) JOIN ${table} ON ${table}.id = wanted.id`;
}

/** All rows of a query as one JSON array of arrays: drivers take longer for many rows. */
export function arrays(database: Connection, columns: readonly string[]): RawBuilder<string> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  return isSqlite(database)
    ? sql`json_group_array(json_array(${list}))`
    : sql`json_agg(json_build_array(${list}))::text`;
}

/** One may end a deadlock, and then insert what another one has just inserted. */
const REPEATS = 3;

/** Repeats the transaction after a deadlock, a lost connection, or a concurrent insert. */
export async function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await database.transaction().execute(work);
    } catch (error) {
      if (!isPassing(error) || repeats >= REPEATS) throw error;
    }
  }
}

/** PostgreSQL's codes (appendix A of its manual) and the system's. */
function isPassing(error: unknown): boolean {
  return /^(?:40P01|40001|23505|08\w{3}|57P01|ECONN\w+|EPIPE)$/.test(codeOf(error));
}
