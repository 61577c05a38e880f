import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EmitError, emit, openPublished } from "@rs-emit/core";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Neocities } from "../../../test/hosts/neocities.ts";
import { rounds } from "../../../test/thorough.ts";
import { CommandError } from "../src/errors.ts";
import { NeocitiesApi } from "../src/neocities/api.ts";
import { pull } from "../src/neocities/pull.ts";
import type { Choices } from "../src/neocities/pull-plan.ts";
import { push } from "../src/neocities/push.ts";
import { Stage } from "../src/neocities/stage.ts";
import { FREE } from "../src/neocities/upload-plan.ts";
import { contentsOf, folderOf, page, temporaryFolder, write } from "./support/folder.ts";

const NAMES = ["index.html", "a.html", "b/c d.html", "b/é.html"] as const;
type Name = (typeof NAMES)[number];

/** What a page is, and which edits led to it. An edit is a number. */
interface State {
  /** Absent for a deleted page. */
  readonly text: string | undefined;
  readonly edits: ReadonlySet<number>;
}

const NOTHING: State = { text: undefined, edits: new Set() };

function isIn(one: State, other: State): boolean {
  return [...one.edits].every((edit) => other.edits.has(edit));
}

function joined({ text, edits }: State, other: State): State {
  return { text, edits: new Set([...edits, ...other.edits]) };
}

/** Pages by name, with all that is known of them. */
class Pages {
  readonly #states = new Map<Name, State>();

  get(name: Name): State {
    return this.#states.get(name) ?? NOTHING;
  }

  set(name: Name, state: State): void {
    this.#states.set(name, state);
  }

  copy(): Pages {
    const pages = new Pages();
    for (const name of NAMES) pages.set(name, this.get(name));
    return pages;
  }
}

/** One machine's folder; the model knows what its author did in it. */
class Machine {
  readonly folder: string;
  readonly pages: Pages;
  /** As they were when the folder and the site were last the same. */
  synced: Pages;
  /**
   * Fetched by a run that was killed, or from the browser without being published, then edited or made what
   * they were before; or written in the browser after they were deleted: which is newer, nobody can say.
   */
  readonly unsure = new Set<Name>();
  /** What each page said here. */
  readonly texts = new Map<Name, readonly string[]>();
  /** What the last publication in the folder told of. */
  published: Pages | undefined;

  constructor(folder: string, pages: Pages) {
    this.folder = folder;
    this.pages = pages;
    this.synced = pages.copy();
    this.published = pages.copy();
  }

  textOf(name: Name): string | undefined {
    const path = join(this.folder, name);
    if (!existsSync(path)) return undefined;
    return /<main>(.*)<\/main>/s.exec(readFileSync(path, "utf8"))?.[1];
  }
}

class Killed extends Error {}

/** A site, two machines, and a model of what must become of each edit. */
class World {
  readonly #site: Neocities;
  readonly #api: NeocitiesApi;
  readonly machines: readonly Machine[];
  readonly #live: Pages;
  /** What the site's log tells of them: an edit in the browser is in none. */
  #logged: Pages;
  /** The site after each upload. */
  readonly #past: Pages[] = [];
  #edits = 0;
  #days = 0;

  private constructor(site: Neocities, machines: readonly Machine[], live: Pages) {
    this.#site = site;
    this.#api = new NeocitiesApi({ value: site.key }, site.api);
    this.machines = machines;
    this.#live = live;
    this.#logged = live.copy();
  }

  static async of(site: Neocities): Promise<World> {
    const pages = new Pages();
    for (const name of NAMES.slice(0, 3)) pages.set(name, { text: "0", edits: new Set([0]) });
    const folder = folderOf(
      Object.fromEntries(NAMES.slice(0, 3).map((name) => [name, page(name, "0")])),
    );
    const twin = temporaryFolder();
    const machines = [new Machine(folder, pages.copy()), new Machine(twin, pages.copy())];
    const world = new World(site, machines, pages.copy());
    await world.#emit(folder, "output");
    await world.#push(folder, false);
    cpSync(folder, twin, { recursive: true });
    return world;
  }

