import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { PushedSite } from "./support/pushed-site.ts";
import { describeStores } from "./support/stores.ts";

let pushed: PushedSite;

const KINDS = ["created", "updated", "deleted"] as const;

/** What becomes of a notification on its way. */
interface Carriage {
  readonly does: "deliver" | "lose" | "repeat";
  readonly which: number;
}

/** What happens next, in a site that changes, pushes and publishes, and on the way to who follows it. */
type Step =
  | { readonly does: "change"; readonly kind: (typeof KINDS)[number]; readonly page: string }
  | Carriage
  | { readonly does: "push" | "publish" | "check" | "tend" };

const page = fc.constantFrom("a", "b", "c");
const kind = fc.constantFrom(...KINDS);
const STEPS = {
  change: fc.record({ does: fc.constant<"change">("change"), kind, page }),
  carry: fc.record({
    does: fc.constantFrom<("deliver" | "lose" | "repeat")[]>(
      "deliver",
      "deliver",
      "lose",
      "repeat",
    ),
    which: fc.nat(9),
  }),
  other: fc.record({
    does: fc.constantFrom<("push" | "publish" | "check" | "tend")[]>(
      "push",
      "push",
      "publish",
      "check",
      "tend",
    ),
  }),
};
const step: fc.Arbitrary<Step> = fc.oneof(STEPS.change, STEPS.carry, STEPS.other);

/** A site that pushes, and notifications on their way. */
class World {
  readonly changes: string[] = [];
  readonly #source: number;
  readonly #onTheirWay: string[] = [];
  #pushed = 0;
  #from = 0;
  #clock = 0;

  constructor(source: number) {
    this.#source = source;
  }

  async take(step: Step): Promise<void> {
    this.#clock += 10;
    pushed.time = this.#clock;
    if ("which" in step) await this.#carry(step);
    else if (step.does === "change") this.changes.push(`${step.kind} ${step.page} ${this.#clock}`);
    else if (step.does === "push") this.#push();
    else if (step.does === "publish") pushed.publish({ changes: this.changes });
    else if (step.does === "check") await this.#check();
    else await pushed.tend();
  }

  source() {
    return pushed.sites.source(this.#source);
  }

  /** Everything is published in the end, and read. */
  async finish(): Promise<void> {
    pushed.publish({ changes: this.changes });
    pushed.time = this.#clock + 600;
    await this.#check();
  }

  async #check(): Promise<void> {
    await pushed.sites.check(this.#source);
  }

  #push(): void {
    const news = this.changes.slice(this.#pushed);
    this.#onTheirWay.push(pushed.notification(this.#from, this.#clock, news));
    this.#pushed = this.changes.length;
    this.#from = this.#clock;
  }

  async #carry({ does, which }: Carriage): Promise<void> {
    const at = which % Math.max(this.#onTheirWay.length, 1);
    const body = this.#onTheirWay[at];
    if (body === undefined) return;
    if (does !== "repeat") this.#onTheirWay.splice(at, 1);
    if (does !== "lose") await pushed.hub.deliver(pushed.topic, body);
  }
}

/** Whether the change before it of the same page was a deletion as well. */
function isRepeatedDeletion(change: string, at: number, all: readonly string[]): boolean {
  const [kind, page] = change.split(" ");
  const before = all.slice(0, at).findLast((one) => one.split(" ")[1] === page);
  return kind === "deleted" && before?.startsWith("deleted") === true;
}

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item, at: number, all: readonly Item[]) => boolean,
): [Item[], Item[]] {
  return [
    items.filter((item, at, all) => isFirst(item, at, all)),
    items.filter((item, at, all) => !isFirst(item, at, all)),
  ];
}

describeStores("pushes and polls, on $name", () => {
  beforeAll(async () => {
    pushed = await PushedSite.start();
  });
  afterAll(() => pushed[Symbol.asyncDispose]());
  beforeEach(() => pushed.reset());

  test("each change reaches the feed once, however pushes and polls interleave", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await pushed.reset();
        const world = new World(await pushed.follow());
        await pushed.tend();
        for (const one of steps) await world.take(one);
        await world.finish();
        const reported = (await pushed.sites.harvester.reportedChanges()).toSorted();
        const [repeated, once] = partition(world.changes, isRepeatedDeletion);
        // Of a deletion that repeats another one, a push tells before it can be known.
        const inWords = (change: string) => {
          const [kind, page = "", second] = change.split(" ");
          return `${pushed.site.urlOf(page)} ${kind} ${Date.parse(pushed.at(Number(second))) / 1000}`;
        };
        const mayBeTold = new Set(repeated.map(inWords));
        expect(reported.filter((change) => !mayBeTold.has(change))).toEqual(
          once.map(inWords).toSorted(),
        );
        expect(new Set(reported).size).toBe(reported.length);
        expect((await world.source())?.notice).toBeNull();
      }),
      { numRuns: rounds(8, 30) },
    );
  });
});
