import {
  at,
  capabilityList,
  changeList,
  DESCRIPTION,
  description,
  document,
  page,
  resourceList,
} from "../documents.ts";
import type { Files } from "../write.ts";
import { A, follower, LOG, once, site, UNDATED } from "./site.ts";

export function discovery(): void {
  once(
    "well-known",
    "The Source Description at the well-known URI leads to the Capability List, and that to the changes.",
    "I33 I37 I44 I50 R29 R90 P9 T22",
    site(LOG, {
      "/capabilitylist.xml": capabilityList("/", {
        resourcelist: "/resourcelist.xml",
        changelist: "/changelist.xml",
      }),
      "/resourcelist.xml": resourceList({ "/quiet.html": page("Quiet") }),
    }),
    LOG,
    ["/quiet.html"],
  );
  const elsewhere = (files: Files): Files => ({
    "/log/capabilitylist.xml": capabilityList("/", { changelist: "/log/changelist.xml" }),
    "/log/changelist.xml": changeList([A, UNDATED]),
    ...files,
  });
  const link = `<link rel="resourcesync" href="${at("/log/capabilitylist.xml")}">`;
  once(
    "page-link",
    'A page links its Capability List with <link rel="resourcesync">. There is nothing at the well-known URI.',
    "R30 I34",
    elsewhere({ "/index.html": page("Home", link) }),
    [A],
    ["/undated.html"],
  );
  once(
    "page-link-below",
    "The address of any page leads to the log that the page links.",
    "R30 I34",
    elsewhere({ "/deep/page.html": page("Deep", link) }),
    [A],
    ["/undated.html"],
    { start: "/deep/page.html" },
  );
  once(
    "link-header",
    "A resource that is no page links its Capability List in the HTTP header Link.",
    "R31 I34",
    elsewhere({ "/picture.png": "not really a picture" }),
    [A],
    ["/undated.html"],
    {
      start: "/picture.png",
      answers: {
        "/picture.png": {
          headers: {
            "content-type": "image/png",
            link: `<${at("/log/capabilitylist.xml")}>; rel="resourcesync"`,
          },
        },
      },
    },
  );
  once(
    "robots",
    "robots.txt names the Resource List. It leads up to the Capability List.",
    "R32 I34",
    elsewhere({
      "/robots.txt": `User-agent: *\nDisallow:\n\nSitemap: ${at("/resourcelist.xml")}\n`,
      "/resourcelist.xml": resourceList({ "/quiet.html": page("Quiet") }, { folder: "/log/" }),
    }),
    [A],
    ["/quiet.html", "/undated.html"],
  );
  once(
    "well-known-redirected",
    "The well-known URI redirects to where the Source Description is.",
    "I33 I49",
    site([A, UNDATED], { "/description.xml": description("/") }),
    [A],
    ["/undated.html"],
    { answers: { [DESCRIPTION]: { status: 302, headers: { location: "/description.xml" } } } },
  );
  const wrong = (body: string) => [
    {
      site: site(LOG, { [DESCRIPTION]: body }),
      tells: [],
      never: ["/a.html", "/b.html", "/c.html"],
    },
    { site: { [DESCRIPTION]: description("/") }, tells: LOG, never: [] },
  ];
  const list = [{ loc: "/capabilitylist.xml", md: { capability: "capabilitylist" } }];
  follower(
    "description-of-another-kind",
    'What says capability="resourcelist" is no Source Description. Once it is mended, the log is read.',
    "I35",
    wrong(document("urlset", [], { capability: "resourcelist", at: "2026-10-01" }, list)),
  );
  follower(
    "description-without-capability",
    "A urlset without rs:md is a plain sitemap, and no Source Description.",
    "I35",
    wrong(document("urlset", [], undefined, list)),
  );
  follower(
    "description-that-is-a-page",
    "A host answers the well-known URI with a page and status 200. That is no Source Description.",
    "I35",
    wrong(page("Not found")),
  );
}
