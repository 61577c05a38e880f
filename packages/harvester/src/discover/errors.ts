import { HarvestError } from "../errors.ts";

export interface LookedAt {
  readonly page: string;
  /** The first is where the author should publish it. */
  readonly places: readonly [string, ...string[]];
}

/** No change log was found at the address or around it. */
export class NotFoundError extends HarvestError {
  readonly code = "NO_SOURCE";
  constructor({ page, places }: LookedAt) {
    const [place, ...others] = places;
    const elsewhere = others.length === 0 ? "" : ` (nor at ${others.join(", ")})`;
    super(
      `This site publishes no ResourceSync documents: there is nothing at ${place}${elsewhere}, the page ` +
        `${page} has no link to them, and no robots.txt names them. ` +
        `To be followed, its author has to publish a Source Description at ${place}, as rs-emit does.`,
    );
  }
}
