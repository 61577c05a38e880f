import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { markdownOf } from "../conformance/markdown.ts";
import {
  digestOf,
  mergeReport,
  type Report,
  readReport,
  reportProblems,
  type TestedProof,
  writeReport,
} from "../conformance/report.ts";
import { parseTable } from "../conformance/requirements.ts";
import type { Surface } from "../conformance/surface.ts";
import { cellOf, type Evidence, problemsOf, statusOf } from "../conformance/table.ts";

const TABLE = [
  "id\tsection\tstrength\tsides\trequirement\tplan",
  "R1\t7\tmust\tsource judge\tA list has from.\toffered",
  "R2\t7\tshould\tsource follower\tA list has until.\topen",
  "R3\t7\tmay\tsource\tA list has tags.\tdeclined: Nobody reads them.",
].join("\n");
const RULE = { id: "from", requirements: ["R1"] };
const [must, both, declined] = parseTable(TABLE);
const FILE = "test/a.test.ts";

function proof(id: string, ...surfaces: readonly Surface[]): TestedProof {
  return { test: `of ${id}`, ids: [id], surfaces, state: "passed" };
}

function evidence(proofs: readonly TestedProof[], rules = [RULE]): Evidence {
  return {
    specifications: [{ title: "A specification", requirements: parseTable(TABLE) }],
    report: { [FILE]: { digest: "", proofs } },
    rules,
  };
}

const COMMAND = proof("R1", "command");

describe("the status of a requirement", () => {
  test("needs a proof that passed where a user stands", () => {
    if (must === undefined) throw new Error("no row");
    expect(cellOf(must, "source", evidence([COMMAND])).status).toBe("works");
    expect(cellOf(must, "source", evidence([proof("R1")])).status).toBe("library");
    expect(cellOf(must, "source", evidence([])).status).toBe("missing");
    expect(cellOf(must, "source", evidence([proof("R1", "harvester")])).status).toBe("missing");
    expect(cellOf(must, "judge", evidence([])).status).toBe("library");
    const tried = evidence([proof("R1", "judge")]);
    expect(cellOf(must, "judge", tried)).toEqual({ status: "works", by: ["from"] });
    expect(cellOf(must, "judge", evidence([proof("R1", "judge")], [])).status).toBe("missing");
  });

  test("does not count a proof that did not run, and says why", () => {
    if (must === undefined) throw new Error("no row");
    const skipped: TestedProof = { ...COMMAND, surfaces: [], state: "skipped", why: "no xmllint" };
    const given = evidence([skipped]);
    expect(cellOf(must, "source", given)).toMatchObject({ status: "missing" });
    expect(markdownOf(given)).toContain("not run here: no xmllint");
    const failed: TestedProof = { ...COMMAND, state: "failed" };
    expect(cellOf(must, "source", evidence([failed])).status).toBe("missing");
  });

  test("is the least one of its sides", () => {
    if (both === undefined || declined === undefined) throw new Error("no row");
    const follower = proof("R2", "harvester");
    const source = proof("R2", "plugin");
    expect(statusOf(both, evidence([follower]))).toBe("missing");
    expect(statusOf(both, evidence([follower, source]))).toBe("works");
    expect(statusOf(declined, evidence([]))).toBe("declined");
  });
});

test("what the source declines is declined, though the judge finds breaches of it", () => {
  const line = "R4\t8\tmust\tsource judge\tLists are grouped.\tdeclined: There is one.";
  const requirements = parseTable(`${TABLE}\n${line}`);
  const [, , , grouped] = requirements;
  if (grouped === undefined) throw new Error("no row");
  const rule = { id: "grouped", requirements: ["R4"] };
  const given = { ...evidence([COMMAND, proof("R4", "judge")], [RULE, rule]) };
  const specifications = [{ title: "A specification", requirements }];
  expect(cellOf(grouped, "source", given).status).toBe("declined");
  expect(cellOf(grouped, "judge", given)).toEqual({ status: "works", by: ["grouped"] });
  expect(statusOf(grouped, given)).toBe("declined");
  expect(problemsOf({ ...given, specifications })).toEqual([]);
  const [problem, ...others] = problemsOf({ ...given, specifications, rules: [RULE] });
  expect([problem, others]).toEqual([
    "R4 is a must about documents, and no rule of the judge carries it.",
    [],
  ]);
});

