/** Writes docs/rules.md from the rules themselves: `node scripts/rules.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOST_RULES, RULES } from "@rs-emit/check";

const FILE = join(import.meta.dirname, "../docs/rules.md");

/** The page that says what each rule asks and why. */
export function rulesPage(): string {
  const host = Object.entries(HOST_RULES).map(([id, { level, what, why, cure, live }]) =>
    section(id, `${level}${live ? ", live sites only" : ""}`, [
      what,
      `Why it matters: ${why}`,
      `What to do: ${cure}`,
    ]),
  );
  const documents = RULES.map(({ id, severity, source, why, cure }) =>
    section(id, severity === "must" ? "error" : "warning", [
      `Why it matters: ${why}`,
      `What to do: ${cure}`,
      `Asked for by: ${source}.`,
    ]),
  );
  return `${[
    "# Rules of `check`",
    "<!-- Written by scripts/rules.ts from the rules. Change those, then run it again. -->",
    "`rs-emit check` and `rs-harvest check` judge by these rules. An error breaks what must hold, a warning " +
      "what should hold; with `--strict` warnings count as errors. A note is for information.",
    "## The host, the pages and the folder",
    ...host,
    "## Documents",
    "Each finding says what is wrong at its line.",
    ...documents,
  ].join("\n\n")}\n`;
}

function section(id: string, level: string, sentences: readonly string[]): string {
  return `### ${id}\n\n_${level}_\n\n${sentences.join("\n\n")}`;
}

if (import.meta.main) writeFileSync(FILE, rulesPage());
