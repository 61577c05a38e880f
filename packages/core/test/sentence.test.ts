import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pastOptions } from "../src/backfill/options.ts";
import { EmitError } from "../src/model/errors.ts";
import { asInCode, mention, sentence, spelled } from "../src/model/sentence.ts";
import { siteOptions } from "../src/options/site-options.ts";

const SOURCE = new URL("../src/", import.meta.url);
const SOURCES = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: readFileSync(new URL(file, SOURCE), "utf8") }));

/** Options of the plugins alone. */
const OF_PLUGINS = ["customPages", "sourceFiles"];

const SAMPLE = new EmitError({
  code: "SAMPLE",
  problem: sentence`The option ${mention("history", "git")} finds nothing.`,
  cure: ["Leave it out.", sentence`Or name a folder with ${mention("sourceFolder")}.`],
  outcome: "Nothing was written.",
});

test("an error is about the option that it mentions first; a run that fails says that nothing was written", () => {
  const problem = "It failed.";
  const cure = ["Again.", sentence`Or give ${mention("exclude")}.`];
  const error = new EmitError({ code: "SAMPLE", problem, cure });
  expect([SAMPLE.option, error.option]).toEqual(["history", "exclude"]);
  expect(error.message).toBe(
    "It failed. Again. Or give exclude. rs-emit changed no page and no log.",
  );
  const usage = new EmitError({ code: "SAMPLE", problem, cure: "", isUsage: true, option: "url" });
  expect([usage.message, usage.option]).toEqual([problem, "url"]);
});

test("an error names options as code does, until a front end spells them", () => {
  expect(SAMPLE.message).toBe(
    'The option history: "git" finds nothing. Leave it out. Or name a folder with sourceFolder. Nothing was written.',
  );
  expect(SAMPLE).toMatchObject({
    problem: 'The option history: "git" finds nothing.',
    cure: "Leave it out. Or name a folder with sourceFolder.",
    option: "history",
  });
  expect(SAMPLE.worded(({ option, value }) => `<${option} ${value}>`).problem).toBe(
    "The option <history git> finds nothing.",
  );
});

test("a sentence about an option that a front end does not have is left out", () => {
  const { cure, message } = SAMPLE.worded((one) =>
    one.option === "sourceFolder" ? undefined : asInCode(one),
  );
  expect(cure).toBe("Leave it out.");
  expect(message).toBe(
    'The option history: "git" finds nothing. Leave it out. Nothing was written.',
  );
});

test("true and false are no texts in code", () => {
  expect(asInCode({ option: "cleanUrls", value: "false" })).toBe("cleanUrls: false");
  expect(asInCode({ option: "previous", value: "site" })).toBe('previous: "site"');
});

test("a sentence takes up those that it is made of", () => {
  const inner = sentence`the option ${mention("now")}`;
  expect(spelled(sentence`${inner} is ${3}.`, () => "NOW")).toBe("the option NOW is 3.");
});

test("every option that a text mentions exists", () => {
  const known = [
    ...Object.keys(siteOptions.entries),
    ...Object.keys(pastOptions.entries),
    ...OF_PLUGINS,
  ];
  const mentioned = SOURCES.flatMap(({ text }) =>
    [...text.matchAll(/mention\("(\w+)"/g)].map(([, option = ""]) => option),
  );
  expect(mentioned.length).toBeGreaterThan(20);
  expect(mentioned.filter((option) => !known.includes(option))).toEqual([]);
});

/** Flags of git, and of the only command that fetches pages, in the commands that texts suggest. */
const OF_COMMANDS = [
  "--unshallow",
  "--filter",
  "--global",
  "--add",
  "--connectivity-only",
  "--pull",
  "--recursive",
];

test("no text spells an option as a flag: plugins have none", () => {
  const texts = SOURCES.filter(({ file }) => /errors?\.ts$|notes/.test(file));
  const flags = texts.flatMap(({ text }) => text.match(/--[a-z][a-z-]+/g) ?? []);
  expect([...new Set(flags)].toSorted()).toEqual(OF_COMMANDS.toSorted());
});
