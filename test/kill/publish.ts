/** Publishes with the options given, and dies before or after one operation on the disk. */

import { type EmitOptions, emit } from "@rs-emit/core";
import { DISK, type FileSystem } from "../../packages/core/src/model/file-system.ts";
import { QUICK_DISK } from "../model/documents.ts";

const [options = "{}", clock, fatal, when, entries] = process.argv.slice(2);
let operations = 0;

function mortal(operate: () => void): void {
  operations += 1;
  const isFatal = operations === Number(fatal);
  if (isFatal && when === "before") process.kill(process.pid, "SIGKILL");
  operate();
  if (isFatal) process.kill(process.pid, "SIGKILL");
}

const fileSystem: FileSystem = {
  makeFolder: (path) => mortal(() => DISK.makeFolder(path)),
  write: (path, bytes) => mortal(() => DISK.write(path, bytes)),
  writeChunks: (path, chunks) => mortal(() => DISK.writeChunks(path, chunks)),
  overwrite: (path, bytes) => mortal(() => DISK.overwrite(path, bytes)),
  copy: (from, to) => mortal(() => DISK.copy(from, to)),
  imitate: (path, model) => mortal(() => QUICK_DISK.imitate(path, model)),
  flush: async (path) => {
    await DISK.flush(path);
    mortal(() => {});
  },
  rename: (from, to) => mortal(() => DISK.rename(from, to)),
  remove: (path) => mortal(() => DISK.remove(path)),
};

const limits = entries === undefined ? {} : { entries: Number(entries) };
const parsed: EmitOptions = JSON.parse(options);
await emit(parsed, { clock: () => Number(clock), fileSystem, limits });
