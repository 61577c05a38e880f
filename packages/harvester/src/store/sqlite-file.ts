import { createRequire } from "node:module";
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";

/** Opens a database of SQLite. The caller sets it up. */
export function openDatabase(path: string, options: DatabaseSyncOptions): DatabaseSync {
  const { DatabaseSync } = withoutWarning(() => loadSqlite());
  return new DatabaseSync(path, options);
}

function loadSqlite(): typeof import("node:sqlite") {
  return createRequire(import.meta.url)("node:sqlite");
}

/** Hides Node 22's warning that `node:sqlite` is experimental: operators cannot act on it. */
function withoutWarning<Value>(load: () => Value): Value {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
