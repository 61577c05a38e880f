import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { seconds, TestSite } from "../../core/test/support/site.ts";
import {
  capabilityList,
  changed,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const GATE = "https://archive.example/web/";
const COPY = "https://archive.example/web/2026/moss";
let sites: FollowedSites;
let service: TestService;

const feed = async () => (await service.ask("/feeds/all.atom")).text();

describeStores("an archived copy, on $name", () => {
  beforeAll(async () => {
    sites = await FollowedSites.start();
  });
  afterAll(() => sites[Symbol.asyncDispose]());
  beforeEach(async () => {
    await sites.reset();
    service = new TestService(sites.harvester);
  });

  test("a deleted page of a site by rs-emit leads to the archive that the site named", async () => {
    const web = sites.site("example.test");
    const links = [{ match: "moss.html", rel: "timegate", href: `${GATE}${web.url}{path}` }];
    const built = new TestSite({ url: web.url, links });
    web.serve(built.folder);
    const publish = async (at: string) => {
      await built.publish(at);
      sites.harvester.time = seconds(at) + 3600;
    };
    built.page("index.html", "Home").page("moss.html", "Moss").page("ivy.html", "Ivy");
    await publish("2026-09-20T12:00:00Z");
    const id = await sites.follow(web.url);
    await sites.check(id);
    expect(await feed()).not.toContain("archived copy");
    built.remove("moss.html", "ivy.html");
    await publish("2026-10-05T12:00:00Z");
    await sites.check(id);
    const atom = await feed();
    expect(atom).toContain(`&lt;a href="${GATE}${web.url}moss.html"&gt;archived copy&lt;/a`);
    expect(atom.match(/archived copy/g)).toHaveLength(1);
  });

  test.each([
    [
      "a copy, before the gate to all",
      [
        ["timegate", GATE],
        ["memento", COPY],
      ],
      COPY,
    ],
    ["an address that is relative to the list", [["memento", "/old/moss"]], "/old/moss"],
    ["nothing that is of no web", [["timegate", "javascript:alert(1)"]], undefined],
    ["nothing of other relations", [["duplicate", "https://mirror.example/moss"]], undefined],
  ] as const)("a deleted page leads to %s", async (_, links, href) => {
    const site = sites.site("a.test");
    const gone = changed(`deleted ${site.urlOf("moss")} 2026-09-30T12:00:00Z`);
    sites.publish(site, {
      ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
      "changelist.xml": changeList([{ ...gone, links }], { from: "2026-09-01T00:00:00Z" }),
    });
    await sites.check(await sites.follow(site.url));
    const shown = /&lt;a href="([^"]*)"&gt;archived copy/.exec(await feed())?.[1];
    expect(shown).toBe(href === undefined ? undefined : new URL(href, site.url).href);
  });

  test("a page that is there leads to itself alone", async () => {
    const site = sites.site("a.test");
    const made = changed(`created ${site.urlOf("moss")} 2026-09-30T12:00:00Z`);
    sites.publish(site, {
      ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
      "changelist.xml": changeList([{ ...made, links: [["memento", COPY]] }], {
        from: "2026-09-01T00:00:00Z",
      }),
    });
    await sites.check(await sites.follow(site.url));
    expect(await feed()).toContain(site.urlOf("moss"));
    expect(await feed()).not.toContain(COPY);
  });
});
