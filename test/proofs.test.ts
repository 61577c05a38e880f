import { describe, expect, test } from "vitest";
import { type Proof, proofsIn } from "../conformance/proofs.ts";
import { parseTable } from "../conformance/requirements.ts";
import { cellOf, type Evidence, problemsOf, statusOf } from "../conformance/table.ts";

const TABLE = [
  "id\tsection\tstrength\tsides\trequirement\tplan",
  "R1\t7\tmust\tsource judge\tA list has from.\toffered",
  "R2\t7\tshould\tsource follower\tA list has until.\topen",
  "R3\t7\tmay\tsource\tA list has tags.\tdeclined: Nobody reads them.",
].join("\n");
/** Written so, it is no claim of this file. */
const CALL = "proves";
const RULE = { id: "from", requirements: ["R1"] };
const [must, both, declined] = parseTable(TABLE);

function evidence(proofs: readonly Proof[], rules = [RULE]): Evidence {
  return {
    specifications: [{ title: "A specification", requirements: parseTable(TABLE) }],
    proofs,
    rules,
  };
}

function proof(id: string, file: string): Proof {
  return (
    proofsIn(file, `test("…", ${CALL}("${id}"), () => {});`)[0] ?? { id, file, surface: "core" }
  );
}

const COMMAND = proof("R1", "packages/cli/test/a.test.ts");

describe("a proof", () => {
  test.each([
    ["packages/documents/test/a.test.ts", "library"],
    ["packages/core/test/a.test.ts", "core"],
    ["packages/cli/test/a.test.ts", "command"],
    ["packages/astro/test/a.test.ts", "plugin"],
    ["packages/harvester/test/a.test.ts", "harvester"],
    ["packages/harvester/test/sync-a.test.ts", "copies"],
  ])("in %s is on the surface %s", (file, surface) => {
    expect(proof("R1", file)).toEqual({ id: "R1", file, surface });
  });

  test("names several requirements with literals", () => {
    const source = `test("a", ${CALL}(\n  "R1",\n  "R2",\n), () => {});`;
    expect(proofsIn("test/a.test.ts", source).map(({ id }) => id)).toEqual(["R1", "R2"]);
    expect(() => proofsIn("test/a.test.ts", `${CALL}(id)`)).toThrow(/with literals/);
    expect(() => proofsIn("test/a.test.ts", `${CALL}()`)).toThrow(/with literals/);
  });
});

describe("the status of a requirement", () => {
  test("needs a proof where a user stands", () => {
    if (must === undefined) throw new Error("no row");
    const library = proof("R1", "packages/core/test/a.test.ts");
    expect(cellOf(must, "source", evidence([COMMAND])).status).toBe("works");
    expect(cellOf(must, "source", evidence([library])).status).toBe("library");
    expect(cellOf(must, "source", evidence([])).status).toBe("missing");
    expect(cellOf(must, "judge", evidence([]))).toEqual({ status: "works", by: ["from"] });
  });

  test("is the least one of its sides", () => {
    if (both === undefined || declined === undefined) throw new Error("no row");
    const follower = proof("R2", "packages/harvester/test/a.test.ts");
    const source = proof("R2", "packages/eleventy/test/a.test.ts");
    expect(statusOf(both, evidence([follower]))).toBe("missing");
    expect(statusOf(both, evidence([follower, source]))).toBe("works");
    expect(statusOf(declined, evidence([]))).toBe("declined");
  });
});

describe("the build fails on", () => {
  test("nothing, where every must that is offered has a proof and a rule", () => {
    expect(problemsOf(evidence([COMMAND]))).toEqual([]);
  });

  test.each<[string, Evidence, RegExp]>([
    ["an unknown id", evidence([COMMAND, proof("R9", "test/a.test.ts")]), /R9, which is no/],
    ["a proof of what is declined", evidence([COMMAND, { ...COMMAND, id: "R3" }]), /R3.*declined/],
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
