import { createHash } from "node:crypto";
import { type Attributes, changeList, DESCRIPTION, page } from "../documents.ts";
import type { TemplateMoment } from "../write.ts";
import {
  A,
  ALL,
  B,
  C,
  copied,
  entryOf,
  HOME,
  held,
  LATER,
  listed,
  listOf,
  NEWER,
  OTHERS,
  PAGES,
  site,
} from "./site.ts";

export function faults(): void {
  const faulty = (name: string, about: string, md: Attributes) =>
    copied(name, about, "R9 R3", [
      {
        site: site(PAGES, {
          "/resourcelist.xml": listOf([
            ...Object.entries(PAGES)
              .filter(([path]) => path !== "/b.html")
              .map((each) => entryOf(each)),
            { loc: "/b.html", md },
          ]),
        }),
        holds: OTHERS,
        never: ["b.html"],
      },
      { site: { "/resourcelist.xml": listed(PAGES, LATER) }, holds: ALL, never: ["hidden.html"] },
    ]);
  const digest = (algorithm: string, text: string) =>
    createHash(algorithm).update(text).digest("hex");
  faulty("wrong-sha-256", "A page has not the SHA-256 that its list states.", {
    hash: `sha-256:${digest("sha256", C)}`,
  });
  faulty("wrong-md5", "A page has not the MD5 that its list states.", {
    hash: `md5:${digest("md5", C)}`,
  });
  faulty("wrong-length", "A page has not the length that its list states.", { length: "7" });
  faulty("one-hash-of-two", "Of two digests one is right, and one is wrong.", {
    hash: `md5:${digest("md5", B)} sha-256:${digest("sha256", C)}`,
  });
  copied(
    "hashes-in-other-forms",
    "Digests in capitals, of two algorithms, and of an unknown one.",
    "R9",
    [
      {
        site: site(PAGES, {
          "/hidden.html": page("Hidden"),
          "/resourcelist.xml": listOf([
            { loc: "/", md: { hash: `sha-256:${digest("sha256", HOME).toUpperCase()}` } },
            {
              loc: "/a.html",
              md: { hash: `md5:${digest("md5", A)} sha-256:${digest("sha256", A)}` },
            },
            { loc: "/b.html", md: { hash: `blake3:${"0f".repeat(32)}` } },
            { loc: "/c.html", md: { hash: `sha-1:${digest("sha1", C)}` } },
          ]),
        }),
        holds: ALL,
        never: ["hidden.html"],
      },
    ],
  );
}

export function failures(): void {
  const broken = (
    name: string,
    about: string,
    answer: NonNullable<TemplateMoment["answers"]>[string],
  ) =>
    copied(name, about, "R9 T44", [
      { site: site(), answers: { "/b.html": answer }, holds: OTHERS, never: ["b.html"] },
      { holds: ALL, never: ["hidden.html"] },
    ]);
  broken("page-cut", "A connection ends in the middle of a page. No half of it is kept.", {
    cut: 40,
  });
  broken("page-missing", "A listed page is not there.", { status: 404 });
  broken("page-fails", "The host fails for one page.", { status: 500 });
  broken("error-page", "An error comes with status 200 in place of a page.", {
    body: page("An error"),
  });
  const bad = (name: string, about: string, answers: TemplateMoment["answers"]) =>
    copied(name, about, "R3 R11b", [
      { site: site(PAGES, { "/changelist.xml": changeList([]) }), holds: ALL, never: ["new.html"] },
      { ...(answers === undefined ? {} : { answers }), holds: ALL, never: ["new.html"] },
    ]);
  bad("list-fails", "The Resource List cannot be had. Nothing is deleted by that.", {
    "/resourcelist.xml": { status: 500 },
  });
  bad("list-cut", "The Resource List ends in the middle. What is missing is not deleted.", {
    "/resourcelist.xml": { cut: 700 },
  });
  bad("site-away", "The whole site answers 404. Nothing is deleted by that.", {
    [DESCRIPTION]: { status: 404 },
    "/capabilitylist.xml": { status: 404 },
    "/resourcelist.xml": { status: 404 },
    "/changelist.xml": { status: 404 },
  });
  copied(
    "update-fails",
    "A page that changed cannot be had: the copy keeps the old one until it can.",
    "R11a",
    [
      { site: site(PAGES, { "/changelist.xml": changeList([]) }), holds: ALL, never: ["new.html"] },
      {
        site: {
          "/changelist.xml": changeList([
            entryOf(["/b.html", NEWER], { change: "updated", datetime: "2026-10-20T08:00:00Z" }),
          ]),
        },
        answers: { "/b.html": { status: 503 } },
        holds: ALL,
        never: ["new.html"],
      },
      {
        site: { "/b.html": NEWER },
        holds: { ...OTHERS, ...held(3, "b.html") },
        never: ["new.html"],
      },
    ],
  );
}
