import { readdirSync, readFileSync } from "node:fs";
import { DocumentError, readLocated } from "@rs-emit/documents";
import { type Finding, judgeDocument, type Profile } from "../src/rules/index.ts";
import { legalReason } from "./mutations.legal.ts";
import { type Mutation, mutationsOf, treeOf, xmlOf } from "./mutations.ts";

const FIXTURES = new URL("fixtures/", import.meta.url);
const PROFILES: Readonly<Record<string, readonly Profile[]>> = {
  resourcesync: ["resourcesync"],
  "change-notification": ["resourcesync"],
  "ifcc-0001": ["resourcesync", "ifcc-0001"],
};
const NOW = Date.UTC(2026, 11, 31) / 1000;

/** How many of them are faults, and how many of those are missed. */
export const FAULTS = { all: 5_528, missed: 31 };

export interface Tried {
  readonly example: string;
  readonly mutation: Mutation;
  readonly isFound: boolean;
  /** Why the text allows what is not found; `undefined` if it does not. */
  readonly legal: string | undefined;
}

/** Tries every mutation of every example of the specifications. */
export function tryMutations(): readonly Tried[] {
  return Object.entries(PROFILES).flatMap(([folder, profile]) =>
    readdirSync(new URL(folder, FIXTURES))
      .filter((file) => file.endsWith(".xml") && !file.endsWith("-text.xml"))
      .flatMap((file) => tryExample(`${folder}/${file}`, profile)),
  );
}

function tryExample(example: string, profile: readonly Profile[]): readonly Tried[] {
  const root = treeOf(readFileSync(new URL(example, FIXTURES), "utf8"));
  const url = /description/.test(example)
    ? "https://moss.example/.well-known/resourcesync"
    : "https://moss.example/garden/document.xml";
  const known = findingsIn(xmlOf(root), url, profile) ?? [];
  return [...mutationsOf(root)].map((mutation) => {
    const found = findingsIn(mutation.xml, url, profile);
    const isFound = found === undefined || isMore(found, known);
    return { example, mutation, isFound, legal: isFound ? undefined : legalReason(mutation) };
  });
}

/** What the judge says of a document; `undefined` if it cannot be read. */
function findingsIn(
  xml: string,
  url: string,
  profile: readonly Profile[],
): readonly string[] | undefined {
  try {
    const { document } = readLocated(xml);
    return judgeDocument(document, { url, profile, now: NOW }).map(inWords);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** Without its place, which changes when something before it does. */
function inWords({ rule, where, what }: Finding): string {
  return `${rule} ${where.replace(/^.*, /, "")} ${what}`;
}

function isMore(found: readonly string[], known: readonly string[]): boolean {
  const rest = [...known];
  return found.some((one) => {
    const at = rest.indexOf(one);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
