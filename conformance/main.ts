import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RULES } from "../packages/check/src/rules/index.ts";
import { markdownOf, quoteOf } from "./markdown.ts";
import { mergeReport, readReport, reportProblems, writeReport } from "./report.ts";
import { readSpecifications } from "./requirements.ts";
import { type Evidence, problemsOf } from "./table.ts";

/**
 * Writes `docs/conformance.md`, and the counts in the README and in `docs/proof.md`, from the report
 * of the tests; with `--check`, says whether all of them are fresh.
 */

const ROOT = join(import.meta.dirname, "..");
const COUNTS = /(?<=<!-- conformance -->\n)[\s\S]*?(?=<!-- \/conformance -->)/;
const isChecking = process.argv.includes("--check");

if (!isChecking) writeReport(ROOT, mergeReport(ROOT, {}));
const report = readReport(ROOT);
const evidence: Evidence = { specifications: readSpecifications(), report, rules: RULES };
const problems = [...reportProblems(ROOT, report), ...problemsOf(evidence)];
bring("docs/conformance.md", () => markdownOf(evidence));
for (const page of ["README.md", "docs/proof.md"]) {
  bring(page, (text) => text.replace(COUNTS, `${quoteOf(evidence)}\n`));
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

/** Writes a file whose content follows from the evidence, or finds it stale. */
function bring(path: string, contentOf: (before: string) => string): void {
  const file = join(ROOT, path);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const after = contentOf(before);
  if (after === before) return;
  if (isChecking) problems.push(`${path} is stale. Run \`npm run conformance\`.`);
  else writeFileSync(file, after);
}
