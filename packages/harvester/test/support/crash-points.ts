import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { CopyDatabase } from "../../src/sync/copy/copy-database.ts";

const CHANGING = ["mkdirSync", "renameSync", "rmSync", "rmdirSync", "utimesSync"] as const;

/**
 * What stands in a copy at every instant at which a run could be killed: before and after each of its changes to
 * files, and of its commits.
 *
 * @param folder of the copy
 * @param place where the states are kept
 * @returns a folder for each state, in order
 */
export async function crashPoints(
  folder: string,
  place: string,
  run: () => Promise<unknown>,
): Promise<readonly string[]> {
  const states: string[] = [];
  const keep = () => {
    if (!fs.existsSync(folder)) return;
    const state = join(place, String(states.length));
    fs.cpSync(folder, state, { recursive: true, preserveTimestamps: true });
    states.push(state);
  };
  const around = (act: () => unknown) => {
    keep();
    const result = act();
    keep();
    return result;
  };
  const originals = Object.fromEntries(CHANGING.map((name) => [name, fs[name]]));
  for (const name of CHANGING) {
    const original: (...args: never[]) => unknown = fs[name];
    Object.assign(fs, { [name]: (...args: never[]) => around(() => original(...args)) });
  }
  const { commit } = CopyDatabase.prototype;
  CopyDatabase.prototype.commit = function (this: CopyDatabase) {
    around(() => commit.call(this));
  };
  syncBuiltinESMExports();
  try {
    await run();
  } finally {
    Object.assign(fs, originals);
    CopyDatabase.prototype.commit = commit;
    syncBuiltinESMExports();
  }
  return states;
}
