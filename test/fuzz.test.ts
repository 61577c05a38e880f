import { describe, expect, test } from "vitest";
import { corpusOf } from "../fuzz/reader.ts";
import { moduleOf, READERS } from "../fuzz/readers.ts";
import { type Outcome, watch } from "../fuzz/watch.ts";
import { rounds } from "./thorough.ts";

const MINUTE = 60_000;

describe("readers of strangers' bytes", () => {
  test.each(Object.keys(READERS))(
    "%s: no input breaks a bound",
    { timeout: 10 * MINUTE },
    async (name) => {
      const inputs = [...corpusOf(name).values()];
      const until = Date.now() + rounds(1000, 5 * MINUTE);
      const { found, executions } = await watch({ module: moduleOf(name), seed: 1, inputs, until });
      expect(found.map(({ fault }) => fault)).toEqual([]);
      expect(executions).toBeGreaterThanOrEqual(inputs.length);
    },
  );
});

describe("a reader that is wrong", () => {
  const module = new URL("fuzz/faulty.ts", import.meta.url).href;

  /** One input alone, and no others. */
  function read(text: string): Promise<Outcome> {
    return watch({ module, seed: 1, inputs: [Buffer.from(text)], until: 0, giveUpAfter: 1000 });
  }

  test.each([
    ["throws what is no error of the project", "T{", "throws"],
    ["takes too much time", "S", "time"],
    ["never ends", "H", "time"],
    ["takes too much memory", "M", "memory"],
  ])("%s: it is found", { timeout: MINUTE }, async (_, text, kind) => {
    const { found } = await read(text);
    expect(found.map(({ fault }) => fault.kind)).toEqual([kind]);
    expect(found.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([text]);
  });

  test.each(["E", "nothing", ""])("what it may do is no fault: %j", async (text) => {
    expect((await read(text)).found).toEqual([]);
  });

  test("one that hangs stops none of the others", { timeout: MINUTE }, async () => {
    const inputs = ["H", "fine", "T{"].map((text) => Buffer.from(text));
    const { found } = await watch({ module, seed: 1, inputs, until: 0, giveUpAfter: 1000 });
    expect(found.map(({ fault }) => fault.kind)).toEqual(["time", "throws"]);
  });
});

test("new code leads to a fault that chance alone does not find", {
  timeout: 2 * MINUTE,
}, async () => {
  const module = new URL("fuzz/maze.ts", import.meta.url).href;
  const inputs = [Buffer.from("stand;")];
  const found = new Promise<string>((resolve) => {
    void watch({
      module,
      seed: 1,
      inputs,
      until: Date.now() + MINUTE,
      onFound: ({ fault }) => resolve(fault.detail),
    });
  });
  expect(await found).toContain("the end of the way");
});
