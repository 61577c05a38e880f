import type { VersionFacts } from "./facts.ts";
import type { KeyedRules } from "./keyed-rules.ts";
import type { Naming, Resolved } from "./naming.ts";
import { Project, type Step } from "./project.ts";

/** What one moment did to a page through one source. */
export interface PageStep {
  /** The page's file in the output folder. */
  readonly file: string;
  /** Key of the source. */
  readonly source: string;
  readonly kind: "added" | "modified" | "removed";
  /** Id of the source's contents; empty when removed. */
  readonly blob: string;
  readonly withheld: boolean;
  /** The files that brought it about: the source itself, or data that bears on it. */
  readonly causes: readonly string[];
}

/**
 * Plays a project's history again, and tells at each moment which pages its sources made: one that is
 * renamed by its front matter, or by its folder's data, is a page removed and a page added.
 */
export class Replay {
  /** Sources that at some time made what cannot be told, with every page they are known to have made. */
  readonly untold = new Map<string, ReadonlySet<string>>();
  readonly #project: Project;
  readonly #naming: Naming;
  readonly #made = new Map<string, Resolved>();
  readonly #pages = new Map<string, Set<string>>();

  constructor(rules: KeyedRules, facts: VersionFacts, naming: Naming) {
    this.#project = new Project(rules, facts);
    this.#naming = naming;
  }

  apply(steps: readonly Step[]): PageStep[] {
    const changed = new Set(steps.map(({ path }) => path));
    return [...this.#project.apply(steps)].flatMap(([source, causes]) =>
      this.#follow(source, causes, changed.has(source)),
    );
  }

  #follow(source: string, causes: readonly string[], isEdited: boolean): PageStep[] {
    const before = this.#made.get(source) ?? NOTHING;
    const blob = this.#project.blobOf(source);
    const after =
      blob === "" ? NOTHING : this.#naming.resolve(source, this.#project.makingOf(source));
    this.#made.set(source, after);
    this.#remember(source, after);
    const steps: PageStep[] = [];
    const isSamePage =
      before.kind === "page" && after.kind === "page" && before.file === after.file;
    if (before.kind === "page" && !isSamePage) {
      const { file } = before;
      steps.push({ file, source, kind: "removed", blob: "", withheld: false, causes });
    }
    if (after.kind === "page") {
      const { file, withheld } = after;
      if (!isSamePage) steps.push({ file, source, kind: "added", blob, withheld, causes });
      else if (isEdited || before.withheld !== withheld) {
        steps.push({ file, source, kind: "modified", blob, withheld, causes });
      }
    }
    return steps;
  }

  #remember(source: string, made: Resolved): void {
    const pages = this.#pages.get(source) ?? new Set();
    this.#pages.set(source, pages);
    if (made.kind === "page") pages.add(made.file);
    if (made.kind === "untold") this.untold.set(source, pages);
  }
}

const NOTHING: Resolved = { kind: "nothing" };
