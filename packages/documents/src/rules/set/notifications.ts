import { urlKey } from "../../urls.ts";
import { notificationSection, RESOURCESYNC_ONLY } from "../rule.ts";
import { differ, spanOf } from "../span.ts";
import type { Member, SetRule } from "./linked.ts";

/** Notifications that were sent one after another. */
export const SEQUENCE_RULES: readonly SetRule[] = [
  {
    id: "notification-sequence",
    severity: "must",
    source: notificationSection("3"),
    profiles: RESOURCESYNC_ONLY,
    check(set, report) {
      const channels = new Map<string, Member[]>();
      for (const member of set.ofKind("change-notification")) {
        const channel = urlKey(member.link("up") ?? "");
        channels.set(channel, [...(channels.get(channel) ?? []), member]);
      }
      for (const channel of channels.values()) {
        let previous: Member | undefined;
        for (const member of channel.toSorted((one, other) => start(one) - start(other))) {
          const until = spanOf(previous?.document.metadata.until);
          if (differ(until, spanOf(member.document.metadata.from))) {
            const message = `It does not begin where ${previous?.url} ends. Let from be that until.`;
            report(member, "rs:md@from", message);
          }
          previous = member;
        }
      }
    },
  },
];

function start({ document }: Member): number {
  return spanOf(document.metadata.from)?.earliest ?? 0;
}
