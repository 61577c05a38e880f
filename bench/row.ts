/** Measures one row, and prints its figures: `node row.ts NAME ROUNDS`, with its folder in `BENCH_INPUTS`. */
import { mkdirSync } from "node:fs";
import { requireFigures } from "./line.ts";
import { INPUTS } from "./places.ts";
import type { Row } from "./rows/index.ts";
import { table } from "./table.ts";

const [name = "", rounds] = process.argv.slice(2);
const { [name]: row }: Readonly<Record<string, Row>> = await import(`./rows/${name}.ts`);
if (row === undefined) throw new Error(`No row ${name}.`);
mkdirSync(INPUTS, { recursive: true });
const lines = await row(Number(rounds));
for (const line of lines) requireFigures(line);
console.log(`${table(lines)}\n`);
