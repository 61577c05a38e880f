import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Surface } from "./surface.ts";

/** Where the tests stand. */
export const TESTS = ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "conformance/*.test.ts"];

const REPORT = "conformance/report.json";
const CLAIMS = /from "[^"]*conformance\/proves\.ts"|from "\.\/proves\.ts"/;

/** One test that claims to prove requirements, and what a run made of it. */
export interface TestedProof {
  readonly test: string;
  readonly ids: readonly string[];
  readonly surfaces: readonly Surface[];
  readonly state: "passed" | "failed" | "skipped";
  /** Why it was skipped. */
  readonly why?: string;
}

/** The proofs of one test file, as the last run of this file left them. */
export interface TestedFile {
  /** Of what the run depends on and the file decides: see {@link digestOf}. */
  readonly digest: string;
  readonly proofs: readonly TestedProof[];
}

/** What runs of the tests made of the proofs in them, by test file. */
export type Report = Readonly<Record<string, TestedFile>>;

/** The report that is committed. */
export function readReport(root: string): Report {
  const path = join(root, REPORT);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/** Takes the place of the entries of the files that ran; files that claim nothing any longer go. */
export function mergeReport(root: string, ran: Report): Report {
  const merged = { ...readReport(root), ...ran };
  return Object.fromEntries(
    claimingFiles(root).flatMap((file) => {
      const tested = merged[file];
      return tested === undefined ? [] : [[file, tested]];
    }),
  );
}

/** One line a test, so that versions are easy to compare and to merge. */
export function writeReport(root: string, report: Report): void {
  const files = Object.entries(report).map(([file, { digest, proofs }]) => {
    const lines = proofs.map((proof) => `\n      ${JSON.stringify(proof)}`).join(",");
    return `  ${JSON.stringify(file)}: {\n    "digest": "${digest}",\n    "proofs": [${lines}\n    ]\n  }`;
  });
  writeFileSync(join(root, REPORT), `{\n${files.join(",\n")}\n}\n`);
}

/** The test files that claim proofs, in order. */
export function claimingFiles(root: string): readonly string[] {
  return globSync(TESTS, { cwd: root })
    .filter((file) => CLAIMS.test(readFileSync(join(root, file), "utf8")))
    .sort();
}

/** The SHA-256 of a test file; for one beside the cases, with every file of the cases. */
export function digestOf(root: string, file: string): string {
  const cases = file.startsWith("conformance/")
    ? globSync("conformance/cases/**", { cwd: root, withFileTypes: true })
    : [];
  const data = cases
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash("sha256").update(readFileSync(join(root, file)));
  for (const path of data.sort())
    hash.update(`\n${path.slice(root.length)}\n`).update(readFileSync(path));
  return hash.digest("hex");
}

/** What is wrong with the report; each a sentence that says what to do. */
export function reportProblems(root: string, report: Report): readonly string[] {
  const files = claimingFiles(root);
  const stale = files.filter((file) => report[file]?.digest !== digestOf(root, file));
  const gone = Object.keys(report).filter((file) => !files.includes(file));
  const failed = Object.entries(report).flatMap(([file, { proofs }]) =>
    proofs
      .filter(({ state }) => state === "failed")
      .map(({ test }) => `${file}: "${test}" failed.`),
  );
  return [
    ...stale.map(
      (file) => `${file} has changed since its proofs ran. Run \`npm run proofs ${file}\`.`,
    ),
    ...gone.map(
      (file) => `${file} is in ${REPORT} and claims no proofs. Run \`npm run conformance\`.`,
    ),
    ...failed,
  ];
}
