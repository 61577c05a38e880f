import type { Entry } from "../model.ts";
import { TextOutput } from "./output.ts";
import type { DocumentPlan } from "./plan.ts";

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** All that stands before the first entry. */
export function opening(plan: DocumentPlan): string {
  const output = new TextOutput();
  plan.begin(output);
  const comments = plan.head.comments.map((comment) => `<!--${comment}-->\n`).join("");
  return DECLARATION + comments + output.text;
}

/** One entry, indented as it stands in the document. */
export function lines(plan: DocumentPlan, entry: Entry): string {
  const output = new TextOutput("  ");
  plan.entry(entry, output);
  return output.text;
}

/** All that stands after the last entry. */
export function closing({ head }: DocumentPlan): string {
  return `</${head.root}>\n`;
}
