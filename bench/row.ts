/** Measures one row, and prints its figures: `node row.ts NAME ROUNDS`, with its folder in `BENCH_INPUTS`. */
import { mkdirSync } from "node:fs";
import { INPUTS } from "./places.ts";
import { ROWS } from "./rows/index.ts";
import { table } from "./table.ts";

const [name = "", rounds] = process.argv.slice(2);
const row = ROWS[name];
if (row === undefined) throw new Error(`No row ${name}.`);
mkdirSync(INPUTS, { recursive: true });
console.log(`${table(await row(Number(rounds)))}\n`);
