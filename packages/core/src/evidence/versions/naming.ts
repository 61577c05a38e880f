import type { Making, MakingPage } from "../../builder.ts";
import { Agreement, type Rule } from "../sources/agreement.ts";

/** What a version of a source made, as far as it is certain. */
export type Made =
  | { readonly kind: "nothing" }
  /** Some page, or several: it cannot be told which, or the source does not date them. */
  | { readonly kind: "untold" }
  | { readonly kind: "page"; readonly file: string; readonly withheld: boolean };

/** A source that stands today, and the pages that the builder says it made. */
export interface StandingSource {
  readonly key: string;
  readonly making: Making | undefined;
  readonly pages: readonly string[];
}

/** One page of today, or none, that its source is said to make alone. */
interface Example {
  readonly making: MakingPage;
  readonly page: string | undefined;
}

/** Tells which page a version of a source made: by the builder's rule, held against what stands. */
export class Naming {
  readonly #today = new Map<string, StandingSource>();
  readonly #ways = new Map<string, Example[]>();

  constructor(standing: Iterable<StandingSource>) {
    for (const source of standing) {
      this.#today.set(source.key, source);
      const { making, pages } = source;
      if (making?.kind !== "page" || pages.length > 1) continue;
      for (const way of making.ways) {
        const examples = this.#ways.get(way);
        const example = { making, page: pages[0] };
        if (examples === undefined) this.#ways.set(way, [example]);
        else examples.push(example);
      }
    }
  }

  /** @param making what the builder says of a version; `undefined` when it could not be read */
  resolve(key: string, making: Making | undefined): Made {
    const today = this.#today.get(key);
    if (making === undefined || making.kind === "several") return UNTOLD;
    if (today !== undefined && today.pages.length > 1) return UNTOLD;
    if (making.kind === "nothing") return NOTHING;
    const isAsToday = today?.making?.kind === "page" && isNamedAlike(today.making, making);
    return isAsToday ? madeOf(today.pages[0], making) : this.#byExamples(making);
  }

  /** Pages named in the narrowest way may teach a rule; those further off only bear the builder's out. */
  #byExamples(making: MakingPage): Made {
    const position = making.ways.findIndex((way) => this.#ways.has(way));
    const examples = this.#ways.get(making.ways[position] ?? "") ?? [];
    const isBorneOut = examples.every((example) => example.making.file === example.page);
    if (isBorneOut && making.file !== undefined) return madeOf(making.file, making);
    if (examples.length > 0 && examples.every(({ page }) => page === undefined)) return NOTHING;
    const file = position === 0 ? agreedFile(examples, making) : undefined;
    return file === undefined ? UNTOLD : madeOf(file, making);
  }
}

const NOTHING: Made = { kind: "nothing" };
const UNTOLD: Made = { kind: "untold" };

function madeOf(file: string | undefined, { withheld }: MakingPage): Made {
  return file === undefined ? NOTHING : { kind: "page", file, withheld: withheld ?? false };
}

function isNamedAlike(one: MakingPage, other: MakingPage): boolean {
  return identityOf(one) === identityOf(other);
}

function identityOf({ ways, file, names }: MakingPage): string {
  return JSON.stringify([ways, file, names]);
}

/** What every page that stands agrees on, named after the same thing (design: Git as evidence). */
function agreedFile(examples: readonly Example[], { names }: MakingPage): string | undefined {
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
