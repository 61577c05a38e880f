import { readFileSync } from "node:fs";
import { judge } from "../judge.ts";
import { PeakMemory } from "../peak-memory.ts";
import { corpusOf, type Reader } from "../reader.ts";

/** Reads one input as a fresh process does, and prints by how many bytes its memory grew. */
const [module = "", file = ""] = process.argv.slice(2);
const { default: reader }: { readonly default: Reader } = await import(module);
for (const input of corpusOf(reader.name).values()) await judge(reader, input);
const bytes = readFileSync(file);
globalThis.gc?.();
const memory = new PeakMemory();
await judge(reader, bytes);
console.log(memory.growth());
