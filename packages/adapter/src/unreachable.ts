import type { EmitError } from "@rs-emit/core";
import { isEmitError, isSiteUnclear, optionError } from "@rs-emit/core/adapter";
import type { Variables } from "./preview.ts";

/** What a build does where it is unclear what the live site has published. */
export const ON_UNREACHABLE = ["warn", "fail"] as const;

export type OnUnreachable = (typeof ON_UNREACHABLE)[number];

/** The value for an author who builds at home and deploys from another place. */
export const AT_HOME = 'process.env.CI ? "fail" : "warn"';

/** @throws {EmitError} `OPTION` for `warn` where a deploy may follow */
export function refuseWarning(option: OnUnreachable | undefined, variables: Variables): void {
  if (option !== "warn" || !isDeploying(variables)) return;
  const allowed = `for builds at home only: ${AT_HOME}`;
  throw optionError("onUnreachable", option, allowed);
}

/** Without the option, a build continues only outside CI, and only when the live site is unreachable. */
export function mayGoOn(
  error: unknown,
  option: OnUnreachable | undefined,
  variables: Variables,
): error is EmitError {
  if (option === "fail" || isDeploying(variables)) return false;
  return option === "warn" ? isSiteUnclear(error) : isEmitError(error, "SITE_UNREACHABLE");
}

/** Whether a build at home would continue if the option were set. */
export function wouldGoOn(
  error: unknown,
  option: OnUnreachable | undefined,
  variables: Variables,
): boolean {
  return option === undefined && mayGoOn(error, "warn", variables);
}

/** Build hosts and workflows set CI: https://docs.github.com/actions/reference/variables */
function isDeploying({ CI }: Variables): boolean {
  return CI !== undefined && CI !== "" && CI !== "0" && CI !== "false";
}
