import { expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { CHECKS_KEPT, checksOf } from "../src/store/kept-checks.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const HOUR = 3600;
const LIST = "/changelist.xml";

const change = (at: number) =>
  `created ${at}/ ${new Date(Date.UTC(2026, 8, 30, 0, 0, at)).toISOString()}`;

describeStores("the last checks of a source, on $name", ({ open }) => {
  test("tell what came of them, and how many quiet ones lay between", async () => {
    await using opened = await open();
    const sites = await FollowedSites.start(opened.store);
    await sites.reset();
    const site = sites.site("example.test");
    const publish = (count: number) =>
      sites.publish(site, {
        "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
        "/capabilitylist.xml": capabilityList({ changelist: LIST }),
        [LIST]: changeList(Array.from({ length: count }, (_, at) => change(at))),
      });
    publish(1);
    const source = await sites.follow(site.url);
    await sites.check(source);
    const checkAfter = (hours: number) => {
      sites.harvester.time += hours * HOUR;
      return sites.check(source);
    };
    for (let times = 0; times < 3; times += 1) await checkAfter(1);
    publish(3);
    await checkAfter(1);
    // A full check and one without validators bring nothing new either.
    await checkAfter(21);
    await checkAfter(8 * 24);
    site.answer(LIST, { status: 500 });
    await checkAfter(1);
    publish(3);
    await checkAfter(1);
    const kept = await checksOf(sites.harvester.database, source);
    expect(kept).toMatchObject([
      { reported: 0, without_news: 2, problem_code: "STATUS" },
      { reported: 2, without_news: 3, problem_code: null },
      { reported: 1, without_news: 0, problem_code: null },
    ]);
    const text = await new TestService(sites.harvester).text(`/sources/${source}`);
    const rows = [...text.matchAll(/<td>([^<]*|<span class="failed">.*?)<\/td><\/tr>/g)];
    expect(rows.map(([, cell = ""]) => cell.replace(/<[^>]*>/g, ""))).toEqual([
      "1 check with nothing new",
      expect.stringMatching(/^Failed: .*500/),
      "2 checks with nothing new",
      "2 new changes",
      "3 checks with nothing new",
      "1 new change",
    ]);
    for (let count = 4; count < 4 + CHECKS_KEPT + 5; count += 1) {
      publish(count);
      await checkAfter(1);
    }
    const newest = await checksOf(sites.harvester.database, source);
    expect(newest.map(({ time }) => time)).toEqual(
      Array.from({ length: CHECKS_KEPT }, (_, at) => sites.harvester.time - at * HOUR),
    );
    await sites[Symbol.asyncDispose]();
  });
});
