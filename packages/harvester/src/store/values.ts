import { sql } from "kysely";

/** A source or a host that nobody has. */
export const NO_LEASE = { lease: null, lease_until: null } as const;

/**
 * Texts as a subquery of a query: many are one parameter, since PostgreSQL bounds how many of those there are.
 */
export function texts(values: readonly string[]) {
  return sql<string>`(SELECT json_array_elements_text(${JSON.stringify(values)}::json))`;
}
