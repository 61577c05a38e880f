import { collapsed } from "../text-flow.ts";

/** A refresh within this many seconds is a redirect. */
const REDIRECT_SECONDS = 10;

const REFRESH = /^ ?(\d+)(?:\.[\d.]*)? ?[;, ] ?(?:url ?= ?)?["']?(.*)/i;

/** The target of a `meta` (HTML standard, "Refresh state"). Without a URL it reloads its own page. */
export function refreshTarget(attribs: Readonly<Record<string, string>>): string | undefined {
  if (attribs["http-equiv"]?.trim().toLowerCase() !== "refresh") return undefined;
  const [, seconds, url] = REFRESH.exec(collapsed(attribs.content ?? "")) ?? [];
  const target = url?.replace(/["'].*/, "").trim() ?? "";
  const leadsElsewhere =
    Number(seconds) <= REDIRECT_SECONDS && target !== "" && !target.startsWith("#");
  return leadsElsewhere ? target : undefined;
}
