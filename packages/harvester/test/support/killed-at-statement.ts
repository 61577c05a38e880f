/** A process that opens the database in a folder for the first time, and is killed before a statement: `migrations.test.ts`. */
import { DatabaseSync } from "node:sqlite";
import { openSqlite } from "../../src/store/open-store.ts";

const [folder = "", statement = ""] = process.argv.slice(2);
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (text, ...options) {
  if (text.startsWith(statement)) process.kill(process.pid, "SIGKILL");
  return prepare.call(this, text, ...options);
};

await openSqlite(folder);
