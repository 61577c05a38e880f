import { BOUNDS } from "../../fuzz/bounds.ts";
import type { Reader } from "../../fuzz/reader.ts";

const CROWD = /^<list>(?:<one of="two"\/>){1000,}<\/list>$/;

/** Throws where a list has very many entries, all of them whole. */
const READER: Reader = {
  name: "xml",
  reads: "a list",
  bounds: BOUNDS,
  functions: [
    {
      name: "crowd",
      throws: [],
      run: (bytes) => {
        if (CROWD.test(Buffer.from(bytes).toString())) throw new Error("too many entries");
      },
    },
  ],
  words: ["entry"],
};

export default READER;
