import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RULES } from "../packages/documents/src/rules/index.ts";
import { markdownOf, quoteOf } from "./markdown.ts";
import { readProofs } from "./proofs.ts";
import { readSpecifications } from "./requirements.ts";
import { type Evidence, problemsOf } from "./table.ts";

/** Writes `docs/conformance.md` and the README's counts; with `--check`, says whether they are fresh. */

const ROOT = join(import.meta.dirname, "..");
const COUNTS = /(?<=<!-- conformance -->\n)[\s\S]*?(?=<!-- \/conformance -->)/;

const evidence: Evidence = {
  specifications: readSpecifications(),
  proofs: readProofs(ROOT),
  rules: RULES,
};
const problems = [...problemsOf(evidence)];
bring("docs/conformance.md", () => markdownOf(evidence));
bring("README.md", (readme) => readme.replace(COUNTS, `${quoteOf(evidence)}\n`));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

/** Writes a file whose content follows from the evidence, or finds it stale. */
function bring(path: string, contentOf: (before: string) => string): void {
  const file = join(ROOT, path);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const after = contentOf(before);
  if (after === before) return;
  if (process.argv.includes("--check"))
    problems.push(`${path} is stale. Run \`npm run conformance\`.`);
  else writeFileSync(file, after);
}
