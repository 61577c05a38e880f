import { formatDatetime } from "@rs-emit/documents";
import { expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { logOf, seconds, TestSite } from "../../core/test/support/site.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { describeStores } from "./support/stores.ts";

describeStores("sites of rs-emit, on $name", () => {
  test(
    "a site that rs-emit publishes is told change by change, each once, and asked for no more than is new",
    proves("I1", "T1", "T4"),
    async () => {
      await using sites = await FollowedSites.start();
      await sites.reset();
      const web = sites.site("example.test");
      const built = new TestSite({
        url: web.url,
        collections: [{ path: "/" }, { path: "/shrine/" }],
      });
      web.serve(built.folder);
      const publish = async (at: string) => {
        await built.publish(at);
        sites.harvester.time = seconds(at) + 3600;
      };
      const reported = async () => {
        const changes = await sites.harvester.database
          .selectFrom("entry")
          .innerJoin("change", "change.entry_id", "entry.id")
          .select(["change.kind", "change.url", "change.datetime"])
          .where("entry.is_combined", "=", 1)
          .execute();
        return changes
          .map(
            ({ kind, url, datetime }) =>
              `${formatDatetime(datetime)} ${kind} /${url.slice(web.url.length)}`,
          )
          .sort();
      };
      const published = () =>
        ["", "shrine/"]
          .flatMap((collection) => logOf(built.folder, web.url, collection))
          .filter((change) => !change.includes("(minor)"))
          .sort();

      built
        .page("index.html", "Home")
        .page("shrine/index.html", "Shrine")
        .page("shrine/a.html", "A");
      await publish("2026-09-10T12:00:00Z");
      const id = await sites.follow(web.url);
      expect((await sites.check(id)).problem).toBeNull();
      expect(await reported()).toEqual(published());

      built
        .page("shrine/a.html", "A, newer")
        .page("b.html", "B & <b>")
        .page("ひらがな.html", "Kana");
      await publish("2026-09-20T12:00:00Z");
      // Nobody looks at this one.
      built.remove("b.html");
      await publish("2026-10-05T12:00:00Z");
      await sites.check(id);
      expect(await reported()).toEqual(published());

      built.page("shrine/c.html", "C");
      await publish("2026-11-05T12:00:00Z");
      const { asked } = await sites.check(id);
      expect(asked.filter((path) => /changelist-/.test(path)).length).toBeLessThanOrEqual(2);
      expect(await reported()).toEqual(published());

      await publish("2026-12-05T12:00:00Z");
      expect(await sites.check(id)).toMatchObject({ reported: [], result: { isUnchanged: true } });
      const { asked: nothing } = await sites.checkFully(id);
      expect(nothing.every((path) => path.startsWith("~"))).toBe(true);
      expect(nothing.filter((path) => /changelist-/.test(path))).toEqual([]);
      expect((await sites.source(id))?.notice).toBeNull();
    },
  );
});
