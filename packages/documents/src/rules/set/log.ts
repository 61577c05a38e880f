import { urlKey } from "../../urls.ts";
import { brief, RESOURCESYNC_ONLY } from "../rule.ts";
import type { SetRule } from "./linked.ts";
import { logOf } from "./parts.ts";

/** Whether the log of a set of resources agrees with itself. */
export const LOG_RULES: readonly SetRule[] = [
  {
    id: "log-consistent",
    severity: "should",
    source: "rs-emit",
    profiles: RESOURCESYNC_ONLY,
    check(set, report) {
      for (const list of set.ofKind("capability-list")) {
        const last = new Map<string, string | undefined>();
        for (const { member, number, loc, change } of logOf(set, list)) {
          const problem = contradiction(last.get(urlKey(loc)), change);
          if (problem !== undefined) {
            report(member, `entry ${number}, rs:md@change`, `${brief(loc)} ${problem}`);
          }
          last.set(urlKey(loc), change);
        }
      }
    },
  },
];

function contradiction(last: string | undefined, change: string | undefined): string | undefined {
  const alive = last === "created" || last === "updated";
  if (change === "created" && alive) {
    return "is created though it exists already. Call it updated, or tell its deletion first.";
  }
  if ((change === "updated" || change === "deleted") && last === "deleted") {
    return `is ${change} though it is deleted already. Tell its creation first.`;
  }
  return undefined;
}
