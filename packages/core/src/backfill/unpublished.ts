import type { BackfillEnvironment, Environment } from "../model/environment.ts";
import { type EmitError, optionError } from "../model/errors.ts";
import type { Recalled } from "../model/publication.ts";
import type { Settings } from "../options/settings.ts";
import { recallFrom } from "../recall/previous.ts";
import { alreadyPublishedError } from "./errors.ts";

/** @throws {EmitError} `ALREADY_PUBLISHED` since followers would receive every change again */
export async function requireUnpublished(
  settings: Settings,
  environment: Environment,
): Promise<Recalled> {
  if (settings.previous.kind === "none") throw withoutProof();
  environment.onProgress?.({ step: "recall", done: 0, total: 0 });
  const recalled = await recallFrom(settings, environment);
  if (recalled.kind !== "published") return recalled;
  throw alreadyPublishedError(recalled.publication.base, recalled.publication.folder);
}

export function withoutProof(): EmitError {
  const allowed =
    "auto, output, site or a folder, since a backfill needs proof that nothing was published";
  return optionError("previous", "none", allowed);
}

/** The proof is needed before the work and after it; the author is asked once. */
export function confirmOnce(environment: BackfillEnvironment): BackfillEnvironment {
  const { confirmFirst } = environment;
  if (confirmFirst === undefined) return environment;
  let confirmed = false;
  return {
    ...environment,
    confirmFirst: async (why) => {
      confirmed ||= await confirmFirst(why);
      return confirmed;
    },
  };
}
