import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const DEMO = resolve(import.meta.dirname, "../../../scripts/demo.ts");

test("the demo plays four publications, and a run that finds nothing", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [DEMO], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const headlines = stdout.match(/^(?:First|\d+ changes|Nothing changed).*$/gm);
  expect(headlines).toEqual([
    "First publication: https://handmade.example/ has a change log.",
    "2 changes, published 5 October 2026, 18:30 UTC.",
    "5 changes, 4 of them minor, published 19 October 2026, 07:45 UTC.",
    "7 changes, 2 of them minor, published 8 November 2026, 10:15 UTC.",
    "Nothing changed since 8 November 2026, 10:15 UTC.",
  ]);
});
