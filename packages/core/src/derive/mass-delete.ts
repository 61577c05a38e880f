import { EmitError } from "../errors.ts";
import type { Inventory, Withheld } from "../model.ts";
import { urlKey } from "../site/url.ts";
import type { Difference } from "./differences.ts";

const MOST = 20;

/** Most known pages are gone: more likely a broken build than an author's wish. */
export class MassDeleteError extends EmitError {
  readonly code = "MASS_DELETE";
  readonly gone: number;
  constructor(gone: number, known: number, some: readonly string[]) {
    super(
      `${gone} of the ${known} known pages are gone or hidden (${some.join(", ")}, …). That looks like a build ` +
        "that went wrong. If they are meant to be gone, say so with the option " +
        "allowMassDelete (--allow-mass-delete), for one run only. Nothing was written.",
    );
    this.gone = gone;
  }
}

/** A build for testing hides every page from search engines. */
function isHidden({ reason }: Withheld): boolean {
  return reason === "noindex" || reason === "redirect";
}

/**
 * Stops a run that would report most of the site as deleted.
 *
 * @param known how many resources the last publication listed
 * @throws {MassDeleteError} when more than half of them, and more than twenty, are gone
 */
export function refuseMassDelete(
  differences: readonly Difference[],
  known: number,
  { withheld }: Inventory,
): void {
  const hidden = new Set(withheld.filter(isHidden).map(({ url }) => urlKey(url)));
  const gone = differences.filter(
    ({ kind, minor, url }) => kind === "deleted" && (!minor || hidden.has(urlKey(url))),
  );
  if (gone.length <= MOST || gone.length * 2 <= known) return;
  throw new MassDeleteError(
    gone.length,
    known,
    gone.slice(0, 3).map(({ url }) => url),
  );
}
