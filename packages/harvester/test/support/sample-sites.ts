import { type ListedChange, NotFoundError, UnreachableError } from "@rs-emit/reader";
import { MissingError } from "@rs-emit/reader/http/errors";
import type { FoundSite, TestLibrary } from "./library.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

/** A few sites as people make them, one of them in trouble, one never read and one without a change log; gives their ids. */
export async function followSampleSites(library: TestLibrary) {
  const now = library.now();
  const shrine = await library.follow("https://moss.example/", mossShrine(now - 9 * DAY));
  const pictures = await library.follow("https://pictures.example/", gallery(now - 3 * DAY));
  const quiet = await library.follow("https://quiet.example/");
  const broken = await library.follow("https://broken.example/", { collections: [EMPTY] });
  const dead = await library.follow("https://dead.example/");
  library.time = now + 26 * HOUR;
  await library.check(shrine, {
    collections: [
      {
        path: "",
        changes: [
          change("https://moss.example/cushions/", "updated", now + 20 * HOUR, "Cushion mosses", {
            words:
              "Two photographs from the north wall, and a correction: Leucobryum, not Dicranum.",
          }),
          change("https://moss.example/sphagnum/", "created", now + 22 * HOUR, "Sphagnum, slowly"),
          change("https://moss.example/visitors/", "deleted", now + 22 * HOUR, "Guest book"),
        ],
      },
    ],
  });
  const looked = {
    page: "https://quiet.example/",
    places: ["https://quiet.example/.well-known/resourcesync"] as const,
  };
  await library.fail(quiet, new NotFoundError(looked));
  const missing = "https://broken.example/capabilitylist.xml";
  await library.fail(broken, new MissingError(missing));
  await library.fail(dead, new UnreachableError("https://dead.example/", "does not answer"));
  library.time += 40 * 60;
  const waiting = await library.follow("https://new.example/");
  return { shrine, pictures, quiet, broken, dead, waiting };
}

const EMPTY = { path: "", changes: [] };

function mossShrine(time: number): FoundSite {
  const pages = ["Cushion mosses", "Feather mosses", "Where to look", "Under the lens"];
  return {
    description: { title: "Moss shrine", authors: ["Ada Fern"], language: "en" },
    collections: [
      {
        path: "",
        description: {
          title: "Moss shrine",
          authors: ["Ada Fern"],
          summary: "Everything about the small green things between the stones.",
          language: "en",
        },
        changes: pages.map((title, at) =>
          change(
            `https://moss.example/${title.toLowerCase().split(" ")[0]}-${at}/`,
            at < 2 ? "created" : "updated",
            time + at * HOUR,
            title,
          ),
        ),
      },
    ],
  };
}

function gallery(time: number): FoundSite {
  const rooms = [
    { path: "drawings/", title: "Drawings", count: 9 },
    { path: "letters/", title: "Briefe aus dem Süden", count: 1 },
  ];
  return {
    description: { title: "Pictures & letters", authors: ["J. Okafor"] },
    collections: rooms.map(({ path, title, count }) => ({
      path,
      description: { title, authors: ["J. Okafor"], language: path === "letters/" ? "de" : "en" },
      changes: Array.from({ length: count }, (_, at) =>
        change(
          `https://pictures.example/${path}${at + 1}/`,
          "created",
          time + at * 60,
          `${title}, ${at + 1}`,
        ),
      ),
    })),
  };
}

function change(
  url: string,
  kind: ListedChange["kind"],
  datetime: number,
  title: string,
  more: { readonly words?: string } = {},
): ListedChange {
  return { url, kind, datetime, title, isMinor: false, ...more };
}
