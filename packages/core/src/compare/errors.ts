import { count, list } from "@rs-emit/documents";
import { EmitError, NOTHING_WRITTEN } from "../model/errors.ts";

const NAMED = 10;

interface StalePages {
  readonly site: string;
  readonly folder: string;
  /** Older here than on the site: paths below the site. */
  readonly stale: readonly string[];
  /** Edited here and on the site. */
  readonly both: readonly string[];
  readonly isBuilt: boolean;
}

/** The site was published from elsewhere since its documents came into the folder. */
export class StalePagesError extends EmitError {
  readonly code = "STALE_PAGES";
  readonly pages: readonly string[];
  constructor({ site, folder, stale, both, isBuilt }: StalePages) {
    const states = [
      ...(stale.length === 0
        ? []
        : [`${count(stale.length, "page is", "pages are")} as before it (${list(stale, NAMED)})`]),
      ...(both.length === 0
        ? []
        : [
            `${count(both.length, "page was", "pages were")} edited in both (${list(both, NAMED)})`,
          ]),
    ];
    super({
      problem:
        `${site} was published from elsewhere after the folder ${folder} was. Here ${states.join(", and ")}: ` +
        "publishing would undo what was done there.",
      cure: isBuilt ? BUILT : `${FETCH} ${command(site, folder)}.`,
      outcome: NOTHING_WRITTEN,
      option: "previous",
    });
    this.pages = [...stale, ...both];
  }
}

const BUILT =
  "Fetch the newest sources (git pull), empty the output folder, build and run again: a new build is " +
  "compared with the live site alone.";

const FETCH =
  "Fetch the site's files into the folder, with the documents of its change log, then run again. For Neocities:";

function command(site: string, folder: string): string {
  const name = /^([^.]+)\.neocities\.org$/.exec(new URL(site).hostname)?.[1] ?? new URL(site).host;
  return `rs-emit neocities ${name} --pull ${/\s/.test(folder) ? `"${folder}"` : folder}`;
}
