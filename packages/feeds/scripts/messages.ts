/**
 * Compiles the catalogues in `messages/`, one for each language, to modules without imports in `src/messages/`: a run loads
 * plain functions of the languages that it needs. No generated code asks `Intl`, whose data differ from Node to Node.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import MessageFormat, { type PluralFunction, type StringStructure } from "@messageformat/core";
import compileModule from "@messageformat/core/compile-module.js";
import { parse, type Token } from "@messageformat/parser";

interface Catalogue {
  readonly messages: { readonly [key: string]: string | { readonly [key: string]: string } };
  /** From January on, as they stand in a day. */
  readonly months: readonly string[];
  /** What parts groups of three digits, in numbers from `from` on. */
  readonly numbers: { readonly separator: string; readonly from: number };
  /** The rules of CLDR for whole numbers; all others are `other`. */
  readonly plurals: Readonly<Record<string, string>>;
  /** Other words by which dates of pages are read. */
  readonly reading: {
    readonly otherMonths: readonly (readonly string[])[];
    readonly weekdays: readonly (readonly string[])[];
  };
}

const ROOT = join(import.meta.dirname, "..");
const [IN, OUT] = [join(ROOT, "messages"), join(ROOT, "src/messages")];
const NOTE = "// Written by scripts/messages.ts.\n";

const catalogues = readdirSync(IN)
  .sort()
  .map((file): readonly [string, Catalogue] => [
    basename(file, ".json"),
    JSON.parse(readFileSync(join(IN, file), "utf8")),
  ]);
const english = catalogues.find(([language]) => language === "en")?.[1];
if (english === undefined) throw new Error("There is no en.json.");

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT);
for (const [language, catalogue] of catalogues) {
  writeFileSync(join(OUT, `${language}.ts`), moduleOf(language, catalogue));
}
writeFileSync(join(OUT, "index.ts"), indexOf(english));
writeFileSync(join(OUT, "date-words.ts"), dateWords());

function moduleOf(language: string, { messages, months, numbers, plurals }: Catalogue): string {
  // `core` takes a plural function from a module: what it imports is defined here instead.
  const cardinals = ["other", ...Object.keys(plurals)];
  const plural: PluralFunction = Object.assign(() => "other" as const, {
    cardinals: cardinals as PluralFunction["cardinals"],
    ordinals: [],
    module: "plurals",
  });
  Object.defineProperty(plural, "name", { value: "category" });
  const compiled = compileModule(new MessageFormat(plural), messages as StringStructure);
  const functions = compiled.replaceAll(/^import .*\n/gm, "").replace("export default ", "");
  const rules = Object.entries(plurals).map(([name, rule]) => `${condition(rule)} ? "${name}" : `);
  const { separator, from } = numbers;
  const grouped = `String(n).replace(/\\B(?=(?:\\d{3})+$)/g, ${JSON.stringify(separator)})`;
  return `${NOTE}// @ts-nocheck
import type { Catalogue } from "./index.ts";
const category = (n) => ${rules.join("")}"other";
const number = (_, n) => n < ${from} ? String(n) : ${grouped};
const plural = (n, _, of, forms) => Object.hasOwn(forms, n) ? forms[n] : forms[of(n)] ?? forms.other;
const messages = ${functions.trim()};
export default { ...messages, language: "${language}", months: ${JSON.stringify(months)} } as Catalogue;
`;
}

/** JavaScript of a rule such as `n % 10 = 2..4 and n % 100 != 12..14` (UTS 35, "Plural rules syntax"). */
function condition(rule: string): string {
  return rule
    .replaceAll(/(n(?: % \d+)?) (!?)= (\d+)(?:\.\.(\d+))?/g, (_, of, not, first, last = first) => {
      return `${not}(${of} >= ${first} && ${of} <= ${last})`;
    })
    .replaceAll(" and ", " && ")
    .replaceAll(" or ", " || ");
}

function indexOf({ messages }: Catalogue): string {
  const others = catalogues.map(([language]) => language).filter((language) => language !== "en");
  const members = Object.entries(messages).map(([key, message]) => {
    if (typeof message === "string") return `  ${key}${signatureOf(message)};`;
    const inside = Object.entries(message).map(
      ([name, one]) => `    "${name}"${signatureOf(one)};`,
    );
    return `  readonly ${key}: {\n${inside.join("\n")}\n  };`;
  });
  return `${NOTE}export { default as ENGLISH } from "./en.ts";

export interface Catalogue {
  readonly language: string;
  readonly months: readonly string[];
${members.join("\n")}
}

/** All but English, which every run has. */
export const LANGUAGES: Readonly<Record<string, () => Promise<{ readonly default: Catalogue }>>> = {
${others.map((language) => `  ${language}: () => import("./${language}.ts"),`).join("\n")}
};
`;
}

/** What English asks for, the others are given. */
function signatureOf(message: string): string {
  const values = [...argumentsOf(parse(message))].map(([name, type]) => `${name}: ${type}`);
  return values.length === 0 ? "(): string" : `(values: { ${values.join("; ")} }): string`;
}

function argumentsOf(tokens: readonly Token[]): ReadonlyMap<string, "number" | "string"> {
  return new Map(
    tokens.flatMap((token): [string, "number" | "string"][] => {
      if (token.type === "argument") return [[token.arg, "string"]];
      if (token.type !== "plural") return [];
      const inside = token.cases.flatMap((one) => [...argumentsOf(one.tokens)]);
      return [[token.arg, "number"], ...inside];
    }),
  );
}

function dateWords(): string {
  const words = catalogues.map(([language, { messages, months, reading }]) => {
    return [language, { day: messages.day, months, ...reading }];
  });
  return `${NOTE}/** How a language writes a day, and its other words for months and days of the week. */
export interface DateWords {
  /** With \`{d}\`, \`{month}\` and \`{y}\`. */
  readonly day: string;
  readonly months: readonly string[];
  /** In the same order: alone, and abbreviated. */
  readonly otherMonths: readonly (readonly string[])[];
  /** From Monday on, in full and abbreviated. */
  readonly weekdays: readonly (readonly string[])[];
}

export const DATE_WORDS = ${JSON.stringify(Object.fromEntries(words), null, 2)} satisfies Readonly<Record<string, DateWords>>;
`;
}
