/**
 * Loaded into a process that is to be killed: at its nth rename, `RENAMES` of them are done; with `AFTER=1` that one
 * too. A kill is one: nothing after it happens.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { renameSync } = fs;
const last = Number(process.env.RENAMES);
const isAfter = process.env.AFTER === "1";
let renames = 0;

fs.renameSync = (from, to) => {
  renames += 1;
  if (renames > last && !isAfter) process.kill(process.pid, "SIGKILL");
  renameSync(from, to);
  if (renames > last) process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
