import type { Line } from "../line.ts";

/** Measures in so many rounds. A file of this folder exports it by its own name. */
export type Row = (rounds: number) => Promise<readonly Line[]>;

/** The rows by the names that `--only` takes, and the programs that they need beside git and GNU time. */
export const ROWS: Readonly<Record<string, readonly string[]>> = {
  startup: [],
  history: [],
  backfill: [],
  writing: [],
  reading: [],
  flat: [],
  continuation: [],
  excerpts: [],
  dump: ["zip"],
  builders: [],
  dates: [],
  harvest: [],
  lists: [],
  hosting: [],
  upload: [],
  sync: ["unzip"],
  copy: ["wget", "rsync"],
  records: [],
  distance: ["wget", "rsync"],
  day: [],
  workers: ["psql"],
};
