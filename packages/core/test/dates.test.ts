import { DATE_WORDS } from "@rs-emit/feeds";
import { describe, expect, test } from "vitest";
import { besideDate, isNear } from "../src/page/texts/dates.ts";
import { withoutDate } from "../src/page/texts/dull.ts";

const NOON = Date.UTC(2026, 9, 2, 12) / 1000;
const WEEK = 7 * 86_400;

describe("a date beside a text", () => {
  test.each([
    ["2026-10-02 a fern", "a fern"],
    ["[2026/10/2] a fern", "a fern"],
    ["02.10.2026: a fern", "a fern"],
    ["2.10.: a fern", "a fern"],
    ["10/2/26 - a fern", "a fern"],
    ["10/2: a fern", "a fern"],
    ["2 October: a fern", "a fern"],
    ["Fri, October 2nd, 2026 – a fern", "a fern"],
    ["a fern (Oct. 2, 2026)", "a fern"],
    ["a fern – Friday, 2 October 2026, 11:02 PM EDT", "a fern"],
    ["Freitag, 2. Oktober 2026, 19:53 Uhr: ein Farn", "ein Farn"],
    ["vendredi 2 octobre 2026 : une fougère", "une fougère"],
    ["2 de octubre de 2026: un helecho", "un helecho"],
    ["2 de outubro de 2026 - um feto", "um feto"],
    ["2 ottobre 2026, una felce", "una felce"],
    ["vrijdag 2 oktober 2026: een varen", "een varen"],
    ["2 października 2026 r. paproć", "paproć"],
    ["2 октября 2026 г. папоротник", "папоротник"],
    ["2026年10月2日(金) シダ", "シダ"],
    ["10月2日 - シダ", "シダ"],
    ["2026年10月2日 星期五 蕨", "蕨"],
    ["2026년 10월 2일 고사리", "고사리"],
    ["2026. 10. 2. 고사리", "고사리"],
    ["02/10/2026fixed the fern", "fixed the fern"],
    ["October 2, 2026Who is the fern for?", "Who is the fern for?"],
    ["Who is the fern for?2026-10-02", "Who is the fern for?"],
    ["#26/10/02_4 Q シダ", "Q シダ"],
    ["a fern 2 October 2026 → ←", "a fern"],
  ])("%s", (text, rest) => {
    expect(withoutDate(text)).toBe(rest);
    const { date = "" } = besideDate(text);
    for (const time of [NOON - WEEK, NOON + WEEK]) expect(isNear(date, time)).toBe(true);
    expect(isNear(date, NOON - 90 * 86_400)).toBe(false);
  });

  test.each(Object.entries(DATE_WORDS))("of each month, as %s writes it", (_, { day, months }) => {
    for (const [at, month] of months.entries()) {
      const date = day.replace("{d}", "7").replace("{month}", month).replace("{y}", "2026");
      expect(withoutDate(`${date}: moss`)).toBe("moss");
      expect(isNear(besideDate(`${date}: moss`).date ?? "", Date.UTC(2026, at, 8) / 1000)).toBe(
        true,
      );
    }
  });

  test.each([
    "1/2 cup of ferns",
    "7 ferns at the wall",
    "March of the ferns",
    "Mars 10km run",
    "35.10.2026 ferns",
    "version 1.4.2 of the fern",
    "2 October",
  ])("but not %s", (text) => {
    expect(withoutDate(text)).toBe(text);
  });

  test.each(["May 2026", "2026", "2 October 2025", "20 October", "2 or 3 ferns"])(
    "%s is not near",
    (text) => {
      expect(isNear(text, NOON)).toBe(false);
    },
  );
});