  edit(machine: Machine, name: Name, text: string | undefined): void {
    const { folder, pages } = machine;
    if (pages.get(name).text === text || (name === "index.html" && text === undefined)) return;
    if (text === undefined) rmSync(join(folder, name));
    else write(folder, { [name]: page(name, text) });
    this.#edits += 1;
    const now = pages.get(name);
    const isFetched =
      this.#past.some((one) => one.get(name) === now) && now !== machine.synced.get(name);
    if (isFetched && text === machine.synced.get(name).text) machine.unsure.add(name);
    const edits = new Set([...now.edits, this.#edits]);
    const logged = this.#logged.get(name);
    if (this.#live.get(name) !== logged && text === logged.text) machine.unsure.add(name);
    pages.set(name, this.#known(machine, name, { text, edits }));
  }

  /** Edits or writes a page of the site in the browser. */
  browse(name: Name): void {
    const { text, edits } = this.#live.get(name);
    // The log does not describe every version that a page had before it was deleted.
    const wasDeleted = text === undefined && edits.size > 0;
    for (const machine of wasDeleted ? this.machines : []) machine.unsure.add(name);
    this.#edits += 1;
    const anew = `${this.#edits}`;
    this.#site.edit(name, page(name, anew));
    this.#live.set(name, { text: anew, edits: new Set([...edits, this.#edits]) });
  }

  /** What is as it was on both sides, or as it became on the site since, was not edited. */
  #known({ synced }: Machine, name: Name, state: State): State {
    const before = synced.get(name);
    const since = this.#past.map((one) => one.get(name)).filter((one) => isIn(before, one));
    return [before, ...since].findLast((one) => one.text === state.text) ?? state;
  }

  /** Writes a text that no page had, or one that this page had here, or deletes the page. */
  change(machine: Machine, name: Name, how: number | "delete"): void {
    const texts = machine.texts.get(name) ?? [];
    const text = how === "delete" ? undefined : (texts[how] ?? `${this.#edits + 1}`);
    this.edit(machine, name, text);
    if (text !== undefined) machine.texts.set(name, [...texts, text]);
  }

  async publish(machine: Machine, previous: string): Promise<void> {
    const before = contentsOf(machine.folder);
    const { folder, pages } = machine;
    try {
      await this.#emit(folder, previous);
    } catch (error) {
      if (!(error instanceof EmitError)) throw error;
      expect(contentsOf(folder)).toEqual(before);
      return;
    }
    if (previous === "site") {
      for (const name of NAMES) {
        this.#acknowledge(machine, name, this.#logged, "published over");
      }
      machine.synced = this.#logged.copy();
    }
    machine.published = pages.copy();
  }

  /** What is here comes after what is on the site. */
  #acknowledge({ pages }: Machine, name: Name, site: Pages, how: string): void {
    const [here, there] = [pages.get(name), site.get(name)];
    if (here.text !== there.text && !isIn(there, here)) {
      throw new Error(`${name}: ${there.text} is ${how} by ${here.text}`);
    }
    pages.set(name, here.text === there.text ? there : joined(here, there));
  }

  async push(machine: Machine, deletes: boolean, choices: Choices = {}): Promise<void> {
    const { folder, pages, published } = machine;
    const isClean = NAMES.every((name) => published?.get(name).text === pages.get(name).text);
    if (!isClean) return;
    const story = this.#site.story.length;
    try {
      await this.#push(folder, deletes, choices);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      expect(this.#site.story.length).toBe(story);
      return;
    }
    const logged = pages.copy();
    for (const name of NAMES) {
      const there = this.#live.get(name);
      const isUnseen = there !== this.#logged.get(name) && there.text !== undefined;
      if (!deletes && isUnseen && pages.get(name).text === undefined) continue;
      this.#acknowledge(machine, name, this.#live, "lost");
      this.#live.set(name, pages.get(name));
      logged.set(name, pages.get(name));
    }
    machine.synced = logged.copy();
    this.#past.push(this.#live.copy());
    this.#logged = logged;
    await this.#checkLog();
  }

  /** @param killedAfter how many files reach the folder */
  async pull(
    machine: Machine,
    choice: "mine" | "theirs" | undefined,
    killedAfter?: number,
  ): Promise<void> {
    const { folder, pages } = machine;
    const isWhole = await this.#pull(folder, choice, killedAfter);
    for (const name of NAMES) {
      const here = this.#known(machine, name, pages.get(name));
      const there = this.#live.get(name);
      const text = machine.textOf(name);
      const isUnsure = machine.unsure.has(name);
      if (text === there.text) {
        const isEdited = here.text !== text && here.text !== machine.synced.get(name).text;
        if (choice !== "theirs" && isEdited && !isIn(here, there) && !isUnsure) {
          throw new Error(`${name}: ${here.text} was lost to ${text} by fetching`);
        }
        pages.set(name, there);
      } else {
        expect(text).toBe(here.text);
        if (isWhole && isIn(here, there) && !isUnsure) {
          throw new Error(`${name}: ${text} stays, although ${there.text} came after it`);
        }
        if (isWhole && choice !== "mine" && !isIn(there, here) && !isUnsure) {
          throw new Error(`${name}: ${text} stays, although the site has the edit ${there.text}`);
        }
        // A choice counts from the first document on.
        if (isWhole || choice === "mine") pages.set(name, joined(here, there));
      }
      if (isWhole) machine.synced.set(name, there);
    }
    if (isWhole) machine.unsure.clear();
    for (const name of NAMES) {
      if (this.#live.get(name) !== this.#logged.get(name)) machine.unsure.add(name);
    }
    machine.published = undefined;
  }

  /** In the end both machines and the site have the same pages. */
  async settle(): Promise<void> {
    const [one, other] = this.machines;
    if (one === undefined || other === undefined) return;
    for (const machine of [one, other]) {
      await this.pull(machine, "mine");
      await this.publish(machine, "auto");
      await this.push(machine, true, { mine: true });
    }
    await this.pull(one, undefined);
    expect(contentsOf(one.folder)).toEqual(contentsOf(other.folder));
  }

  /** @returns whether it ended, and no page was edited on both sides */
  async #pull(
    folder: string,
    choice: "mine" | "theirs" | undefined,
    killedAfter = 1000,
  ): Promise<boolean> {
    let left = killedAfter;
    const live = () => {
      if (left === 0) throw new Killed();
      left -= 1;
    };
    const { put, remove } = Stage.prototype;
    const spies = [
      vi.spyOn(Stage.prototype, "put").mockImplementation(function (this: Stage, ...args) {
        live();
        put.apply(this, args);
      }),
      vi.spyOn(Stage.prototype, "remove").mockImplementation(function (this: Stage, ...args) {
        live();
        remove.apply(this, args);
      }),
    ];
    try {
      const { url } = this.#site;
      const choices = choice === undefined ? {} : { [choice]: true as const };
      await pull({ api: this.#api, url, folder, choices, dryRun: false, tell: () => {} });
      return true;
    } catch (error) {
      const isNamed = error instanceof CommandError && error.code === "EDITED_TWICE";
      if (!isNamed && !(error instanceof Killed)) throw error;
      return false;
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }

  /** Each change fits what was before it, and together they give the pages that there are. */
  async #checkLog(): Promise<void> {
    const { url } = this.#site;
    const log = await openPublished(url);
    const changes = [];
    for await (const change of log.read([url])) changes.unshift(change);
    const listed = new Set<string>();
    for (const change of changes) {
      const path = decodeURIComponent(change.url.slice(url.length)).normalize("NFC");
      expect([path, change.kind, listed.has(path)]).toEqual([
        path,
        change.kind,
        change.kind !== "created",
      ]);
      if (change.kind === "deleted") listed.delete(path);
      else listed.add(path);
    }
    const pathOf = (name: Name) => name.replace(/(?:index)?\.html$/, "");
    const logged = NAMES.filter((name) => this.#logged.get(name).text !== undefined).map(pathOf);
    expect([...listed].sort()).toEqual(logged.sort());
  }

  async #emit(folder: string, previous: string): Promise<void> {
    this.#days += 1;
    const now = new Date(Date.UTC(2026, 0, 1 + this.#days, 0, 0, this.#days));
    const site = { url: this.#site.url, cleanUrls: true, history: "files" } as const;
    const cacheFolder = temporaryFolder();
    const allowed = { allowMassDelete: true, testAddress: true };
    await emit({ ...site, ...allowed, folder, previous, now }, { cacheFolder });
  }

  async #push(folder: string, deletes: boolean, choices: Choices = {}): Promise<void> {
    const { url } = this.#site;
    const request = { api: this.#api, folder, url, limits: FREE, deletes, choices };
    await push({ ...request, skipsRefused: false, dryRun: false, tell: () => {} });
  }
}

type Step =
  | { readonly does: "edit"; readonly side: number; readonly name: Name; readonly how: number }
  | { readonly does: "delete"; readonly side: number; readonly name: Name }
  | {
      readonly does: "send";
      readonly side: number;
      readonly previous: string;
      readonly deletes: boolean;
    }
  | { readonly does: "browse"; readonly side: number; readonly name: Name }
  | { readonly does: "publish"; readonly side: number; readonly previous: string }
  | {
      readonly does: "fetch";
      readonly side: number;
      readonly choice: "mine" | "theirs" | undefined;
      readonly killedAfter: number | undefined;
    };

const side = fc.nat(1);
const name = fc.constantFrom(...NAMES);
const previous = fc.constantFrom("auto", "site");
const choice = fc.constantFrom(undefined, "mine" as const, "theirs" as const);
const killedAfter = fc.option(fc.nat(8), { freq: 2, nil: undefined });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("edit" as const),
      ...{ side, name, how: fc.integer({ min: -4, max: 3 }) },
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("delete" as const), side, name }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("send" as const),
      ...{ side, previous, deletes: fc.boolean() },
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("browse" as const), side, name }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("publish" as const), side, previous }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("fetch" as const), side, choice, killedAfter }),
  },
);

