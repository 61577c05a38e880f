import { sql } from "kysely";
import { MIGRATIONS, type Migrations } from "../../src/store/migrations.ts";

/**
 * The migrations of an invented later version. What is stored already is marked `earlier`, what is stored afterwards
 * `later`: another run would mark that, too.
 */
export const LATER: Migrations = {
  ...MIGRATIONS,
  "900-later": {
    up: async (database) => {
      await sql`ALTER TABLE change ADD COLUMN stored_by text NOT NULL DEFAULT 'later'`.execute(
        database,
      );
      await sql`UPDATE change SET stored_by = 'earlier'`.execute(database);
    },
  },
};
