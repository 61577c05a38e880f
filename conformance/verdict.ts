import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Breach, Case, Change } from "./cases.ts";
import { ORIGIN } from "./server.ts";

/** Holds what a program printed and left behind against what a case says. */

/** One JSON line that a program printed. */
export type Line = Readonly<Record<string, unknown>>;

/** @throws where a line is no JSON object */
export function linesOf(printed: string): readonly Line[] {
  return printed
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const parsed: unknown = JSON.parse(line);
      if (typeof parsed !== "object" || parsed === null) throw new Error(`no JSON object: ${line}`);
      return { ...parsed };
    });
}

/** What is wrong with the answer at a moment; nothing where the case is met. */
export function faultsOf(
  one: Case,
  moment: number,
  lines: readonly Line[],
  copy: string,
): readonly string[] {
  if (one.kind === "followers") return faultsOfChanges(one, moment, lines);
  if (one.kind === "judges") return faultsOfBreaches(one, moment, lines);
  return faultsOfCopy(one, moment, copy);
}

function faultsOfChanges(one: Case, moment: number, lines: readonly Line[]): readonly string[] {
  const { tells = [], may = [], never = [] } = one.moments[moment - 1] ?? {};
  const open = [...lines];
  const missing = tells.filter((change) => {
    const at = open.findIndex((line) => isReported(change, line));
    if (at >= 0) open.splice(at, 1);
    return at < 0;
  });
  const banned = new Set(never.map(urlOf));
  const allowed = new Set(may.map(urlOf));
  const surplus = open.filter(({ url }) => !allowed.has(String(url)));
  return [
    ...missing.map(({ kind, url, datetime }) => `not reported: ${kind} ${url} ${datetime}`),
    ...surplus.map((line) => {
      const words = banned.has(String(line.url)) ? "must not be reported" : "not in the case";
      return `${words}: ${JSON.stringify(line)}`;
    }),
  ];
}

function isReported(change: Change, line: Line): boolean {
  const { url, kind, datetime, collection } = change;
  if (line.url !== urlOf(url) || line.kind !== kind) return false;
  if (collection !== undefined && line.collection !== urlOf(collection)) return false;
  const reported = String(line.datetime);
  if (/^\d{4}-\d{2}-\d{2}$/.test(datetime)) return reported.startsWith(datetime);
  return Math.floor(Date.parse(reported) / 1000) === Math.floor(Date.parse(datetime) / 1000);
}

function faultsOfBreaches(one: Case, moment: number, lines: readonly Line[]): readonly string[] {
  const { finds = [], may = [], never = [] } = one.moments[moment - 1] ?? {};
  const found = lines.map(({ requirement, document, level }) => ({
    requirement: String(requirement),
    document: String(document),
    level: String(level),
  }));
  const isFound = (breach: Breach) =>
    found.some(
      ({ requirement, document, level }) =>
        requirement === breach.requirement &&
        documentsOf(breach.document).includes(document) &&
        level === breach.level,
    );
  const faulty = new Set([
    ...finds.flatMap(({ document }) => documentsOf(document)),
    ...may.map(urlOf),
  ]);
  return [
    ...finds
      .filter((breach) => !isFound(breach))
      .map((b) => `not found: ${b.requirement} ${b.document} ${b.level}`),
    ...found
      .filter(({ requirement, document, level }) =>
        never.some((ban) => {
          const [what, where] = ban.split(" ");
          if (what === "error") return level === "error" && !faulty.has(document);
          return (
            what === requirement && (where === undefined || documentsOf(where).includes(document))
          );
        }),
      )
      .map((breach) => `must not be found: ${JSON.stringify(breach)}`),
  ];
}

function faultsOfCopy(one: Case, moment: number, copy: string): readonly string[] {
  const { holds = {}, never = [] } = one.moments[moment - 1] ?? {};
  const wrong = Object.entries(holds).flatMap(([path, source]) => {
    const file = join(copy, path);
    if (!existsSync(file) || !statSync(file).isFile()) return [`not in the copy: ${path}`];
    const isEqual = readFileSync(file).equals(readFileSync(join(one.folder, source)));
    return isEqual ? [] : [`in the copy with other bytes: ${path}`];
  });
  const banned = never.filter((path) => existsSync(join(copy, path)));
  return [...wrong, ...banned.map((path) => `must not be in the copy: ${path}`)];
}

function documentsOf(names: string): readonly string[] {
  return names.split("|").map(urlOf);
}

function urlOf(address: string): string {
  return address.startsWith("/") ? ORIGIN + address : address;
}
