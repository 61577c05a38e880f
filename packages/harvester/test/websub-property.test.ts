import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PushedSite } from "./support/pushed-site.ts";

let pushed: PushedSite;
beforeAll(async () => {
  pushed = await PushedSite.start();
});
afterAll(() => pushed[Symbol.asyncDispose]());
beforeEach(() => pushed.reset());

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

test("each change reaches the feed once, however pushes and polls interleave", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await pushed.reset();
      const world = new World(await pushed.follow());
      await pushed.tend();
      for (const one of steps) await world.take(one);
      await world.finish();
      const told = await pushed.sites.harvester.toldChanges();
      const stated = world.changes.map((change) => {
        const [kind, page = "", second] = change.split(" ");
        return `${pushed.site.urlOf(page)} ${kind} ${Date.parse(pushed.at(Number(second))) / 1000}`;
      });
      expect(told.toSorted()).toEqual(stated.toSorted());
      expect((await world.source())?.notice).toBeNull();
    }),
    { numRuns: 30 },
  );
});
