import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse, type Token } from "@messageformat/parser";
import { describe, expect, test } from "vitest";
import { dateOf, dayOf } from "../src/feed-dates.ts";
import { languageOfWords, loadCatalogues } from "../src/message-catalogues.ts";

const FOLDER = join(import.meta.dirname, "../messages");
const LANGUAGES = ["de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "zh"];

/** The messages of a catalogue by their path: `count.new`. */
function messagesIn(language: string): ReadonlyMap<string, string> {
  const { messages } = JSON.parse(readFileSync(join(FOLDER, `${language}.json`), "utf8"));
  const found = new Map<string, string>();
  for (const [key, message] of Object.entries<string | Record<string, string>>(messages)) {
    if (typeof message === "string") found.set(key, message);
    else for (const [name, one] of Object.entries(message)) found.set(`${key}.${name}`, one);
  }
  return found;
}

function pluralsIn(tokens: readonly Token[]): readonly (readonly string[])[] {
  return tokens.flatMap((token) => {
    if (token.type !== "plural") return [];
    const keys = token.cases.map(({ key }) => key).filter((key) => !key.startsWith("="));
    return [keys, ...token.cases.flatMap((one) => pluralsIn(one.tokens))];
  });
}

function argumentsIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) => {
    if (token.type === "argument") return [token.arg];
    if (token.type !== "plural") return [];
    return [token.arg, ...token.cases.flatMap((one) => argumentsIn(one.tokens))];
  });
}

const ENGLISH_MESSAGES = messagesIn("en");
const NUMBERS = [...Array(250).keys(), 1000, 1001, 1002, 1111, 10_000, 1_000_000, 2_000_000];

test("there are catalogues of twelve languages", () => {
  expect(readdirSync(FOLDER).map((file) => basename(file, ".json"))).toEqual(LANGUAGES);
});

describe.each(LANGUAGES)("the catalogue %s", (language) => {
  const messages = messagesIn(language);

  test("has each message, and no other", () => {
    expect([...messages.keys()].sort()).toEqual([...ENGLISH_MESSAGES.keys()].sort());
    for (const message of messages.values()) expect(message.trim()).not.toBe("");
  });

  test("has each plural category of its language in each plural", () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, message] of messages) {
      for (const keys of pluralsIn(parse(message))) {
        expect([key, ...keys.toSorted()]).toEqual([key, ...pluralCategories.toSorted()]);
      }
    }
  });

  test("uses the values of English; a label may also use the number of pages", () => {
    for (const [key, message] of messages) {
      const given = argumentsIn(parse(ENGLISH_MESSAGES.get(key) ?? ""));
      const known = [...given, ...(key.startsWith("label.") ? ["count"] : [])];
      const used = argumentsIn(parse(message));
      if (key === "day" || key === "date") continue;
      expect(known).toEqual(expect.arrayContaining([...used]));
      expect(used).toEqual(expect.arrayContaining(given.filter((name) => name !== "count")));
    }
  });

  test("puts a list before what counts the rest of it", () => {
    expect(messages.get("more")).toMatch(/^{names}/);
  });

  test("chooses the plurals of CLDR", async () => {
    const words = (await loadCatalogues([language]))(language);
    const rules = new Intl.PluralRules(language);
    const plural = parse(messages.get("count.deleted") ?? "").find(({ type }) => type === "plural");
    if (plural?.type !== "plural") throw new Error("It has no plural.");
    for (const count of NUMBERS) {
      const wanted = plural.cases.find(({ key }) => key === rules.select(count));
      const text = (wanted?.tokens ?? [])
        .map((token) => (token.type === "content" ? token.value : String(count)))
        .join("");
      const told = words.count.deleted({ count }).replace(/(?<=\d)[,.\u00a0\u202f](?=\d)/g, "");
      expect(told).toContain(text);
    }
  });
});

const DAY = Date.UTC(2026, 9, 5) / 1000;

test.each([
  ["en", "5 October 2026", "2026-10-05", "“Moss”", "1,204 pages are gone"],
  ["de-AT", "5. Oktober 2026", "05.10.26", "„Moss“", "1.204 Seiten entfernt"],
  ["fr", "5 octobre 2026", "05/10/2026", "«\u00a0Moss\u00a0»", "1\u202f204 pages supprimées"],
  ["es", "5 de octubre de 2026", "5/10/26", "«Moss»", "1204 páginas eliminadas"],
  ["pt-BR", "5 de outubro de 2026", "05/10/2026", "“Moss”", "1.204 páginas removidas"],
  ["it", "5 ottobre 2026", "05/10/26", "«Moss»", "1204 pagine rimosse"],
  ["nl", "5 oktober 2026", "05-10-2026", "‘Moss’", "1.204 pagina’s verdwenen"],
  ["pl", "5 października 2026", "5.10.2026", "„Moss”", "1204 usunięte strony"],
  ["RU", "5 октября 2026 г.", "05.10.2026", "«Moss»", "1\u00a0204 страницы удалены"],
  ["ja", "2026年10月5日", "2026/10/05", "「Moss」", "削除1,204ページ"],
  ["zh-Hans", "2026年10月5日", "2026/10/5", "“Moss”", "删除 1,204 个页面"],
  ["ko", "2026년 10월 5일", "26. 10. 5.", "“Moss”", "삭제 1,204개"],
  // Without a catalogue: English.
  ["fi", "5 October 2026", "2026-10-05", "“Moss”", "1,204 pages are gone"],
  ["zh-TW", "5 October 2026", "2026-10-05", "“Moss”", "1,204 pages are gone"],
  ["constructor", "5 October 2026", "2026-10-05", "“Moss”", "1,204 pages are gone"],
  [undefined, "5 October 2026", "2026-10-05", "“Moss”", "1,204 pages are gone"],
])("%s writes days, quotes and numbers its way", async (language, day, date, quote, count) => {
  const words = (await loadCatalogues([language]))(language);
  expect(dayOf(DAY, words)).toBe(day);
  expect(dateOf(DAY, words)).toBe(date);
  expect(words.quote({ text: "Moss" })).toBe(quote);
  expect(words.count.deleted({ count: 1204 })).toBe(count);
});

test("words have the site's tag where they are of its language, else their own", async () => {
  const catalogueOf = await loadCatalogues(["pt-BR", "fi", undefined]);
  const of = (tag: string | undefined) => languageOfWords(tag, catalogueOf(tag));
  expect([of("pt-BR"), of("fi"), of("en-GB"), of(undefined)]).toEqual([
    "pt-BR",
    "en",
    "en-GB",
    "en",
  ]);
});
