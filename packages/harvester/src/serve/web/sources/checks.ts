import { lineOf } from "@rs-emit/feeds";
import { html } from "hono/html";
import type { NotedCheck } from "../../../store/source-check.ts";
import type { View } from "../environment.ts";
import type { Html } from "../look/layout.ts";
import { counted, timeElement } from "../look/words.ts";

/** Characters of what went wrong; all of it stands above where it was the last check. */
const PROBLEM = 200;

/**
 * The last checks that told something, failed or found something changed, and how many with nothing new lay
 * between them.
 *
 * @param quiet checks with nothing new since the last of them
 */
export function checkTable({ now }: View, checks: readonly NotedCheck[], quiet: number): Html {
  if (checks.length === 0) return html``;
  return html`<details class="checks">
<summary>Last checks</summary>
<div class="table" role="region" aria-label="Last checks" tabindex="0"><table>
<thead><tr><th scope="col">When</th><th scope="col">What came of it</th></tr></thead>
<tbody>
${quietRow(quiet)}${checks.map(
  (check) => html`<tr><td>${timeElement(check.time, now)}</td><td>${resultOf(check)}</td></tr>
${quietRow(check.quiet)}`,
)}</tbody>
</table></div>
</details>`;
}

function quietRow(count: number): Html {
  if (count === 0) return html``;
  return html`<tr class="quiet"><td></td><td>${counted(count, "check")} with nothing new</td></tr>
`;
}

function resultOf({ told, problem }: NotedCheck): Html {
  const news = told === 0 ? "" : counted(told, "new change");
  if (problem === null) return html`${news || "Documents differ, but no change is new"}`;
  const failure = html`<span class="failed">Failed:</span> <span dir="auto">${lineOf(problem, PROBLEM)}</span>`;
  return news === "" ? failure : html`${news}. ${failure}`;
}
