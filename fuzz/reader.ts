import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bounds } from "./bounds.ts";

/** Functions that read the same kind of bytes from strangers. */
export interface Reader {
  readonly name: string;
  /** What it reads, in one line. */
  readonly reads: string;
  readonly functions: readonly FuzzedFunction[];
  /** Words of what it reads, from which inputs are made. */
  readonly words: readonly string[];
  readonly bounds: Bounds;
}

/** A function of the project that reads bytes of strangers. */
export interface FuzzedFunction {
  readonly name: string;
  /** The errors that it may throw. Any other is a fault. */
  readonly throws: readonly ErrorClass[];
  run(bytes: Uint8Array): unknown;
}

export type ErrorClass = abstract new (...values: never[]) => Error;

/** The kept inputs of a reader, by the names of their files. */
export function corpusOf(reader: string): ReadonlyMap<string, Uint8Array> {
  const folder = join(import.meta.dirname, "corpus", reader);
  const names = readdirSync(folder).sort();
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** What inputs of a reader are made from: a word a line, escaped as in JSON, but for quotation marks. */
export function wordsOf(reader: string): readonly string[] {
  const lines = readFileSync(join(import.meta.dirname, "words", `${reader}.txt`), "utf8");
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line): string => JSON.parse(`"${line.replaceAll('"', '\\"')}"`));
}