const WRITTEN = { does: "browse", side: 0, name: "b/é.html" } as const;
const SENT = { does: "send", side: 0, previous: "auto" } as const;

/** A page that was written in the browser, and an author who never fetches. */
const WITHOUT_FETCHING: readonly Step[][] = [
  [WRITTEN, { ...SENT, deletes: true }],
  [WRITTEN, { ...SENT, deletes: false }, { ...SENT, deletes: true }],
];

async function play(world: World, step: Step): Promise<void> {
  const machine = world.machines[step.side];
  if (machine === undefined) return;
  if (step.does === "edit") world.change(machine, step.name, step.how);
  else if (step.does === "delete") world.change(machine, step.name, "delete");
  else if (step.does === "browse") world.browse(step.name);
  else if (step.does === "fetch") await world.pull(machine, step.choice, step.killedAfter);
  else {
    await world.publish(machine, step.previous);
    if (step.does === "send") await world.push(machine, step.deletes);
  }
}

test("two machines and a browser, whatever they do: no edit is lost, and no older page is told as an update", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      await using site = await new Neocities().start();
      // What happens in one second cannot be told apart, so each step has a minute of its own.
      const start = Math.floor(Date.now() / 1000) - 86_400;
      let minutes = 0;
      site.now = () => start + 60 * minutes;
      const world = await World.of(site);
      for (const one of steps) {
        minutes += 1;
        await play(world, one);
      }
      minutes += 1;
      await world.settle();
    }),
    { numRuns: rounds(8, 300), examples: WITHOUT_FETCHING.map((steps) => [steps]) },
  );
});
