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
}

/** The site was published from elsewhere since its documents came into the folder. */
export class StalePagesError extends EmitError {
  readonly code = "STALE_PAGES";
  readonly pages: readonly string[];
  constructor({ site, folder, stale, both }: StalePages) {
    const states = [
      ...(stale.length === 0
        ? []
        : [
            `${count(stale.length, "page is", "pages are")} still as before (${list(stale, NAMED)})`,
          ]),
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
      cure: [
        "Fetch the site's files into the folder, with the documents of its change log, and run again. For " +
          `Neocities: ${command(site, folder)}.`,
        "If a builder fills the folder, fetch the newest sources and empty it before the build.",
      ],
      outcome: NOTHING_WRITTEN,
      option: "previous",
    });
    this.pages = [...stale, ...both];
  }
}

function command(site: string, folder: string): string {
  const name = /^https:\/\/([^./]+)\.neocities\.org\//.exec(site)?.[1] ?? new URL("/", site).href;
  return `npx rs-emit neocities ${name} --pull ${/\s/.test(folder) ? `"${folder}"` : folder}`;
}
