import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { TestLibrary } from "./support/library.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const SITE = "https://moss.example/";
let library: TestLibrary;
let service: TestService;

/** A ping as another program sends it: no page of ours, no cookie. */
const ping = (url: string) =>
  service.app.request("http://localhost:8480/ping", {
    method: "POST",
    body: new URLSearchParams({ url }),
  });

async function nextCheck(id: number): Promise<number> {
  const row = await library.database
    .selectFrom("source")
    .select("next_check")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return Number(row.next_check) - library.now();
}

describeStores("pings, on $name", () => {
  beforeAll(async () => {
    library = await TestLibrary.start();
    service = new TestService(library);
  });
  afterAll(() => library[Symbol.asyncDispose]());
  beforeEach(() => library.forgetAll());

  test("a site that pings is checked soon, once a minute at most", proves("T42"), async () => {
    const id = await library.follow(SITE);
    await library.check(id, { collections: [{ path: "", changes: [] }] });
    expect(await nextCheck(id)).toBeGreaterThan(3_600);
    expect((await ping(SITE)).status).toBe(202);
    expect(await nextCheck(id)).toBe(60);
    expect((await ping(`${SITE}capabilitylist.xml`)).status).toBe(202);
    expect(await nextCheck(id)).toBe(60);
  });

  test.each([
    "https://unknown.example/",
    "no address",
    "ftp://moss.example/",
    "",
    "x".repeat(9_000),
  ])("%.20s is answered like any other, and changes nothing", async (url) => {
    const id = await library.follow(SITE);
    await library.check(id, { collections: [{ path: "", changes: [] }] });
    const before = await nextCheck(id);
    expect((await ping(url)).status).toBe(202);
    expect(await nextCheck(id)).toBe(before);
    expect(service.problems).toEqual([]);
  });
});
