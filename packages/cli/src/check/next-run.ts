import { join } from "node:path";
import type { Stop } from "@rs-emit/check";
import type { EmitError, EmitOptions } from "@rs-emit/core";
import { asFlag } from "../flags.ts";
import { urlIn } from "../published-folder.ts";

/** The error that would stop a run after the publication in the folder or on the site. */
export async function nextRunOf(
  options: EmitOptions & { readonly url: string },
  from: "output" | "site",
): Promise<Stop | undefined> {
  const { stopOfNextRun } = await import("@rs-emit/core");
  const error = await stopOfNextRun(options, from);
  if (error === undefined) return undefined;
  const { folder, url } = options;
  const { problem, cure } = error.worded(asFlag);
  const path = documentOf(error, url);
  return {
    document: path === undefined ? url : urlIn(url, path),
    file: path === undefined || from === "site" ? undefined : join(folder, path),
    what: problem,
    cure,
  };
}

/** The document of an error, relative to the site. */
function documentOf({ about }: EmitError, url: string): string | undefined {
  if (about === undefined || !/^https?:/.test(about)) return about;
  return about.startsWith(url) ? about.slice(url.length) : undefined;
}
