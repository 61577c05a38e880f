import { HarvestError } from "../errors.ts";

/** Another process has the SQLite database open. */
export class DatabaseInUseError extends HarvestError {
  readonly code = "DATABASE_IN_USE";
  constructor(folder: string) {
    super(
      `Another rs-harvest is at work in ${folder}. Wait until it is done, or give this one a folder of its ` +
        "own with --data; several at once need a PostgreSQL server: --database postgres://…",
    );
  }
}

export class DatabaseFolderError extends HarvestError {
  readonly code = "DATABASE_FOLDER";
  constructor(folder: string, cause: Error) {
    super(
      `The database in ${folder} cannot be opened (${cause.message}). If the folder is damaged, restore it from ` +
        "a backup or start again with another one: --data <folder>.",
      { cause },
    );
  }
}

/** The PostgreSQL server does not answer, or refuses the connection. */
export class DatabaseServerError extends HarvestError {
  readonly code = "DATABASE_SERVER";
  constructor(url: string, cause: Error) {
    super(`The database at ${withoutPassword(url)} cannot be used: ${cause.message}.`, { cause });
  }
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return "that address";
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** The operator has blocked the site. */
export class BlockedError extends HarvestError {
  readonly code = "BLOCKED";
  constructor(host: string) {
    super(`${host} is not followed here: the operator of this harvester has blocked it.`);
  }
}
