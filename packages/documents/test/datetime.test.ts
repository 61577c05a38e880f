import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDatetime, parseDatetime } from "../src/index.ts";

describe("a W3C datetime", () => {
  test.each([
    ["2026", "2026-01-01T00:00:00Z", "year"],
    ["2026-10", "2026-10-01T00:00:00Z", "month"],
    ["2026-10-21", "2026-10-21T00:00:00Z", "day"],
    ["2026-10-21T07:28Z", "2026-10-21T07:28:00Z", "minute"],
    ["2026-10-21T07:28:33Z", "2026-10-21T07:28:33Z", "second"],
    ["2026-10-21T07:28:33.5Z", "2026-10-21T07:28:33.500Z", "fraction"],
    ["2026-10-21T07:28:33+09:00", "2026-10-20T22:28:33Z", "second"],
    ["2026-10-21T07:28-03:30", "2026-10-21T10:58:00Z", "minute"],
    ["2024-02-29", "2024-02-29T00:00:00Z", "day"],
    ["0050-01-01", "0050-01-01T00:00:00Z", "day"],
    [" 2026-10-21\n", "2026-10-21T00:00:00Z", "day"],
  ])("%j is the instant %s, told to the %s", (text, instant, precision) => {
    expect(parseDatetime(text)).toEqual({ seconds: Date.parse(instant) / 1000, precision });
  });

  test.each([
    ["", "nothing"],
    ["yesterday", "a word"],
    ["20261021", "the basic format"],
    ["2026-13", "a thirteenth month"],
    ["2026-00-01", "a month before the first"],
    ["2026-02-29", "a leap day in a common year"],
    ["2100-02-29", "a leap day in a century that has none"],
    ["2026-04-31", "a 31st of April"],
    ["2026-10-21T24:00:00Z", "a 25th hour"],
    ["2026-10-21T07:60Z", "a 61st minute"],
    ["2026-10-21T07:28:60Z", "a leap second"],
    ["2026-10-21T07:28:33", "a time without zone"],
    ["2026-10-21T07Z", "an hour without minutes"],
    ["2026-10-21T07:28:33.Z", "a fraction without digits"],
    ["2026-10-21 07:28:33Z", "a blank for the T"],
  ])("%j is none: it is %s", (text) => {
    expect(() => parseDatetime(text)).toThrow(expect.objectContaining({ code: "DATETIME" }));
  });

  test("keeps its second through formatting and parsing", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (seconds) => {
        const text = formatDatetime(seconds);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(parseDatetime(text)).toEqual({ seconds, precision: "second" });
      }),
    );
  });

  test("has its fraction cut off by formatting", () => {
    expect(formatDatetime(1.999)).toBe("1970-01-01T00:00:01Z");
    expect(formatDatetime(-0.5)).toBe("1969-12-31T23:59:59Z");
  });
});
