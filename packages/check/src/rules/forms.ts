import type { PassedOver } from "@rs-emit/documents";
import { brief, type Rule, section } from "./rule.ts";

const SCHEMA = "Sitemap protocol (schema)";

/** Parts that have no meaning at their place: programs ignore them silently. */
export const FORM_RULES: readonly Rule[] = [
  {
    id: "element-known",
    why: "Programs pass over what they do not know: an entry, a time or a link is lost without a word.",
    cure: "Correct its name (small letters: url, loc, lastmod, rs:md, rs:ln) and its place, or leave it out.",
    must: `${section("7")}, Table 2`,
    ...onPassedOver("element", (name) => `There is no element ${name} here.`),
  },
  {
    id: "element-once",
    why: "Programs take one of the two, and what the other says is lost.",
    cure: "Write all attributes on one.",
    requirements: ["P5"],
    must: `${section("7")}, Table 2; ${SCHEMA}`,
    ...onPassedOver("repeated", (name) => `There is a second ${name}.`),
  },
  {
    id: "element-order",
    why: "Strict readers refuse the document. Programs that read as they go do not know yet what it says.",
    cure: "Put rs:md and rs:ln before the entries; in an entry first loc, then lastmod, then rs:md and rs:ln.",
    should: SCHEMA,
    ...onPassedOver("order", (name) => `The ${name} comes too late.`),
  },
  {
    id: "element-bare",
    why: "Programs pass over what the attribute says, and strict readers refuse the document.",
    cure: "Leave it out. What it says stands on rs:md or rs:ln.",
    requirements: ["P4"],
    must: `${section("8")} to 13.2 (an entry has no attributes); ${SCHEMA}`,
    ...onPassedOver("bare", (name) => `The element has no attributes, so no ${name}.`),
  },
  {
    id: "attribute-known",
    why: "Programs pass over what they do not know, so what it says is lost.",
    cure: "Correct its name, or write it with the prefix of a namespace of your own.",
    requirements: ["R35"],
    must: section("7"),
    ...onPassedOver("attribute", (name) => `ResourceSync has no attribute ${name} here.`),
  },
  {
    id: "text-place",
    why: "Programs pass over it, and strict readers refuse the document.",
    cure: "Put it into an element such as loc, or leave it out.",
    must: SCHEMA,
    ...onPassedOver("text", (name) => `There is text between elements: "${name}".`),
  },
];

function onPassedOver(
  form: PassedOver["form"],
  message: (name: string) => string,
): Pick<Rule, "head"> {
  return {
    head({ head }, report) {
      for (const passed of head.passedOver ?? []) {
        if (passed.form === form) report(passed.where, message(brief(passed.name)));
      }
    },
  };
}
