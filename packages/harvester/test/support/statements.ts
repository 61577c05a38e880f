import type { CompiledQuery } from "kysely";
import type { Database } from "../../src/store/schema.ts";

/** The statements that a database is asked while some work is done, in their order: those of transactions, and their ends, too. */
export async function statementsOf(
  database: Database,
  work: () => Promise<unknown>,
): Promise<readonly CompiledQuery[]> {
  const statements: CompiledQuery[] = [];
  const connections = await database
    .getExecutor()
    .provideConnection(async (connection) => Object.getPrototypeOf(connection));
  const { executeQuery } = connections;
  connections.executeQuery = function (query: CompiledQuery, ...options: unknown[]) {
    statements.push(query);
    return executeQuery.call(this, query, ...options);
  };
  try {
    await work();
  } finally {
    connections.executeQuery = executeQuery;
  }
  return statements;
}
