import type { MakingPage } from "../../builder.ts";
import { Agreement, type Rule } from "../sources/agreement.ts";

/** One page of today, or none, that its source is said to make alone. */
export interface Example {
  readonly making: MakingPage;
  readonly page: string | undefined;
}

/** What every page that stands agrees on, named after the same thing (design: Git as evidence). */
export function agreedFile(
  examples: readonly Example[],
  { names }: MakingPage,
): string | undefined {
  const agreement = new Agreement<readonly string[]>();
  for (const { making, page } of examples) {
    if (page === undefined) return undefined;
    agreement.learn(making.names, page, () => placesOf(making.names, page));
  }
  return agreement.pageOf(names);
}

const WORD_END = /[\p{L}\p{N}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;

/** Every way to see a page's file as something before a name, the name, and something after it. */
function placesOf(names: readonly string[], page: string): Rule<readonly string[]>[] {
  return names.flatMap((name, position) => {
    const rules: Rule<readonly string[]>[] = [];
    if (name === "") return rules;
    for (let at = page.indexOf(name); at !== -1; at = page.indexOf(name, at + 1)) {
      const before = page.slice(0, at);
      const after = page.slice(at + name.length);
      // A short name may also be part of a word.
      if (WORD_END.test(before) || WORD_START.test(after)) continue;
      rules.push((others) => {
        const other = others[position];
        return other === undefined || other === "" ? undefined : before + other + after;
      });
    }
    return rules;
  });
}
