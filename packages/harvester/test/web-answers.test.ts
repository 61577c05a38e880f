import { StatusError } from "@rs-emit/reader/http/errors";
import { INTERNET, requireAllowed } from "@rs-emit/reader/http/network-policy";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  changeListIndex,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { rename } from "../src/store/following/following.ts";
import { rsHarvest, Workshop } from "./support/command.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const TOKEN = "a token that nobody guesses";
const BEARER = { headers: { authorization: `Bearer ${TOKEN}` } };
const LEFT_OUT =
  "2 changes without datetime were left out; --use-lastmod reads those with lastmod.";

let sites: FollowedSites;

const DOCUMENTS = {
  ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
  "capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
  "changelist.xml": changeList([
    "created a/ 2026-09-30T12:00:00Z",
    { loc: "b/", md: { change: "updated" } },
    { loc: "c/", md: { change: "deleted" } },
  ]),
};

describeStores("answers, on $name", () => {
  beforeAll(async () => {
    sites = await FollowedSites.start();
  });
  afterAll(() => sites[Symbol.asyncDispose]());
  beforeEach(() => sites.reset());

  describe("changes that are left out are told", () => {
    test("on the source's page", async () => {
      const site = sites.site("example.test");
      sites.publish(site, DOCUMENTS);
      const source = await sites.follow(site.url);
      await sites.check(source);
      expect(await new TestService(sites.harvester).text(`/sources/${source}`)).toContain(LEFT_OUT);
    });

    test("entries without an address, too, of whatever document", async () => {
      const site = sites.site("example.test");
      const nowhere = { loc: "" };
      sites.publish(site, {
        "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml", nowhere]),
        "/capabilitylist.xml": capabilityList({ changelist: "changelist.xml", resourcelist: "" }),
        "/changelist.xml": changeListIndex(["1.xml", nowhere]),
        "/1.xml": changeList(["created a/ 2026-09-30T12:00:00Z", nowhere, nowhere]),
      });
      const source = await sites.follow(site.url);
      expect(await sites.check(source)).toMatchObject({
        reported: [["created a/"]],
        problem: null,
      });
      const page = await new TestService(sites.harvester).text(`/sources/${source}`);
      for (const path of [".well-known/resourcesync", "capabilitylist.xml", "changelist.xml"]) {
        expect(page).toContain(
          `1 entry of ${site.url}${path} without an address (loc) was left out.`,
        );
      }
      expect(page).toContain(
        `2 entries of ${site.url}1.xml without an address (loc) were left out.`,
      );
    });

    test("in the line and in --json", async () => {
      using workshop = new Workshop();
      const args = [workshop.folder(DOCUMENTS), "--url", "https://example.org/"];
      const now = ["--now", "2026-10-01T00:00:00Z", "--out", workshop.folder()];
      const line = await rsHarvest(...args, ...now);
      expect(line.stdout).toContain(LEFT_OUT);
      const { stdout } = await rsHarvest(...args, ...now, "--json");
      expect(JSON.parse(stdout).sites[0].notes).toEqual([LEFT_OUT]);
    });
  });

  test("no feed without entries is dated 1970", async () => {
    const service = new TestService(sites.harvester);
    expect(await service.text("/feeds/all.atom")).toContain("<updated>2026-");
    const source = await sites.follow("https://example.test/");
    for (const feed of ["all", `sources/${source}`]) {
      expect(await service.text(`/feeds/${feed}.atom`)).toContain("<updated>2026-");
    }
  });

  test("a 403 is called a 403, and a port that is not asked names the option that asks it", () => {
    expect(new StatusError("https://example.test/", 403).message).toContain("403");
    expect(() => requireAllowed("http://example.test:8101/", INTERNET)).toThrow(
      /port 8101.*--allow-private/,
    );
  });

  describe("who has the token", () => {
    const guarded = () =>
      new TestService(sites.harvester, { access: { kind: "token", token: TOKEN } });

    test("alone reads /metrics; everybody may ask /healthz", async () => {
      const service = guarded();
      expect((await service.ask("/metrics")).status).toBe(401);
      const wrong = { headers: { authorization: "Bearer another token of that length" } };
      expect((await service.ask("/metrics", wrong)).status).toBe(401);
      expect((await service.ask("/metrics", BEARER)).status).toBe(200);
      expect((await service.ask("/healthz")).status).toBe(200);
    });

    test("waits after many wrong tokens from the same address, and is let in from another", async () => {
      const service = guarded();
      const signIn = async (token: string, from?: string) =>
        (await service.ask("/sign-in", { form: { token }, ...(from && { from }) })).status;
      for (let at = 0; at < 15; at += 1) await signIn("x");
      expect([await signIn("x"), await signIn(TOKEN)]).toEqual([429, 429]);
      expect((await service.ask("/metrics", BEARER)).status).toBe(429);
      expect((await service.ask("/metrics")).status).toBe(401);
      expect(await signIn(TOKEN, "192.0.2.7")).toBe(303);
      expect((await service.ask("/metrics", { ...BEARER, from: "192.0.2.7" })).status).toBe(200);
    });
  });

  describe("an entity tag", () => {
    const tagOf = async (service: TestService, feed = "all") =>
      (await service.ask(`/feeds/${feed}.atom`)).headers.get("etag");

    test("is another one for another address, another hub, and another name of a source", async () => {
      const site = sites.site("example.test");
      sites.publish(site, DOCUMENTS);
      const source = await sites.follow(site.url);
      await sites.check(source);
      const { harvester } = sites;
      const publicUrl = "https://feeds.example/";
      const tags = [
        await tagOf(new TestService(harvester)),
        await tagOf(new TestService(harvester, { publicUrl })),
        await tagOf(new TestService(harvester, { publicUrl, hub: "https://hub.example/" })),
      ];
      expect(new Set(tags).size).toBe(tags.length);
      expect(await tagOf(new TestService(harvester))).toBe(tags[0]);
      const feed = `sources/${source}`;
      const named = await tagOf(new TestService(harvester), feed);
      await rename(harvester.database, source, "Moss");
      expect(await tagOf(new TestService(harvester), feed)).not.toBe(named);
    });
  });

  describe("--trust-proxy", () => {
    test("says in the help which address it believes", async () => {
      const { stdout } = await rsHarvest("serve", "--help");
      expect(stdout.replaceAll(/\s+/g, " ")).toContain("the last one in X-Forwarded-For");
    });
  });
});
