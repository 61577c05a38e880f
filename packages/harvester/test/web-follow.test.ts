import { UnreachableError } from "@rs-emit/reader";
import { GoneError } from "@rs-emit/reader/http/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { block } from "../src/store/host.ts";
import { TestLibrary } from "./support/library.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

let library: TestLibrary;
let service: TestService;

const post = (path: string, form: Record<string, string>) => service.ask(path, { form });
const followed = (address: string) => post("/follow", { address });
const stateOf = (id: number) =>
  library.database
    .selectFrom("source")
    .select(["state", "next_check"])
    .where("id", "=", id)
    .executeTakeFirst();

describeStores("following, on $name", () => {
  beforeAll(async () => {
    library = await TestLibrary.start();
    service = new TestService(library);
  });
  afterAll(() => library[Symbol.asyncDispose]());
  beforeEach(() => library.forgetAll());

  describe("following a site", () => {
    test("leads to its page, which waits for the first check and then shows its feeds", async () => {
      const answer = await followed("moss.example/cushions/");
      expect(answer.status).toBe(303);
      const place = answer.headers.get("location") ?? "";
      expect(place).toMatch(/^\/sources\/\d+$/);
      const waiting = await service.text(place);
      expect(waiting).toContain("Is being checked for the first time");
      expect(waiting).toContain('http-equiv="refresh"');
      const id = Number(/\d+/.exec(place)?.[0]);
      await library.check(id, { collections: [{ path: "", changes: [] }] });
      const checked = await service.text(place);
      expect(checked).toMatch(
        /Last checked <time [^>]*>just now<.time>; next check <time [^>]*>in 1 day</,
      );
      expect(checked).toMatch(/\/feeds\/sources\/\d+\.atom/);
      expect(checked).not.toContain("refresh");
    });

    test("a second time leads to the same page, and with https once it is known by that", async () => {
      const place = async (address: string) => (await followed(address)).headers.get("location");
      const first = await place("moss.example");
      expect(await place(" Moss.example/ ")).toBe(first);
      expect(await place("https://moss.example/")).not.toBe(first);
      const id = Number(/\d+/.exec(first ?? "")?.[0]);
      await library.check(id, { collections: [{ path: "", changes: [] }] });
      expect(await place("https://moss.example/.well-known/resourcesync")).toBe(first);
      await library.forgetAll();
    });

    const wrong = [
      "",
      " ",
      "moss",
      "ftp://moss.example/",
      "javascript:alert(1)",
      "two words",
      "https://me:secret@moss.example/",
      `moss.example/${"a".repeat(3_000)}`,
    ];
    test.each(wrong)("is refused with the reason beside the field: %j", async (address) => {
      const answer = await followed(address);
      const page = await answer.text();
      expect(answer.status).toBe(400);
      expect(page).toContain("is no address of a site");
      expect(page).toMatch(/aria-describedby="problem hint" aria-invalid="true"/);
      expect(await library.database.selectFrom("source").selectAll().execute()).toEqual([]);
    });

    test("is refused where its host is blocked", async () => {
      await block(library.database, "bad.example");
      const answer = await followed("https://bad.example/");
      expect([answer.status, await answer.text()]).toEqual([
        403,
        expect.stringContaining("has blocked it"),
      ]);
    });
  });

  describe("managing a source", () => {
    test("it can be checked at once, even when it is gone", async () => {
      const id = await library.follow("https://moss.example/");
      await library.fail(id, new GoneError("https://moss.example/"));
      expect(await service.text(`/sources/${id}`)).toContain("taken away for good");
      await post(`/sources/${id}/check`, {});
      expect(await stateOf(id)).toEqual({ state: "followed", next_check: library.now() });
    });

    test("it is checked as often as is set, and as all others where nothing is", async () => {
      const id = await library.follow("https://moss.example/", { collections: [] });
      const before = await stateOf(id);
      const inAnHour = { state: "followed", next_check: library.now() + 3600 };
      expect((await post(`/sources/${id}/settings`, { interval: "3600" })).status).toBe(303);
      expect(await stateOf(id)).toEqual(inAnHour);
      expect(await service.text(`/sources/${id}`)).toContain('<option value="3600" selected>');
      expect((await post(`/sources/${id}/settings`, { interval: "604800" })).status).toBe(303);
      expect(await stateOf(id)).toEqual(inAnHour);
      library.time += 3600;
      await library.check(id, { collections: [] });
      expect((await stateOf(id))?.next_check).toBeGreaterThan(
        (before?.next_check ?? 0) + 5 * 86_400,
      );
      await post(`/sources/${id}/settings`, { interval: "" });
      expect(await service.text(`/sources/${id}`)).toContain('<option value="" selected>');
      await library.check(id, { collections: [] });
      expect((await stateOf(id))?.next_check).toBeLessThanOrEqual(library.now() + 86_400);
    });

    test.each(["0", "1", "-3600", "3600x", "1e9", "NaN"])(
      "not every %s seconds",
      async (interval) => {
        const id = await library.follow("https://moss.example/", { collections: [] });
        expect((await post(`/sources/${id}/settings`, { interval })).status).toBe(400);
        expect((await post("/sources/999/settings", { interval: "3600" })).status).toBe(404);
      },
    );

    test("who sets how often a source is checked wakes none that rests", async () => {
      const id = await library.follow("https://moss.example/");
      await library.fail(id, new GoneError("https://moss.example/"));
      const before = await stateOf(id);
      await post(`/sources/${id}/settings`, { interval: "3600" });
      expect(await stateOf(id)).toEqual(before);
    });

    test("it is unfollowed after a question, and its feeds are gone", async () => {
      const id = await library.follow("https://moss.example/", { collections: [] });
      const question = await service.text(`/sources/${id}/unfollow`);
      expect(question).toContain("Unfollow moss.example?");
      expect(question).toContain("Leave it as it is");
      const answer = await post(`/sources/${id}/unfollow`, {});
      const place = answer.headers.get("location") ?? "";
      expect(await service.text(place)).toContain("followed no more");
      expect((await service.ask(`/feeds/sources/${id}.atom`)).status).toBe(404);
    });

    test("its host is blocked after a question, and allowed again", async () => {
      const id = await library.follow("https://moss.example/", { collections: [] });
      expect(await service.text(`/sources/${id}/block`)).toContain("Block moss.example?");
      await post(`/sources/${id}/block`, {});
      expect(await stateOf(id)).toEqual({ state: "blocked", next_check: null });
      expect(await service.text("/blocked")).toContain("Allow moss.example again");
      expect(await service.text("/sources")).toContain("1 site in all");
      await post("/blocked", { allow: "moss.example" });
      expect((await stateOf(id))?.state).toBe("followed");
      expect(await service.text("/blocked")).toContain("No host is blocked");
    });

    test("a host that nobody follows is blocked by any address on it", async () => {
      expect((await post("/blocked", { block: "https://Bad.example/page" })).status).toBe(303);
      expect(await service.text("/blocked")).toContain("Allow bad.example again");
      expect((await post("/blocked", { block: "no host" })).status).toBe(400);
    });
  });

  describe("what monitors ask", () => {
    test("whether the database answers", async () => {
      const answer = await service.ask("/healthz", { host: "10.0.0.7:8480" });
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringMatching(/^ok\nwaiting \d/),
      ]);
    });

    test("how the sources do, what checks have done, and what was asked for", async () => {
      const broken = await library.follow("https://quiet.example/");
      await library.fail(broken, new UnreachableError("https://quiet.example/", "does not answer"));
      await library.follow("https://new.example/");
      await block(library.database, "bad.example");
      library.time += 30;
      service.metrics.countCheck({ outcome: "checked", changes: 7, seconds: 0.4 });
      await service.ask("/sources/1?token=secret");
      const metrics = await service.text("/metrics");
      for (const line of [
        'rs_harvest_sources{health="waiting"} 1',
        'rs_harvest_sources{health="not-read"} 1',
        'rs_harvest_sources{health="blocked"} 0',
        "rs_harvest_hosts_due 1",
        "rs_harvest_longest_wait_seconds 30",
        'rs_harvest_checks_total{outcome="checked"} 1',
        "rs_harvest_changes_total 7",
        'rs_harvest_check_seconds_bucket{le="0.5"} 1',
        'rs_harvest_http_request_seconds_count{method="GET",route="none",status="404"}',
      ]) {
        expect(metrics).toContain(line);
      }
      expect(metrics).not.toContain("secret");
    });
  });
});
