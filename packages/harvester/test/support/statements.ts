import type { CompiledQuery } from "kysely";
import type { Database } from "../../src/store/schema.ts";

/**
 * Does some work, and is told of each statement before the database is asked it: those that begin and end transactions, too. What
 * it throws, the work gets in place of an answer.
 */
export async function beforeStatements<Result>(
  database: Database,
  tell: (statement: CompiledQuery) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const connections = await database
    .getExecutor()
    .provideConnection(async (connection) => Object.getPrototypeOf(connection));
  const { executeQuery } = connections;
  connections.executeQuery = async function (statement: CompiledQuery, ...options: unknown[]) {
    tell(statement);
    return executeQuery.call(this, statement, ...options);
  };
  try {
    return await work();
  } finally {
    connections.executeQuery = executeQuery;
  }
}

/** The statements that a database is asked while some work is done, in their order. */
export async function statementsOf(
  database: Database,
  work: () => Promise<unknown>,
): Promise<readonly CompiledQuery[]> {
  const statements: CompiledQuery[] = [];
  await beforeStatements(database, (statement) => statements.push(statement), work);
  return statements;
}
