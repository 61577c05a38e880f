import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { openPostgres, openSqlite, type Store } from "../store/store.ts";

export interface MemoryPlace {
  readonly data?: string | undefined;
  readonly database?: string | undefined;
}

/** Opens the given database, or else the one in a default folder. */
export function openMemory(
  { data, database }: MemoryPlace,
  otherwise: string | undefined,
): Promise<Store> {
  if (database !== undefined) return openPostgres(database);
  return openSqlite(data === undefined ? otherwise : resolve(data));
}

/** XDG Base Directory, `$XDG_STATE_HOME`. */
function stateFolder(environment = process.env): string {
  const { XDG_STATE_HOME: state = "" } = environment;
  // The specification ignores relative paths.
  return join(isAbsolute(state) ? state : join(homedir(), ".local", "state"), "rs-harvest");
}

export function serviceFolder(): string {
  return join(stateFolder(), "service");
}

/** Each folder of feeds has its own database. */
export function memoryOf(out: string, environment = process.env): string {
  const name = createHash("sha256").update(resolve(out)).digest("hex").slice(0, 16);
  return join(stateFolder(environment), name);
}
