import fc from "fast-check";
import { type Step, someStep } from "../model/edits.ts";

/** What happens between an author and a copy of the site. */
export type Event =
  | { readonly event: "publish"; readonly step: Step }
  | { readonly event: "sync" }
  /** The process is killed when it has asked for so many things. */
  | { readonly event: "crash"; readonly at: number };

const someEvent: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ event: fc.constant("publish" as const), step: someStep }) },
  { weight: 3, arbitrary: fc.constant({ event: "sync" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      event: fc.constant("crash" as const),
      at: fc.integer({ min: 0, max: 20 }),
    }),
  },
);

/** An author and a copy for some time. */
export const someCopying: fc.Arbitrary<readonly Event[]> = fc.array(someEvent, {
  minLength: 2,
  maxLength: 16,
  size: "max",
});
