/**
 * Says which share of faults the judge finds: each element and attribute of the specifications' examples is dropped,
 * doubled, renamed, misspelt and moved. `node conformance/mutations.ts`
 */
import { type Tried, tryMutations } from "../packages/check/test/mutations.run.ts";
import { last } from "../packages/check/test/mutations.ts";

/** The share of the faults that are found, without what the text allows. */
function shareOf(tried: readonly Tried[]): string {
  const faults = tried.filter(({ legal }) => legal === undefined);
  const found = faults.filter(({ isFound }) => isFound);
  return `${found.length} of ${faults.length} (${((100 * found.length) / faults.length).toFixed(1)} %)`;
}

function grouped(tried: readonly Tried[], keyOf: (one: Tried) => string) {
  return [...Map.groupBy(tried, keyOf)].toSorted(([one], [other]) => one.localeCompare(other));
}

const all = tryMutations();
const missed = all.filter(({ isFound, legal }) => !isFound && legal === undefined);
const legal = all.filter((one) => one.legal !== undefined);
const lines = [
  `Found: ${shareOf(all)}`,
  ...grouped(all, ({ mutation }) => mutation.edit).map(
    ([edit, some]) => `  ${edit}: ${shareOf(some)}`,
  ),
  "Not found:",
  ...grouped(missed, ({ mutation: { edit, path, attribute = "" } }) => {
    const value = last(path).attributes.find(([name]) => name === attribute)?.[1] ?? "";
    return `${edit} ${last(path).name} ${attribute} ${value}`;
  }).map(([what, some]) => `  ${some.length} ${what}`),
  "Legal (section of ResourceSync 1.1, and why):",
  ...grouped(legal, (one) => one.legal ?? "").map(([why, some]) => `  ${some.length} ${why}`),
];
process.stdout.write(`${lines.join("\n")}\n`);
