import { count, list, numeral, printable, printableJson } from "@rs-emit/documents";
import type { CheckedSite } from "./check.ts";
import { type CheckFinding, LEVELS } from "./findings.ts";
import type { Level } from "./host-rules.ts";

export const REPORT_FORMATS = ["text", "json", "github"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Styles text, for example on a terminal. */
export type Paint = (style: "bold" | "dim" | "red" | "yellow" | "cyan", text: string) => string;

const STYLES = { error: "red", warning: "yellow", note: "cyan" } as const;
const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;

/** The exit status of a check. With `strict`, warnings count as errors. */
export function exitStatusOf({ findings }: CheckedSite, strict: boolean): 0 | 1 {
  return findings.some(({ level }) => level === "error" || (strict && level === "warning")) ? 1 : 0;
}

export function writeReport(result: CheckedSite, format: ReportFormat, paint: Paint): string {
  if (format === "json") return `${printableJson(result)}\n`;
  if (format === "github")
    return result.findings.map((one) => `${workflowCommand(one)}\n`).join("");
  return textOf(result, paint);
}

function textOf(result: CheckedSite, paint: Paint): string {
  const explained = new Set<string>();
  const blocks = [...groupBy(result.findings, ({ file, document }) => file ?? document)].map(
    ([name, findings]) => {
      const same = groupBy(findings, ({ rule, what, cure }) => `${rule} ${what} ${cure}`);
      const paragraphs = [...same.values()].map((alike) => {
        const [first] = alike;
        const isNew = !explained.has(first.rule);
        explained.add(first.rule);
        return paragraph(first, alike, isNew, paint);
      });
      return `${paint("bold", oneLine(name))}\n${paragraphs.join("\n")}\n`;
    },
  );
  return [...blocks, `${summary(result)}\n`].join("\n");
}

type Alike = readonly [CheckFinding, ...CheckFinding[]];

function groupBy(
  findings: readonly CheckFinding[],
  keyOf: (finding: CheckFinding) => string,
): ReadonlyMap<string, Alike> {
  const groups = new Map<string, [CheckFinding, ...CheckFinding[]]>();
  for (const finding of findings) {
    const group = groups.get(keyOf(finding));
    if (group === undefined) groups.set(keyOf(finding), [finding]);
    else group.push(finding);
  }
  return groups;
}

/** The page that explains the rules, each below its name. */
const RULES_PAGE = "https://github.com/OWNER/REPOSITORY/blob/main/docs/rules.md";

/** @param isNew whether no finding above is of its rule, which is explained then */
function paragraph(finding: CheckFinding, alike: Alike, isNew: boolean, paint: Paint): string {
  const { level, rule, what, why, cure } = finding;
  const head = `  ${paint(STYLES[level], level)} ${paint("dim", rule)}${placesOf(alike)}`;
  const lines = [`    ${oneLine(what)}`];
  if (isNew && why !== "") lines.push(`    Why it matters: ${why}`);
  if (cure !== "") lines.push(`    What to do: ${oneLine(cure)}`);
  if (isNew) lines.push(`    ${paint("dim", `The rule: ${RULES_PAGE}#${rule}`)}`);
  return [head, ...lines].join("\n");
}

function placesOf(alike: Alike): string {
  const [{ line, where }] = alike;
  if (line === undefined) return "";
  if (alike.length === 1) return ` line ${line}${where === undefined ? "" : `, ${oneLine(where)}`}`;
  return ` lines ${list(alike.map((one) => String(one.line)))}`;
}

function summary({ documents, resources: { listed, compared }, findings }: CheckedSite): string {
  const looked =
    compared === listed
      ? `${count(compared, "page or file", "pages and files")}`
      : `${numeral(compared)} of ${count(listed, "page or file", "pages and files")}`;
  const found = LEVELS.flatMap((level) => countOf(findings, level));
  const result = found.length === 0 ? "Nothing is wrong." : `Found: ${found.join(", ")}.`;
  return `${count(documents, "document")} and ${looked} were checked. ${result}`;
}

function countOf(findings: readonly CheckFinding[], level: Level): string[] {
  const { length } = findings.filter((one) => one.level === level);
  return length === 0 ? [] : [count(length, level)];
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
  const text = printable([`${place}${what}`, why, cure].filter((part) => part !== "").join(" "));
  return `::${COMMANDS[level]} ${properties.join(",")}::${data(text)}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(printable(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Documents come from strangers: a message that quotes them must not move the cursor. */
function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/gu, " ").trim();
}
