import { BOUNDS } from "../../fuzz/bounds.ts";
import type { Reader } from "../../fuzz/reader.ts";

/** A digit's run, behind which every way to part it is tried. */
const SLOW = /^(?:\d|\d\d)+$/;

/** How a reader can be wrong, each for inputs that begin with one letter. */
const FAULTS: Readonly<Record<string, (text: string) => unknown>> = {
  T: (text) => JSON.parse(text),
  H: () => {
    for (;;);
  },
  S: () => SLOW.test(`${"1".repeat(37)}x`),
  // Smaller ones may be memory that the process has already, freed by other tests.
  M: () => Array.from({ length: 2 }, (_, at) => Buffer.alloc(40_000_000, at + 1)),
  E: () => Promise.reject(new ExpectedError()),
};

class ExpectedError extends Error {}

const READER: Reader = {
  name: "xml",
  reads: "what breaks it",
  // On a busy machine, new memory alone takes a part of a second.
  bounds: { ...BOUNDS, milliseconds: 900, memory: 24_000_000 },
  functions: [
    {
      name: "faulty",
      throws: [ExpectedError],
      run: (bytes) => {
        const text = Buffer.from(bytes).toString();
        return FAULTS[text[0] ?? ""]?.(text);
      },
    },
  ],
  words: ["T", "E"],
};

export default READER;
