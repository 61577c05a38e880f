import { HarvestError } from "../errors.ts";

/** What was looked at in vain. */
export interface LookedAt {
  /** The page whose links were followed. */
  readonly page: string;
  /** Where a Source Description could have stood; the first is where the site's author should put it. */
  readonly places: readonly [string, ...string[]];
}

/** Nothing at an address, or around it, says what changes there. */
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
