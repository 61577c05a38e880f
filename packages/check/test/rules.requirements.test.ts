import { expect, test } from "vitest";
import { readSpecifications } from "../../../conformance/requirements.ts";
import { type Finding, judgeDocument, judgeDocuments, RULES } from "../src/rules/index.ts";
import { MUTATIONS, SET_MUTATIONS } from "./rules.mutations.ts";
import { site, WELL_FORMED } from "./rules.site.ts";

const OF_RULE = new Map(RULES.map(({ id, requirements }) => [id, requirements]));

/** The requirements that findings say are broken. */
function broken(findings: readonly Finding[]): readonly string[] {
  return findings.flatMap(({ rule }) => OF_RULE.get(rule) ?? []);
}

for (const [id, kind, edit, elsewhere] of MUTATIONS) {
  test(`${id} is broken by a ${kind}: the judge finds it`, () => {
    const { document, url } = WELL_FORMED[kind];
    expect(broken(judgeDocument(document, { url }))).toEqual([]);
    expect(broken(judgeDocument(edit(document), { url: elsewhere ?? url }))).toContain(id);
  });
}

for (const [id, url, edit] of SET_MUTATIONS) {
  test(`${id} is broken by documents together: the judge finds it`, () => {
    const documents = site();
    const document = documents.get(url);
    if (document === undefined) throw new Error(`${url} is not in the site`);
    documents.set(url, edit(document));
    expect(broken(judgeDocuments(documents))).toContain(id);
  });
}

test("each must about documents has a mutation", () => {
  const tried = new Set([...MUTATIONS, ...SET_MUTATIONS].map(([id]) => id));
  const musts = readSpecifications()
    .flatMap(({ requirements }) => requirements)
    .filter(({ strength, sides }) => strength === "must" && sides.includes("judge"))
    .filter(({ plan }) => plan !== "declined");
  expect(musts.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
});