describe("the build fails on", () => {
  test("nothing, where every must that is offered has a proof and a rule", () => {
    expect(problemsOf(evidence([COMMAND]))).toEqual([]);
  });

  test.each<[string, Evidence, RegExp]>([
    ["an unknown id", evidence([COMMAND, proof("R9")]), /a\.test\.ts names R9, which is no/],
    ["a proof of what is declined", evidence([COMMAND, proof("R3")]), /R3.*declined/],
    ["a must that is offered without a proof", evidence([]), /R1 is a must .* no test/],
    ["a must about documents without a rule", evidence([COMMAND], []), /R1 .* no rule/],
  ])("%s", (_, given, problem) => {
    expect(problemsOf(given).join("\n")).toMatch(problem);
  });

  test.each([
    ["a declined row without a reason", "R3\t7\tmay\tsource\tA list has tags.\tdeclined: "],
    ["an unknown side", "R3\t7\tmay\tnobody\tA list has tags.\topen"],
    ["an unknown strength", "R3\t7\tmight\tsource\tA list has tags.\topen"],
  ])("%s", (_, row) => {
    expect(() => parseTable(`head\n${row}`)).toThrow(/R3/);
  });
});

describe("the report of the proofs", () => {
  const claim = (words: string) =>
    `import { proves } from "../conformance/${"proves"}.ts";${words}`;
  const ran = (root: string, ...files: readonly string[]): Report =>
    Object.fromEntries(
      files.map((file) => [file, { digest: digestOf(root, file), proofs: [COMMAND] }]),
    );

  function project(): string {
    const root = mkdtempSync(join(tmpdir(), "rs-emit-proofs-"));
    for (const folder of ["test", "conformance/cases/a"])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, FILE), claim("// 1"));
    writeFileSync(join(root, "test/b.test.ts"), "// claims nothing");
    writeFileSync(join(root, "conformance/cases.test.ts"), claim("// 2"));
    writeFileSync(join(root, "conformance/cases/a/case.json"), "{}");
    writeReport(root, mergeReport(root, ran(root, FILE, "conformance/cases.test.ts")));
    return root;
  }

  test("is fresh as long as the files that claim proofs stay as they ran", () => {
    const root = project();
    expect(reportProblems(root, readReport(root))).toEqual([]);
    writeFileSync(join(root, "test/b.test.ts"), "// still nothing");
    expect(reportProblems(root, readReport(root))).toEqual([]);
    writeFileSync(join(root, FILE), claim("// 3"));
    writeFileSync(join(root, "conformance/cases/a/case.json"), "[]");
    expect(reportProblems(root, readReport(root))).toEqual([
      "conformance/cases.test.ts has changed since its proofs ran. Run `npm run proofs conformance/cases.test.ts`.",
      "test/a.test.ts has changed since its proofs ran. Run `npm run proofs test/a.test.ts`.",
    ]);
    writeReport(root, mergeReport(root, ran(root, FILE)));
    expect(reportProblems(root, readReport(root))).toHaveLength(1);
  });

  test("forgets a file that claims nothing any longer, and fails where a proof failed", () => {
    const root = project();
    writeFileSync(join(root, FILE), "// nothing");
    expect(reportProblems(root, readReport(root)).join()).toMatch(
      /a\.test\.ts .*npm run conformance/,
    );
    expect(Object.keys(mergeReport(root, {}))).toEqual(["conformance/cases.test.ts"]);
    const failed: Report = {
      "conformance/cases.test.ts": {
        digest: digestOf(root, "conformance/cases.test.ts"),
        proofs: [{ ...COMMAND, state: "failed" }],
      },
    };
    expect(reportProblems(root, failed)).toEqual(['conformance/cases.test.ts: "of R1" failed.']);
  });
});
