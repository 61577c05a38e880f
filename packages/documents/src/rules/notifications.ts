import { notificationSection, RESOURCESYNC_ONLY, type Rule } from "./rule.ts";

/** Change notifications: changes that are pushed. */
export const NOTIFICATION_RULES: readonly Rule[] = [
  {
    id: "notification-interval",
    severity: "must",
    source: notificationSection("3"),
    profiles: RESOURCESYNC_ONLY,
    kinds: ["change-notification"],
    head({ head }, report) {
      for (const name of ["from", "until"] as const) {
        if (head.metadata[name] !== undefined) continue;
        report(`rs:md@${name}`, `Nobody can tell whether a notification was missed. Add ${name}.`);
      }
    },
  },
];
