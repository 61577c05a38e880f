import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Milliseconds on the clock, for a process that reads one input. */
const LONGEST = 120_000;

/** By how many bytes the memory of a process grows that reads nothing but this input, after the kept ones. */
export async function growthAlone(module: string, bytes: Uint8Array): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "rs-emit-fuzz-"));
  try {
    const file = join(folder, "input");
    writeFileSync(file, bytes);
    const program = join(import.meta.dirname, "programs/read-alone.ts");
    const args = ["--expose-gc", "--max-semi-space-size=4", program, module, file];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: LONGEST });
    return Number(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
