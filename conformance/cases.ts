import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The cases in `cases/`, as `README.md` describes them. */

const CASES = join(import.meta.dirname, "cases");

/** What a case is for. */
export const KINDS = ["followers", "judges", "destinations"] as const;
export type Kind = (typeof KINDS)[number];

/** How a path is answered in place of its file, or besides it. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The path of another file. */
  readonly file?: string;
  readonly body?: string;
  /** Bytes after which the connection is cut. */
  readonly cut?: number;
}

/** A change, as a follower reports it. */
export interface Change {
  readonly url: string;
  readonly kind: string;
  readonly datetime: string;
  /** The canonical URL of its collection. */
  readonly collection?: string;
}

/** What a judge finds: a breach of a requirement in a document. */
export interface Breach {
  readonly requirement: string;
  /** Several by `|` where the breach is between them. */
  readonly document: string;
  readonly level: "error" | "warning" | "note";
}

/** What has to be the answer at one moment, and what must not be in it. */
export interface Moment {
  /** The time of the run. */
  readonly now?: string;
  /** By path; with the origin before a path of the other one. */
  readonly answers?: Readonly<Record<string, Answer>>;
  /** Of followers: every change that is reported now, and none besides. */
  readonly tells?: readonly Change[];
  /** URLs whose changes may be reported or not; documents in which a breach may show, too. */
  readonly may?: readonly string[];
  /** Of judges. */
  readonly finds?: readonly Breach[];
  /** Of destinations: files in the copy, each equal to a file of `site/` or `other/`. */
  readonly holds?: Readonly<Record<string, string>>;
  /**
   * What must not be: URLs of changes; breaches, as `R35 /changelist.xml`, or `error` for the level on
   * any document; files of the copy.
   */
  readonly never: readonly string[];
}

/** One case. */
export interface Case {
  readonly kind: Kind;
  readonly name: string;
  readonly folder: string;
  readonly about: string;
  readonly requirements: readonly string[];
  /** The address that the program is given, below the origin. */
  readonly start: string;
  readonly moments: readonly Moment[];
}

/** Every case, or those of one kind, in order. */
export function readCases(kind?: Kind): readonly Case[] {
  return globSync(`${kind ?? "*"}/*/case.json`, { cwd: CASES })
    .sort()
    .map((file) => readCase(join(CASES, file, "..")));
}

/**
 * Reads the case in a folder.
 *
 * @throws where it names nothing that has to be, or nothing that must not be
 */
export function readCase(folder: string): Case {
  const given = JSON.parse(readFileSync(join(folder, "case.json"), "utf8"));
  const [kind, name = ""] = relative(CASES, folder).split("/");
  const found = KINDS.find((each) => each === kind);
  if (found === undefined) throw new Error(`${folder} is no case.`);
  const one: Case = { start: "/", ...given, kind: found, name, folder };
  const demands = one.moments.flatMap(({ tells, finds, holds }) => [
    ...(tells ?? []),
    ...(finds ?? []),
    ...Object.keys(holds ?? {}),
  ]);
  const bans = one.moments.flatMap(({ never }) => never);
  if (demands.length === 0) throw new Error(`${kind}/${name} says nothing that has to be.`);
  if (bans.length === 0) throw new Error(`${kind}/${name} says nothing that must not be.`);
  if (one.requirements.length === 0) throw new Error(`${kind}/${name} is about no requirement.`);
  return one;
}
