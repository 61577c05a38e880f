import { setFlagsFromString } from "node:v8";

/** Per cent of the objects in use by which the old generation may grow before garbage is collected. */
const OLD_GROWTH = 70;

/**
 * Keeps V8's heap near what is in use. V8 would let the young generation grow to 128 MiB, and the old one to several times what
 * is in use: half the peak of a run that reads many pages, which is no faster for it. The sizes are read at the start of V8
 * alone; how they grow is read at each collection.
 */
export function boundHeapGrowth(): Disposable {
  setGrowth(1, OLD_GROWTH);
  return { [Symbol.dispose]: () => setGrowth(2, 0) };
}

/** @param oldPercent 0 for V8's own choice */
function setGrowth(youngFactor: 1 | 2, oldPercent: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${youngFactor}`);
  setFlagsFromString(`--heap-growing-percent=${oldPercent}`);
}
