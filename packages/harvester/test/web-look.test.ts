import { describe, expect, test } from "vitest";
import { relativeTime } from "../src/serve/web/look/layout.ts";
import { STYLESHEET, STYLESHEET_NAME } from "../src/serve/web/look/stylesheet.ts";
import { adviceOn } from "../src/serve/web/sources/health.ts";

const DAY = 86_400;

test.each([
  [0, "just now"],
  [-59, "just now"],
  [1, "in a moment"],
  [-60, "1 minute ago"],
  [60 * 5 + 59, "in 5 minutes"],
  [-3600, "1 hour ago"],
  [22.9 * 3600, "in 22 hours"],
  [-DAY, "1 day ago"],
  [7 * DAY, "in 7 days"],
  [-8 * DAY, "on 23 September 2026"],
])("%i seconds from now are %s", (seconds, words) => {
  const now = Date.UTC(2026, 9, 1) / 1000;
  expect(relativeTime(now + seconds, now)).toBe(words);
});

test("there is advice on every problem, known or not", () => {
  for (const code of ["NO_SOURCE", "UNREACHABLE", "FORBIDDEN", "GONE", "SOMETHING_NEW"]) {
    expect(adviceOn(code)).toMatch(/\.$/);
  }
});

test("the stylesheet's name tells what it says, and it asks for nothing from elsewhere", () => {
  expect(STYLESHEET_NAME).toMatch(/^style-[0-9a-f]{12}\.css$/);
  expect(STYLESHEET).not.toMatch(/@import|url\(|https?:/);
});

describe("colours can be told apart (WCAG 2.2, 1.4.3 and 1.4.11)", () => {
  const [day = "", night = ""] = STYLESHEET.match(/:root \{[^}]*\}/g) ?? [];
  const pairs = [
    ["ink", "paper", 4.5],
    ["ink", "leaf", 4.5],
    ["ink", "note-leaf", 4.5],
    ["ink", "bad-leaf", 4.5],
    ["faint", "paper", 4.5],
    ["faint", "leaf", 4.5],
    ["link", "paper", 4.5],
    ["link", "leaf", 4.5],
    ["paper", "bad", 4.5],
    ["good", "paper", 4.5],
    ["edge", "paper", 3],
    ["edge", "leaf", 3],
  ] as const;
  describe.each([
    ["day", day],
    ["night", night],
  ])("by %s", (_, rules) => {
    test.each(pairs)("%s on %s: %d", (text, ground, least) => {
      expect(contrast(colour(rules, text), colour(rules, ground))).toBeGreaterThanOrEqual(least);
    });
  });
});

function colour(rules: string, name: string): string {
  const [, hex = ""] = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(rules) ?? [];
  expect(hex).toHaveLength(6);
  return hex;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [...Buffer.from(hex, "hex")].map((byte) => {
    const value = byte / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
