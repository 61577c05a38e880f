import { createRequire } from "node:module";
import type { Facts } from "../builder.ts";

/** Front matter in another language, or that never ends. */
const BEGUN = /^---[ \t]*\w*[ \t]*(?:\r?\n|$)/;

const FENCED = /^---[ \t]*(?:yaml|yml)?[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/;

// Loaded when the first front matter is read: most builds ask for none.
const load = createRequire(import.meta.url);

/**
 * The front matter of a file: YAML, or JSON, which is YAML too.
 *
 * @returns nothing where there is none; `undefined` where it cannot be read
 */
export function frontMatter(bytes: Uint8Array): Facts | undefined {
  const text = new TextDecoder().decode(bytes);
  const fenced = FENCED.exec(text);
  if (fenced === null) return BEGUN.test(text) ? undefined : {};
  const { parse }: typeof import("yaml") = load("yaml");
  try {
    const data: unknown = parse(fenced[1] ?? "", { logLevel: "error", merge: true }) ?? {};
    return typeof data === "object" && data !== null && !Array.isArray(data)
      ? { ...data }
      : undefined;
  } catch {
    return undefined;
  }
}
