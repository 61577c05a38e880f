import fc from "fast-check";
import { type Step, someStep } from "../model/edits.ts";

/** What happens between an author and a harvester, in any order. */
export type Event =
  /** The site is edited, built and published; nobody sees it yet. */
  | { readonly event: "publish"; readonly step: Step }
  /** All that was published goes live; of a deploy that is cut, the documents that are chosen. */
  | { readonly event: "deploy"; readonly arrives?: readonly boolean[] }
  /** The harvester looks, so many seconds later. */
  | { readonly event: "check"; readonly pause: number }
  /** It looks, and dies at a query or a request. */
  | { readonly event: "crash"; readonly pause: number; readonly at: number };

const DAY = 86_400;
const pause = fc.constantFrom(0, 1, 60, 3600, DAY, 40 * DAY);

const someEvent: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ event: fc.constant("publish" as const), step: someStep }) },
  { weight: 4, arbitrary: fc.constant({ event: "deploy" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      event: fc.constant("deploy" as const),
      arrives: fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ event: fc.constant("check" as const), pause }) },
  {
    weight: 2,
    arbitrary: fc.record({
      event: fc.constant("crash" as const),
      pause,
      at: fc.integer({ min: 0, max: 40 }),
    }),
  },
);

/** A source and a harvester for some time. */
export const someFollowing: fc.Arbitrary<readonly Event[]> = fc.array(someEvent, {
  minLength: 2,
  maxLength: 25,
  size: "max",
});
