import { lineOf } from "@rs-emit/feeds";

/** Labels of a source, and UTF-16 code units of a label. */
const LIMITS = { most: 20, length: 100 } as const;

/** Labels as they are kept, each once: longer ones are cut, more of them are left out. */
export function fittingLabels(texts: readonly string[]): readonly string[] {
  const lines = texts.map((text) => lineOf(text, LIMITS.length));
  return [...new Set(lines.filter((line) => line !== ""))].slice(0, LIMITS.most);
}
