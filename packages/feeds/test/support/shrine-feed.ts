import type { Feed, FeedChange, FeedCollection } from "../../src/model.ts";

const SITE = "https://example.org/moss/";

export const shrine: FeedCollection = {
  title: "Moss shrine",
  url: SITE,
  authors: ["Ida Quell"],
  feedId: "tag:feeds.example,2026:collection/1",
  feedUrl: "https://feeds.example/collections/1.atom",
};

/** A moment in October 2026. */
export function october(day: number, hour = 18, minute = 30): number {
  return Date.UTC(2026, 9, day, hour, minute) / 1000;
}

export function change(
  kind: FeedChange["kind"],
  page: string,
  more: Partial<FeedChange> = {},
): FeedChange {
  return { url: SITE + page, kind, datetime: october(5), isMinor: false, ...more };
}

/** A feed as a small site has it: a check that found much, one that found one page, and minor changes. */
export const shrineFeed: Feed = {
  id: shrine.feedId,
  generator: "rs-harvest",
  title: "Moss shrine",
  subtitle: "All I know about moss, and where it grows.",
  language: "en-GB",
  rights: "CC BY 4.0",
  authors: shrine.authors,
  self: "https://feeds.example/collections/1.atom",
  alternate: SITE,
  via: `${SITE}capabilitylist.xml`,
  hub: "https://hub.example/",
  updated: october(7, 6, 0),
  page: {
    kind: "subscription",
    prevArchive: "https://feeds.example/collections/1-archive-2.atom",
  },
  entries: [
    {
      id: "tag:feeds.example,2026:collection/1/entry/103",
      published: october(7, 6, 0),
      updated: october(7, 6, 0),
      collection: shrine,
      via: `${SITE}changelist-2026-10.xml`,
      changes: [
        change("created", "peat.html", {
          title: "Peat",
          datetime: october(6, 20, 15),
          words: "How it is made, and how long that takes.\nWith a drawing.",
        }),
        change("created", "sphagnum.html", { title: "Sphagnum & other bog mosses" }),
        change("updated", "sphagnum.html", {
          title: "Sphagnum & other bog mosses",
          datetime: october(6, 9, 0),
          words: "Two names put right.",
        }),
        change("updated", "", { title: "Moss", lastmod: october(3) }),
        change("updated", "g%C3%A4rten/kyoto.html", { words: "New photographs <3" }),
        change("deleted", "lichen.html", { title: "Lichen", words: "It is no moss." }),
        change("updated", "links.html", { title: "Links", isMinor: true }),
      ],
    },
    {
      id: "tag:feeds.example,2026:collection/1/entry/102",
      published: october(2, 6, 0),
      updated: october(2, 6, 0),
      collection: shrine,
      via: `${SITE}changelist-2026-10.xml`,
      changes: [
        change("updated", "water.html", {
          title: "Watering",
          datetime: october(1),
          words: "Rain water only, if you can.",
        }),
      ],
    },
  ],
};

/** A feed of everything: the shrine's entries among those of a site in German. */
export const everything: Feed = {
  id: "tag:feeds.example,2026:all",
  title: "Everything",
  generator: "rs-harvest",
  authors: [],
  updated: october(7),
  page: { kind: "subscription" },
  entries: [
    ...shrineFeed.entries,
    {
      id: "tag:feeds.example,2026:collection/2/entry/1",
      published: october(1),
      updated: october(1),
      collection: {
        title: "Flechten",
        url: "https://flechten.example/",
        authors: [],
        language: "de",
        feedId: "tag:feeds.example,2026:collection/2",
      },
      changes: [change("created", "bart", { title: "Bartflechten", words: "Mit Bildern." })],
    },
  ],
};
