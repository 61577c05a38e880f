import { at } from "../documents.ts";
import {
  CAPABILITIES,
  capabilityless,
  drop,
  dropLink,
  judged,
  LIST,
  LISTS,
  OCTOBER,
  ownAttribute,
  SEPTEMBER,
  swap,
} from "./site.ts";

export function changes(): void {
  judged(
    "change-list-capability",
    "A Change List does not say that it is one.",
    ["I25a error", "R85a error"],
    OCTOBER,
    capabilityless,
    { also: [LISTS] },
  );
  judged(
    "change-list-from",
    "A Change List has no from.",
    ["I25b error", "R85b error", "R117 error"],
    OCTOBER,
    ownAttribute("from"),
    { also: [LISTS] },
  );
  judged(
    "change-list-up",
    "A Change List does not link its Capability List.",
    ["I24 error", "R85d error", "R21 error"],
    OCTOBER,
    dropLink("up"),
  );
  judged(
    "change-list-index-link",
    "A Change List behind an index does not link it.",
    ["R85e warning", "R22 warning"],
    OCTOBER,
    dropLink("index"),
  );
  judged(
    "change-missing",
    "An entry of a Change List does not say what happened.",
    ["I27 error", "R86b error"],
    OCTOBER,
    drop(' change="created"'),
  );
  judged(
    "change-unknown",
    "An entry of a Change List says renamed.",
    ["R46 error", "I27 error"],
    OCTOBER,
    swap('change="created"', 'change="renamed"'),
  );
  judged(
    "datetime-missing",
    "An entry of a Change List does not say when it happened.",
    ["I28 error"],
    OCTOBER,
    drop(/ datetime="2026-10-03[^"]*"/),
  );
  judged(
    "change-loc",
    "An entry of a Change List has no loc.",
    ["R86a error", "R43 error"],
    OCTOBER,
    drop(/ *<loc>[^<]*b\.html<\/loc>\n/),
  );
  judged(
    "change-order",
    "Changes do not stand in order of time.",
    ["R83 error"],
    OCTOBER,
    swap("2026-10-02T", "2026-10-05T"),
  );
  judged(
    "change-before-from",
    "A change is before its list's from.",
    ["R47 error"],
    SEPTEMBER,
    swap("2026-09-02T", "2026-08-31T"),
  );
  judged(
    "change-after-until",
    "A change is after its list's until.",
    ["R47 error"],
    SEPTEMBER,
    swap("2026-09-04T00:", "2026-10-01T12:"),
  );
  judged(
    "datetime-in-words",
    "A datetime is none.",
    ["R41 error"],
    OCTOBER,
    swap('datetime="2026-10-03T00:00:00Z"', 'datetime="3 October 2026"'),
  );
  judged(
    "datetime-without-time",
    "A datetime is a date only.",
    ["R41 warning"],
    OCTOBER,
    swap('datetime="2026-10-03T00:00:00Z"', 'datetime="2026-10-03"'),
  );
  judged(
    "time-not-of-its-kind",
    "A Change List has at, which is for Resource Lists.",
    ["R117b warning"],
    OCTOBER,
    swap('capability="changelist"', 'capability="changelist" at="2026-10-01T00:00:00Z"'),
  );
}

export function indexes(): void {
  judged(
    "index-capability",
    "A Change List Index does not say what it is of.",
    ["R93a error"],
    LISTS,
    capabilityless,
    { also: [CAPABILITIES] },
  );
  judged(
    "index-from",
    "A Change List Index has no from.",
    ["R93b error"],
    LISTS,
    ownAttribute("from"),
  );
  judged(
    "index-up",
    "A Change List Index does not link the Capability List.",
    ["R93c error"],
    LISTS,
    dropLink("up"),
  );
  judged(
    "index-loc",
    "An entry of a Change List Index has no loc.",
    ["R93d error"],
    LISTS,
    swap(
      "</sitemapindex>",
      `  <sitemap><rs:md from="2026-10-10T00:00:00Z"/></sitemap>\n</sitemapindex>`,
    ),
  );
  judged(
    "index-entry-from",
    "An entry of a Change List Index has not the from of its list.",
    ["R93e warning"],
    LISTS,
    drop(/(?<=changelist-10\.xml<\/loc>\s*)<rs:md from="[^"]*"\/>/),
  );
  judged(
    "index-until",
    "An entry of a Change List Index has no until, though its list is closed.",
    ["R93f error"],
    LISTS,
    drop(/ until="[^"]*"/),
  );
  judged(
    "index-order",
    "A Change List Index does not have its lists in order of time.",
    ["R92b error"],
    LISTS,
    (text) => {
      const entries = text.match(/ {2}<sitemap>[\s\S]*?<\/sitemap>\n/g) ?? [];
      return text.replace(entries.join(""), entries.toReversed().join(""));
    },
    { also: [SEPTEMBER] },
  );
  judged(
    "part-of-another-index",
    "A part links an index that does not list it.",
    ["R22 error"],
    OCTOBER,
    swap(at(LISTS), at(LIST)),
  );
}
