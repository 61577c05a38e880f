import { randomUUID } from "node:crypto";
import { Client } from "pg";

/** A PostgreSQL server for tests, as `.ci/postgres` starts one: a `postgres://` URL. */
const SERVER = process.env.RS_HARVEST_TEST_DATABASE;

/** Tests that need a server are skipped without one. */
export const NO_SERVER = SERVER === undefined;

/** For the titles of tests that need a server: why they are skipped, where they are. */
export const WITHOUT_SERVER = NO_SERVER
  ? " (without a PostgreSQL server: RS_HARVEST_TEST_DATABASE)"
  : "";

/** An empty database on the server, which goes when it is disposed of. */
export class TestDatabase implements AsyncDisposable {
  readonly url: string;
  readonly #name: string;

  private constructor(name: string, server: string) {
    this.#name = name;
    this.url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  }

  static async create(): Promise<TestDatabase> {
    if (SERVER === undefined) throw new Error("no server: RS_HARVEST_TEST_DATABASE is not set");
    const name = `test_${randomUUID().replaceAll("-", "")}`;
    await query(`CREATE DATABASE ${name}`);
    return new TestDatabase(name, SERVER);
  }

  /** Runs what `pg_dump` wrote, say. */
  run(statements: string): Promise<void> {
    return query(statements, this.url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await query(`DROP DATABASE ${this.#name} WITH (FORCE)`);
  }
}

async function query(statements: string, url = SERVER): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
