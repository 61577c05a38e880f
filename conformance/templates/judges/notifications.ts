import { at } from "../documents.ts";
import { CAPABILITIES, drop, type Edit, judged, NOTIFICATION, ownAttribute, SITE } from "./site.ts";

export function notifications(): void {
  const site = {
    ...SITE,
    [CAPABILITIES]: (SITE[CAPABILITIES] ?? "").replace(
      "</urlset>",
      `  <url><loc>${at("/notification.xml")}</loc><rs:md capability="change-notification"/><rs:ln rel="hub" href="https://hub.example/"/></url>\n</urlset>`,
    ),
    "/notification.xml": NOTIFICATION,
  };
  const notification = (name: string, about: string, finds: readonly string[], edit: Edit) =>
    judged(name, about, finds, "/notification.xml", edit, { site });
  notification(
    "notification-from",
    "A notification has no from.",
    ["N7b error"],
    ownAttribute("from"),
  );
  notification(
    "notification-until",
    "A notification has no until.",
    ["N7c error"],
    ownAttribute("until"),
  );
  notification(
    "notification-change",
    "An entry of a notification does not say what happened.",
    ["N11b error"],
    drop(/ change="[^"]*"/),
  );
  notification(
    "notification-loc",
    "An entry of a notification has no loc.",
    ["N11a error"],
    drop(/ *<loc>[^<]*<\/loc>\n/),
  );
}
