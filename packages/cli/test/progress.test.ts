import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { RunProgress } from "../dist/progress.js";
import { Terminal } from "./support/terminal.ts";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("a long run shows how far it is, and leaves a clear line", async () => {
  const { stderr } = new Terminal();
  const display = new RunProgress(stderr);
  await pause(600);
  display.update({ step: "inventory", done: 20, total: 80 });
  await pause(300);
  display.update({ step: "publish", done: 1, total: 2 });
  await pause(300);
  await display.stop();
  const shown = String(stderr.read());
  const text = stripVTControlCharacters(shown);
  expect(text).toContain("Reading the last publication …");
  expect(text).toContain(`Reading pages     ${"█".repeat(6)}${"░".repeat(18)} 20 of 80`);
  expect(text).toContain(`Writing documents ${"█".repeat(12)}${"░".repeat(12)} 1 of 2`);
  expect(shown.endsWith("\u001b[1G\u001b[2K")).toBe(true);
});

test("a short run shows nothing", async () => {
  const { stderr } = new Terminal();
  const display = new RunProgress(stderr);
  display.update({ step: "inventory", done: 20, total: 80 });
  await display.stop();
  await pause(500);
  expect(stderr.read()).toBe(null);
});

test("a backfill shows which commit it takes, and the time that is left", async () => {
  const { stderr } = new Terminal(120);
  const display = new RunProgress(stderr);
  const time = Date.parse("2024-03-09T12:00:00Z") / 1000;
  display.update({ step: "commits", done: 10, total: 40, about: { time, subject: "Add moss" } });
  await pause(600);
  display.update({ step: "commits", done: 20, total: 40, about: { time, subject: "Edit moss" } });
  await pause(300);
  await display.stop();
  const text = stripVTControlCharacters(String(stderr.read()));
  expect(text).toContain(" 10 of 40, 9 March 2024 Add moss");
  expect(text).toMatch(/ 20 of 40, [12] s left, 9 March 2024 Edit moss/);
});
