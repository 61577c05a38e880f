import { BOUNDS } from "../../fuzz/bounds.ts";
import type { Reader } from "../../fuzz/reader.ts";

/** Throws at the end of a way that chance alone does not find: each turn is code that was never run. */
const READER: Reader = {
  name: "xml",
  reads: "a way",
  bounds: BOUNDS,
  functions: [{ name: "maze", throws: [], run: walk }],
  words: ["left;", "right;", "up;", "down;", "back;"],
};

export default READER;

const WAY = ["up;", "left;", "up;", "right;"];

function walk(bytes: Uint8Array): void {
  let text = Buffer.from(bytes).toString();
  const turn = (at: number): boolean => {
    const isRight = text.startsWith(WAY[at] ?? "");
    text = text.slice(WAY[at]?.length);
    return isRight;
  };
  if (!turn(0)) return;
  if (!turn(1)) return;
  if (!turn(2)) return;
  if (!turn(3)) return;
  throw new Error("the end of the way");
}
