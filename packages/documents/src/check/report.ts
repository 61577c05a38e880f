import type { CheckResult } from "./check.ts";
import { type CheckFinding, LEVELS } from "./findings.ts";
import type { Level } from "./host-rules.ts";

/** Ways to write what a check found. */
export const REPORT_FORMATS = ["text", "json", "github"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** How text may differ from its surroundings, such as on a terminal. */
export type Paint = (style: "bold" | "dim" | "red" | "yellow" | "cyan", text: string) => string;

const STYLES = { error: "red", warning: "yellow", note: "cyan" } as const;
const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;

/**
 * The exit status of a check.
 *
 * @param strict whether warnings count as errors
 */
export function exitStatusOf({ findings }: CheckResult, strict: boolean): 0 | 1 {
  return findings.some(({ level }) => level === "error" || (strict && level === "warning")) ? 1 : 0;
}

/** What a check found, as text. */
export function writeReport(result: CheckResult, format: ReportFormat, paint: Paint): string {
  if (format === "json") return `${JSON.stringify(result, null, 2)}\n`;
  if (format === "github")
    return result.findings.map((one) => `${workflowCommand(one)}\n`).join("");
  return textOf(result, paint);
}

function textOf(result: CheckResult, paint: Paint): string {
  const groups = new Map<string, CheckFinding[]>();
  for (const finding of result.findings) {
    const name = finding.file ?? finding.document;
    groups.set(name, [...(groups.get(name) ?? []), finding]);
  }
  const blocks = [...groups].map(
    ([name, findings]) =>
      `${paint("bold", name)}\n${findings.map((one) => paragraph(one, paint)).join("\n")}\n`,
  );
  return [...blocks, `${summary(result)}\n`].join("\n");
}

function paragraph(finding: CheckFinding, paint: Paint): string {
  const { level, rule, line, where, what, why, cure } = finding;
  const place = [line === undefined ? [] : [`line ${line}`], where === undefined ? [] : [where]];
  const at = place.flat().join(", ");
  const head = `  ${paint(STYLES[level], level)} ${paint("dim", rule)}${at === "" ? "" : ` ${at}`}`;
  const lines = [`    ${oneLine(what)}`];
  if (why !== "") lines.push(`    Why it matters: ${why}`);
  if (cure !== "") lines.push(`    What to do: ${oneLine(cure)}`);
  return [head, ...lines].join("\n");
}

function summary({ documents, resources: { listed, compared }, findings }: CheckResult): string {
  const looked =
    compared === listed
      ? `${counted(compared, "page or file", "pages and files")}`
      : `${compared} of ${counted(listed, "page or file", "pages and files")}`;
  const found = LEVELS.flatMap((level) => countOf(findings, level));
  const result = found.length === 0 ? "Nothing is wrong." : `Found: ${found.join(", ")}.`;
  return `${counted(documents, "document")} and ${looked} were checked. ${result}`;
}

function countOf(findings: readonly CheckFinding[], level: Level): string[] {
  const count = findings.filter((one) => one.level === level).length;
  return count === 0 ? [] : [counted(count, level)];
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A workflow command of GitHub Actions, which shows a message at the file's line. */
function workflowCommand(finding: CheckFinding): string {
  const { level, rule, document, file, line, what, why, cure } = finding;
  const properties = [
    ...(file === undefined ? [] : [`file=${property(file)}`]),
    ...(line === undefined || file === undefined ? [] : [`line=${line}`]),
    `title=${property(rule)}`,
  ];
  const place =
    file === undefined ? `${document}${line === undefined ? "" : `, line ${line}`}: ` : "";
  const text = [`${place}${what}`, why, cure].filter((part) => part !== "").join(" ");
  return `::${COMMANDS[level]} ${properties.join(",")}::${data(text)}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Documents come from anybody: what a message repeats of them must not move the cursor. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Control}\s]+/gu, " ").trim();
}
