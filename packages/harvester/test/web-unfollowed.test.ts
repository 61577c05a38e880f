import type { ListedChange } from "@rs-emit/reader";
import * as fc from "fast-check";
import { parseAtomFeed } from "feedsmith";
import { expect, test } from "vitest";
import { unfollow } from "../src/store/following/following.ts";
import { sweep } from "../src/store/sweep.ts";
import { TestLibrary } from "./support/library.ts";
import { describeStores } from "./support/stores.ts";
import { HOST, TestService } from "./support/web.ts";

type Step =
  /** A site tells so many changes more, each in an entry of its own. */
  | { readonly kind: "tell"; readonly site: number; readonly changes: number }
  | { readonly kind: "unfollow"; readonly site: number }
  | { readonly kind: "sweep"; readonly times: number };

const site = fc.nat(3);
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("tell" as const),
        site,
        changes: fc.oneof(fc.nat(5), fc.nat(120)),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("unfollow" as const), site }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("sweep" as const), times: fc.nat(3) }) },
  ),
  { minLength: 2, maxLength: 10 },
);

describeStores("the feed of everything, on $name", () => {
  test("has the newest entries of followed sites, and leads to all others, whatever is unfollowed", {
    timeout: 120_000,
  }, async () => {
    await using library = await TestLibrary.start();
    library.settings = { ...library.settings, entries: "change" };
    await fc.assert(
      fc.asyncProperty(steps, async (some) => {
        await library.forgetAll();
        const model = new Model(library);
        const service = new TestService(library);
        for (const step of some) {
          await model.take(step);
          if (step.kind !== "tell") await expectFeed(service, model.reported.toReversed());
        }
      }),
      { numRuns: 5 },
    );
  });

  test("shows what was told before a large source that is unfollowed", async () => {
    await using library = await TestLibrary.start();
    library.settings = { ...library.settings, entries: "change" };
    const model = new Model(library);
    const service = new TestService(library);
    await model.take({ kind: "tell", site: 0, changes: 130 });
    await model.take({ kind: "tell", site: 1, changes: 400 });
    const archive = "/feeds/all/archive/9.atom";
    expect(entriesIn(await service.text(archive))).toHaveLength(50);
    await model.take({ kind: "unfollow", site: 1 });
    for (let more = true; more; more = await sweep(library.database)) {
      await expectFeed(service, model.reported.toReversed());
    }
    await expectFeed(service, model.reported.toReversed());
    // A reader that stands at an archive of the large one still finds the others.
    const empty = await service.text(archive);
    const { entries = [], updated } = parseAtomFeed(empty);
    expect([entries, (updated ?? "").slice(0, 4)]).toEqual([[], "2026"]);
    expect(previousIn(empty)).toBe("/feeds/all/archive/3.atom");
  });
});

/** Sites that are followed, and the pages that feeds should tell, the oldest first. */
class Model {
  reported: readonly string[] = [];
  readonly #library: TestLibrary;
  readonly #sites = new Map<number, { readonly id: number; readonly pages: string[] }>();
  readonly #begun: number;
  #pages = 0;
  #followed = 0;

  constructor(library: TestLibrary) {
    this.#library = library;
    this.#begun = library.time;
  }

  async take(step: Step): Promise<void> {
    if (step.kind === "sweep") {
      for (let at = 0; at < step.times; at += 1) await sweep(this.#library.database);
    } else if (step.kind === "unfollow") await this.#unfollow(step.site);
    else await this.#tell(step.site, step.changes);
  }

  async #unfollow(site: number): Promise<void> {
    const known = this.#sites.get(site);
    if (known === undefined) return;
    await unfollow(this.#library.database, known.id);
    this.#sites.delete(site);
    const gone = new Set(known.pages);
    this.reported = this.reported.filter((page) => !gone.has(page));
  }

  async #tell(site: number, count: number): Promise<void> {
    const library = this.#library;
    library.time += 60;
    const address = `https://s${site}.example/`;
    const known = this.#sites.get(site) ?? { id: await library.follow(address), pages: [] };
    this.#sites.set(site, known);
    if (known.pages.length === 0) this.#followed += 1;
    const added = Array.from({ length: count }, () => {
      this.#pages += 1;
      return `${address}${this.#followed}/${String(this.#pages).padStart(6, "0")}`;
    });
    known.pages.push(...added);
    this.reported = [...this.reported, ...added];
    const changes = known.pages.map(
      (url): ListedChange => ({
        url,
        kind: "created",
        datetime: this.#begun - 3_600 + Number(url.slice(-6)) / 1_000,
        isMinor: false,
      }),
    );
    await library.check(known.id, { collections: [{ path: "", changes }] });
  }
}

/** @param pages the newest first */
async function expectFeed(service: TestService, pages: readonly string[]): Promise<void> {
  const [newest = "", ...archives] = await documents(service);
  expect(entriesIn(newest)).toEqual(pages.slice(0, 50));
  const inOrder = [newest, ...archives].flatMap(entriesIn);
  expect([...new Set(inOrder)].toSorted()).toEqual(pages.toSorted());
  for (const archive of archives) expect(entriesIn(archive)).not.toEqual([]);
  for (const text of [newest, ...archives]) {
    expect(parseAtomFeed(text).updated).toMatch(/^2026-/);
  }
  const known = { "if-none-match": "*" };
  expect((await service.ask("/feeds/all.atom", { headers: known })).status).toBe(304);
  expect(service.problems).toEqual([]);
}

/** The feed, and the archives that it leads to. */
async function documents(service: TestService): Promise<string[]> {
  const texts: string[] = [];
  for (let path: string | undefined = "/feeds/all.atom"; path !== undefined; ) {
    const text = await service.text(path);
    texts.push(text);
    path = previousIn(text);
  }
  return texts;
}

function previousIn(text: string): string | undefined {
  const link = parseAtomFeed(text).links?.find(({ rel }) => rel === "prev-archive");
  return link?.href?.replace(`http://${HOST}`, "");
}

/** The pages that a document's entries lead to. */
function entriesIn(text: string): string[] {
  const { entries = [] } = parseAtomFeed(text);
  return entries.map(
    ({ links = [] }) => links.find(({ rel }) => rel === "alternate")?.href ?? "no page",
  );
}
