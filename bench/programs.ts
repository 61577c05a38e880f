import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { PROGRAMS, ROOT } from "./places.ts";

/**
 * Makes JavaScript of the programs to be measured: Node's own stripping of types costs each process
 * 35 ms and 15 MiB, more than some of what is measured here.
 */
export function preparePrograms(): void {
  const sources = join(ROOT, "bench/programs");
  mkdirSync(PROGRAMS, { recursive: true });
  for (const name of readdirSync(sources)) {
    const code = stripTypeScriptTypes(readFileSync(join(sources, name), "utf8"));
    const linked = code.replace(/from "(\.\/[^"]+)\.ts"/g, 'from "$1.js"');
    writeFileSync(programFile(name.replace(/\.ts$/, "")), linked);
  }
}

/** The command that runs one of the programs. */
export function program(name: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, programFile(name), ...args];
}

function programFile(name: string): string {
  return join(PROGRAMS, `${name}.js`);
}
