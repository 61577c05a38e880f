import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HOST_RULES, RULES } from "@rs-emit/check";
import { expect, test } from "vitest";
import { rulesPage } from "../scripts/rules.ts";

test("docs/rules.md is what the rules say: node scripts/rules.ts writes it", () => {
  const page = readFileSync(join(import.meta.dirname, "../docs/rules.md"), "utf8");
  expect(page).toBe(rulesPage());
});

test("every rule has a name of its own, and says why it matters and what to do", () => {
  const ids = [...Object.keys(HOST_RULES), ...RULES.map(({ id }) => id)];
  expect(new Set(ids).size).toBe(ids.length);
  for (const { why, cure } of RULES) for (const words of [why, cure]) expect(words).toMatch(/\.$/);
});
