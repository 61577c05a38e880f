import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmitResult, Environment } from "@rs-emit/core";
import { QUICK_DISK } from "./documents.ts";
import { apply, type Edit } from "./edits.ts";
import type { Host } from "./host.ts";
import { type Memory, type MemoryKind, memoryOf } from "./memory.ts";
import { Site, type Version } from "./site.ts";
import { type Software, TODAYS } from "./software.ts";

/** A spring day, some hours before a month ends. */
const BEGINNING = Date.UTC(2026, 3, 29, 20) / 1000;

/** A site on disk whose author edits, builds and publishes it. */
export class Publisher implements Disposable {
  readonly site: Site;
  readonly output: string;
  /** Room for a copy of the output. */
  readonly aside: string;
  readonly kind: MemoryKind;
  readonly memory: Memory;
  /** What publishes. */
  software: Software = TODAYS;
  readonly #folder: string;
  readonly #entries: number | undefined;
  #built: ReadonlyMap<string, Version> = new Map();
  #isLinked = false;

  /** @param entries the most entries a document may have; absent for the specification's own */
  constructor(kind: MemoryKind, host: Host, entries?: number) {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), "rs-emit-model-")));
    this.kind = kind;
    this.#entries = entries;
    this.output = join(this.#folder, "output");
    this.aside = join(this.#folder, "aside");
    mkdirSync(this.output);
    this.memory = memoryOf(kind, this.#folder, host);
    this.site = new Site(this.memory.url, BEGINNING);
    apply(this.site, { edit: "write", file: "index.html", page: { title: "Home" }, age: 0 });
  }

  /**
   * Edits the site and builds it.
   *
   * @param note the author's words for the next publication
   */
  edit(edits: readonly Edit[], elapse = 0, note?: string): void {
    const { site } = this;
    site.now += elapse;
    site.note = note;
    for (const edit of edits) apply(site, edit);
    // Links that are no longer asked for stay until the page is built again.
    const isWhole = this.#isLinked && !site.choices.link;
    if (isWhole) for (const file of this.#built.keys()) rmSync(join(this.output, file));
    site.build(this.output, isWhole ? new Map() : this.#built);
    this.#built = new Map(site.files);
    this.#isLinked = site.choices.link;
  }

  /** Publishes; what was published is kept where it will be remembered. */
  async publish(environment: Environment = {}): Promise<EmitResult> {
    const result = await this.run(environment);
    this.memory.keep(this.output);
    return result;
  }

  /** Publishes into the output folder, and goes no further. */
  async run(environment: Environment = {}): Promise<EmitResult> {
    this.memory.recall(this.output);
    const options = { ...this.site.options(this.output), previous: this.memory.previous };
    const result = await this.software.emit(options, {
      clock: () => this.site.now,
      cacheFolder: join(this.#folder, "cache"),
      fileSystem: QUICK_DISK,
      ...(this.#entries === undefined ? {} : { limits: { entries: this.#entries } }),
      ...environment,
    });
    this.software.finish?.(this.output);
    return result;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
