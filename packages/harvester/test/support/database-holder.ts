/**
 * A process that opens a database and keeps it, for `database-lock.test.ts`. It says `open` or the error's code, and
 * ends by being told to, or killed. Its clock is as far ahead as it is told.
 */
import { HarvestError } from "@rs-emit/reader";
import { openSqlite } from "../../src/store/open-store.ts";
import { CopyDatabase } from "../../src/sync/copy/copy-database.ts";

const [kind = "", path = "", ahead = "0"] = process.argv.slice(2);
const { now } = Date;
Date.now = () => now() + Number(ahead) * 1000;

async function open(): Promise<() => unknown> {
  if (kind === "data") {
    const store = await openSqlite(path);
    return () => store.close();
  }
  const database = new CopyDatabase(path, TABLES, { readOnly: kind === "audit" });
  return () => database[Symbol.dispose]();
}

const TABLES = "CREATE TABLE copy (site TEXT NOT NULL) STRICT";

try {
  const close = await open();
  process.once("message", async () => {
    await close();
    process.disconnect();
  });
  process.send?.("open");
} catch (error) {
  process.send?.(error instanceof HarvestError ? error.code : String(error));
  process.disconnect();
}
