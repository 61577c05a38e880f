import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "..");

/** Where generated inputs stand; nothing in it is ever committed. */
export const INPUTS = join(ROOT, ".tmp/bench");

/** Where the measured programs stand, as deep as their sources: relative imports hold. */
export const PROGRAMS = join(ROOT, ".tmp/bench-programs");

/** A folder of input, made once; a making that was cut short starts over. */
export async function generated(
  name: string,
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const folder = join(INPUTS, name);
  const done = `${folder}.done`;
  if (existsSync(done)) return folder;
  process.stderr.write(`making ${name} ...\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await make(folder);
  writeFileSync(done, "");
  return folder;
}

export function removeInputs(): void {
  rmSync(INPUTS, { recursive: true, force: true });
}
