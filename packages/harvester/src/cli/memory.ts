import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { openPostgres } from "../store/postgres.ts";
import { openSqlite } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";
import type { MemoryPlace } from "./arguments.ts";

/** Opens the memory that the command line names, or the one in a folder that is meant otherwise. */
export function openMemory(
  { data, database }: MemoryPlace,
  otherwise: string | undefined,
): Promise<Store> {
  if (database !== undefined) return openPostgres(database);
  return openSqlite(data === undefined ? otherwise : resolve(data));
}

/** The user's own folder for what programs remember (XDG Base Directory, `$XDG_STATE_HOME`). */
export function stateFolder(environment = process.env): string {
  const { XDG_STATE_HOME: state = "" } = environment;
  // What is no absolute path must be ignored.
  return join(isAbsolute(state) ? state : join(homedir(), ".local", "state"), "rs-harvest");
}

/** Where the service remembers what it has read, if nothing else is said. */
export function serviceFolder(): string {
  return join(stateFolder(), "service");
}

/** The memory of the feeds in a folder: each such folder has its own. */
export function memoryOf(out: string, environment = process.env): string {
  const name = createHash("sha256").update(resolve(out)).digest("hex").slice(0, 16);
  return join(stateFolder(environment), name);
}
