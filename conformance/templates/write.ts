import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Answer, Breach, Change, Kind } from "../cases.ts";

/** Writes the folder of a case. */

const CASES = join(import.meta.dirname, "../cases");

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A moment of a case, in few words. */
export interface TemplateMoment {
  readonly now?: string;
  readonly site?: Files;
  readonly other?: Files;
  readonly answers?: Readonly<Record<string, Answer>>;
  /** `created /a.html 2026-10-12T08:00:00Z`, with the collection behind it where it matters. */
  readonly tells?: readonly string[];
  /** Changes that may be told; documents in which a fault may show, too. */
  readonly may?: readonly string[];
  /** `R35 /changelist.xml error` */
  readonly finds?: readonly string[];
  readonly holds?: Readonly<Record<string, string>>;
  readonly never?: readonly string[];
}

/** Writes a case: what it is about, the requirements, its moments. */
export function writeCase(
  kind: Kind,
  name: string,
  about: string,
  requirements: string,
  moments: readonly TemplateMoment[],
  more: { readonly start?: string } = {},
): void {
  const folder = join(CASES, kind, name);
  rmSync(folder, { recursive: true, force: true });
  for (const [index, { site = {}, other = {} }] of moments.entries()) {
    for (const [place, files] of [
      ["site", site],
      ["other", other],
    ] as const) {
      for (const [path, content] of Object.entries(files)) {
        const file = join(folder, place, String(index + 1), path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
    }
  }
  const written = {
    about,
    requirements: requirements.split(" "),
    ...more,
    moments: moments.map(({ site: _, other: __, tells, finds, never = [], ...others }) => ({
      ...others,
      ...(tells === undefined ? {} : { tells: tells.map(toldChange) }),
      ...(finds === undefined ? {} : { finds: finds.map(foundBreach) }),
      never,
    })),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "case.json"), `${JSON.stringify(written, null, 2)}\n`);
}

function toldChange(words: string): Change {
  const [kind = "", url = "", datetime = "", collection] = words.split(" ");
  return { url, kind, datetime, ...(collection === undefined ? {} : { collection }) };
}

function foundBreach(words: string): Breach {
  const [requirement = "", document = "", level = ""] = words.split(" ");
  if (level !== "error" && level !== "warning" && level !== "note") throw new Error(words);
  return { requirement, document, level };
}
