import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { INPUTS, removeInputs } from "./places.ts";
import { requireTime } from "./process.ts";
import { preparePrograms } from "./programs.ts";
import { ROWS } from "./rows/index.ts";
import { table } from "./table.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: Object.keys(ROWS) },
    rounds: { type: "string", default: "5" },
    keep: { type: "boolean", default: false },
  },
});

requireTime();
mkdirSync(INPUTS, { recursive: true });
preparePrograms();
try {
  const lines = [];
  for (const name of values.only) {
    const row = ROWS[name];
    if (row === undefined) throw new Error(`No row ${name}; there are ${Object.keys(ROWS)}.`);
    process.stderr.write(`${name}\n`);
    lines.push(...(await row(Number(values.rounds))));
  }
  console.log(table(lines));
} finally {
  if (!values.keep) removeInputs();
}
