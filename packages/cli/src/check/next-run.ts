import { join, resolve } from "node:path";
import type { EmitError, EmitOptions } from "@rs-emit/core";
import type { Stop } from "@rs-emit/documents/check";
import { asFlag } from "../flags.ts";
import type { Config } from "../index.ts";
import { urlIn } from "./folder.ts";

interface Published {
  /** Ends with a slash. */
  readonly url: string;
  /** `undefined` for a live site. */
  readonly folder: string | undefined;
  readonly config: Config;
}

/** What would stop a run that continues what is published. */
export async function nextRunOf({ url, folder, config }: Published): Promise<Stop | undefined> {
  const { stopOfNextRun } = await import("@rs-emit/core");
  const options: EmitOptions = { ...config, url, folder: folder ?? "." };
  const error = await stopOfNextRun(options, folder === undefined ? "site" : "output");
  if (error === undefined) return undefined;
  const { problem, cure } = error.worded(asFlag);
  const path = documentOf(error, url);
  return {
    document: path === undefined ? url : urlIn(url, path),
    file: path === undefined || folder === undefined ? undefined : join(folder, path),
    what: problem,
    cure,
  };
}

/** The document that an error is about, below the site. */
function documentOf(error: EmitError, url: string): string | undefined {
  if ("document" in error && typeof error.document === "string") return error.document;
  if ("files" in error && Array.isArray(error.files)) return String(error.files[0]);
  if ("url" in error && typeof error.url === "string" && error.url.startsWith(url)) {
    return error.url.slice(url.length);
  }
  return undefined;
}

/** The options of a folder; a config that stands nearby may be of another one. */
export function configFor(folder: string, config: Config): Config {
  const isOther = config.folder !== undefined && resolve(config.folder) !== resolve(folder);
  return isOther ? {} : config;
}
