import { lineOf } from "@rs-emit/feeds";
import { type Selectable, sql } from "kysely";
import { isSqlite } from "../dialects.ts";
import { descriptionIn, nameOf, siteOf } from "../feed-names.ts";
import type { Database, SourceTable } from "../schema.ts";

export type NamedSource = Pick<
  Selectable<SourceTable>,
  "address" | "description_url" | "description" | "name"
>;

/** The name that a follower gave it, else its own title, else its address. */
export function sourceTitle(row: NamedSource): string {
  return row.name ?? nameOf(descriptionIn(row.description), siteOf(row));
}

/** The same in SQL, to sort by: in lower case, and by its host in place of its address. */
export function shownName(database: Database) {
  const title = isSqlite(database)
    ? sql`description ->> 'title'`
    : sql`CAST(description AS json) ->> 'title'`;
  const name = sql<string>`lower(coalesce(name, nullif(trim(${title}), ''), host))`;
  // Not by the rules of a server's language.
  return isSqlite(database) ? name : sql<string>`${name} COLLATE "C"`;
}

/** Whether its title is more than its address. */
export function hasName({ name, description }: NamedSource): boolean {
  return name !== null || lineOf(descriptionIn(description)?.title ?? "") !== "";
}
