import { describe, expect, test } from "vitest";
import { HELP, parseCommandLine, UsageError } from "../fuzz/command-line.ts";
import { corpusOf } from "../fuzz/reader.ts";
import { moduleOf, READERS } from "../fuzz/readers.ts";
import { type Outcome, watch } from "../fuzz/watch.ts";
import { isThorough, rounds } from "./thorough.ts";

const MINUTE = 60_000;

/** What large pages cost takes long to measure; in the suite packages/core/test/page.test.ts has one shape. */
const NAMES = Object.keys(READERS).filter((name) => isThorough || name !== "cost");

describe("readers of strangers' bytes", () => {
  test.each(NAMES)("%s: no input breaks a bound", { timeout: 10 * MINUTE }, async (name) => {
    const inputs = [...corpusOf(name).values()];
    // The suite reads each input of the corpus once; what follows from them is looked for before a release.
    const until = rounds(0, Date.now() + 5 * MINUTE);
    const { found, executions } = await watch({ module: moduleOf(name), seed: 1, inputs, until });
    expect(found.map(({ fault }) => fault)).toEqual([]);
    expect(executions).toBeGreaterThanOrEqual(inputs.length);
  });
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

test.each([
  ["new code leads", "maze", "stand;", "the end of the way"],
  ["a long run leads", "crowd", '<list><one of="two"/></list>', "too many entries"],
])(
  "%s to a fault that chance alone does not find",
  { timeout: 2 * MINUTE },
  async (_, name, text, problem) => {
    const module = new URL(`fuzz/${name}.ts`, import.meta.url).href;
    const inputs = [Buffer.from(text)];
    const enough = new AbortController();
    const { found } = await watch({
      module,
      seed: 1,
      inputs,
      until: Date.now() + MINUTE,
      signal: enough.signal,
      onFound: () => enough.abort(),
    });
    expect(found[0]?.fault.detail).toContain(problem);
  },
);

describe("npm run fuzz", () => {
  const parse = (...args: readonly string[]) => parseCommandLine(args, 1_800_000_000_000);

  test("tests all readers for a minute each, unless it is told otherwise", () => {
    const all = Object.keys(READERS);
    expect(parse()).toMatchObject({ readers: all, minutes: 1, out: "fuzz/out" });
    expect(
      parse("--reader", "zip", "--reader=xml", "--minutes", "0.2", "--seed=7", "--out=x"),
    ).toEqual({ readers: ["zip", "xml"], minutes: 0.2, seed: 7, out: "x" });
    expect(parse("--help", "--minutes=2")).toBe("help");
    for (const name of all) expect(HELP).toMatch(new RegExp(`^ +${name} +\\S`, "m"));
  });

  test.each([
    [["--minutes", "x"], "--minutes is a number that is not negative. 'x' is none."],
    [["--minutes="], "--minutes is a number that is not negative. '' is none."],
    [["--minutes=-1"], "--minutes is a number that is not negative. '-1' is none."],
    [["--minutes"], "Option '--minutes <value>' argument missing."],
    [["--minutes", "-1"], "Option '--minutes' argument is ambiguous."],
    [["--seed", "1.5"], "--seed is a whole number below 4294967296. '1.5' is none."],
    [["--seed", "4294967296"], "--seed is a whole number below 4294967296. '4294967296' is none."],
    [["--reader", "foo"], "There is no reader 'foo'. There are: xml, html, zip, text, site, cost."],
    // Every object has a property of this name.
    [["--reader", "toString"], /^There is no reader 'toString'/],
    [["--bogus"], "Unknown option '--bogus'."],
    [["xml"], /^Unexpected argument 'xml'\. /],
  ])("does not understand %j", (args, problem) => {
    expect(() => parse(...args)).toThrow(UsageError);
    expect(() => parse(...args)).toThrow(problem);
  });
});
