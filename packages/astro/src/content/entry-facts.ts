import { createHash } from "node:crypto";
import { type Facts, frontMatter } from "@rs-emit/core/adapter";
import { isNoIndex } from "./visibility.ts";

/** What a version of an entry says that decides on its page. */
export interface EntryFacts extends Facts {
  readonly kind: "entry";
  /** Its data cannot be read. */
  readonly isUnreadable?: true;
  /** The id that its author chose. */
  readonly slug?: string;
  /** What a site may leave it out for: `draft`, say. */
  readonly flag?: string;
  /** It asks search engines to leave its page out. */
  readonly isWithheld?: true;
  /** A digest of all its data: where a page is named after some of it, nobody knows which. */
  readonly digest?: string;
}

/** Whether facts are those of an entry. */
export function isEntry(facts: Facts): facts is EntryFacts {
  return facts.kind === "entry";
}

/** What sites may leave an entry out for when it is true, by custom. */
export const HIDING = ["draft", "hidden", "private"] as const;
/** The same, when it is false. */
export const SHOWING = ["published", "publish"] as const;

/** Reads an entry's data: front matter, JSON or YAML. */
export function entryFacts(file: string, bytes: Uint8Array): EntryFacts {
  const data = dataOf(file, bytes);
  if (data === undefined) return { kind: "entry", isUnreadable: true };
  const { slug } = data;
  const flag =
    HIDING.find((name) => data[name] === true) ?? SHOWING.find((name) => data[name] === false);
  return {
    kind: "entry",
    // Astro takes whatever is truthy.
    ...(slug ? { slug: String(slug) } : {}),
    ...(flag === undefined ? {} : { flag }),
    ...(isNoIndex(data) ? { isWithheld: true } : {}),
    digest: createHash("sha256").update(JSON.stringify(data)).digest("hex"),
  };
}

function dataOf(file: string, bytes: Uint8Array): Facts | undefined {
  if (file.endsWith(".json")) return json(bytes);
  if (/\.ya?ml$/.test(file)) return frontMatter(Buffer.concat([FENCE, bytes, END]));
  const isToml = file.endsWith(".toml") || bytes[0] === PLUS;
  return isToml ? undefined : frontMatter(bytes);
}

const FENCE = Buffer.from("---\n");
const END = Buffer.from("\n---\n");
/** Front matter in TOML begins with `+++`. */
const PLUS = 0x2b;

function json(bytes: Uint8Array): Facts | undefined {
  try {
    const data: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof data === "object" && data !== null ? { ...data } : undefined;
  } catch {
    return undefined;
  }
}
