import { count, list } from "@rs-emit/documents";
import { EmitError, NOTHING_WRITTEN } from "../model/errors.ts";

const NAMED = 10;

interface StalePages {
  readonly site: string;
  readonly folder: string;
  readonly stale: readonly string[];
  readonly both: readonly string[];
}

/** The site was published from elsewhere after the folder received its documents. */
export function stalePagesError({ site, folder, stale, both }: StalePages): EmitError {
  const states = [
    ...(stale.length === 0
      ? []
      : [`${count(stale.length, "page is", "pages are")} still as before (${list(stale, NAMED)})`]),
    ...(both.length === 0
      ? []
      : [`${count(both.length, "page was", "pages were")} edited in both (${list(both, NAMED)})`]),
  ];
  return new EmitError({
    code: "STALE_PAGES",
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
}

function command(site: string, folder: string): string {
  const name = /^https:\/\/([^./]+)\.neocities\.org\//.exec(site)?.[1] ?? new URL("/", site).href;
  return `npx rs-emit neocities ${name} --pull ${/\s/.test(folder) ? `"${folder}"` : folder}`;
}
