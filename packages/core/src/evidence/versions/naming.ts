import type { Making, MakingPage } from "../../builder.ts";
import { agreedFile, type Example } from "./agreed-file.ts";

/** What a version of a source made, as far as it is certain. */
export type Resolved =
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
  resolve(key: string, making: Making | undefined): Resolved {
    const today = this.#today.get(key);
    if (making === undefined || making.kind === "several") return UNTOLD;
    if (today !== undefined && today.pages.length > 1) return UNTOLD;
    if (making.kind === "nothing") return NOTHING;
    const isAsToday = today?.making?.kind === "page" && isNamedAlike(today.making, making);
    return isAsToday ? madeOf(today.pages[0], making) : this.#byExamples(making);
  }

  /** Pages named in the narrowest way may teach a rule; those further off only bear the builder's out. */
  #byExamples(making: MakingPage): Resolved {
    const position = making.ways.findIndex((way) => this.#ways.has(way));
    const examples = this.#ways.get(making.ways[position] ?? "") ?? [];
    const isBorneOut = examples.every(
      ({ making: { file }, page }) => file !== undefined && file === page,
    );
    if (isBorneOut && making.file !== undefined) return madeOf(making.file, making);
    if (position !== 0) return UNTOLD;
    const isUnpublished = examples.every(({ page }) => page === undefined);
    if (isUnpublished && making.file === undefined) return NOTHING;
    const file = agreedFile(examples, making);
    return file === undefined ? UNTOLD : madeOf(file, making);
  }
}

const NOTHING: Resolved = { kind: "nothing" };
const UNTOLD: Resolved = { kind: "untold" };

function madeOf(file: string | undefined, { withheld }: MakingPage): Resolved {
  return file === undefined ? NOTHING : { kind: "page", file, withheld: withheld ?? false };
}

function isNamedAlike(one: MakingPage, other: MakingPage): boolean {
  return identityOf(one) === identityOf(other);
}

function identityOf({ ways, file, names }: MakingPage): string {
  return JSON.stringify([ways, file, names]);
}
