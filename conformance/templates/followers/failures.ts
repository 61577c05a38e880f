import { ORIGIN } from "../../server.ts";
import { capabilityList, changeList, DESCRIPTION, page, resourceList } from "../documents.ts";
import type { TemplateMoment } from "../write.ts";
import { follower, LOG, NEW, site } from "./site.ts";

export function failures(): void {
  const broken = (name: string, about: string, second: TemplateMoment) =>
    follower(name, about, "I51 I52 R90", [
      { site: site(), tells: LOG, never: [] },
      { tells: [], never: ["/a.html", "/b.html", "/c.html", "/new.html"], ...second },
      {
        site: {
          "/changelist.xml": changeList([...LOG, NEW]),
          "/capabilitylist.xml": capabilityList(),
        },
        tells: [NEW],
        never: ["/a.html", "/b.html", "/c.html"],
      },
    ]);
  broken(
    "server-error",
    "The host fails for a day. Nothing is deleted by that, and nothing is told twice.",
    {
      answers: { "/changelist.xml": { status: 500 } },
    },
  );
  broken("list-away", "The Change List is away for a day.", {
    answers: { "/changelist.xml": { status: 404 } },
  });
  broken("all-away", "The whole site is away for a day.", {
    answers: {
      [DESCRIPTION]: { status: 404 },
      "/capabilitylist.xml": { status: 404 },
      "/changelist.xml": { status: 404 },
    },
  });
  broken(
    "page-in-place-of-a-list",
    "A page of an error comes with status 200 in place of the list.",
    {
      answers: {
        "/changelist.xml": { body: page("An error"), headers: { "content-type": "text/html" } },
      },
    },
  );
  broken("not-well-formed", "The list is not well-formed: an address has a bare &.", {
    answers: {
      "/changelist.xml": {
        body: changeList([]).replace("</urlset>", `<url><loc>${ORIGIN}/?a&b</loc></url></urlset>`),
      },
    },
  });
  broken(
    "capability-list-of-another-kind-for-a-day",
    "The Capability List is of another kind for a day.",
    {
      site: { "/capabilitylist.xml": resourceList({ "/a.html": page("A") }) },
    },
  );
}
