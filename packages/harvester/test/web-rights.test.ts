import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Access, accessOf } from "../src/serve/web/access.ts";
import { isFromOurPages } from "../src/serve/web/guards.ts";
import { TokenGuard } from "../src/serve/web/rate-limits.ts";
import type { WebSettings } from "../src/serve/web/request-context.ts";
import { TestLibrary } from "./support/library.ts";
import { type Asked, ComingBody, HOST, TestService } from "./support/web.ts";

const TOKEN = "a token that nobody guesses";
const BEARER = { headers: { authorization: `Bearer ${TOKEN}` } };

let library: TestLibrary;
let id = 0;

beforeAll(async () => {
  library = await TestLibrary.start();
});
afterAll(() => library[Symbol.asyncDispose]());
beforeEach(async () => {
  await library.forgetAll();
  await library.database.deleteFrom("session").execute();
  id = await library.follow("https://example.org/", { collections: [] });
});

const serviceFor = (access: Access, more: Partial<WebSettings> = {}) =>
  new TestService(library, { access, ...more });
const isFollowed = async (host: string) =>
  (await library.database.selectFrom("source").select("id").where("host", "=", host).execute())
    .length > 0;

const LOCAL: Access = { kind: "local" };
const WITH_TOKEN: Access = { kind: "token", token: TOKEN };
const OPEN: Access = { kind: "open", token: TOKEN };
const OPEN_ALONE: Access = { kind: "open", token: undefined };

const ACTIONS = [
  ["follow", () => "/follow", { address: "https://other.example/" }],
  ["check", () => `/sources/${id}/check`, {}],
  ["change its settings", () => `/sources/${id}/settings`, { interval: "3600", labels: "plants" }],
  ["unfollow", () => `/sources/${id}/unfollow`, {}],
  ["block a source's host", () => `/sources/${id}/block`, {}],
  ["watch many by their sitemaps", () => "/sources/poll", {}],
  ["import a list", () => "/import", { list: "https://other.example/" }],
  ["block a host", () => "/blocked", { block: "bad.example" }],
  ["allow a host again", () => "/blocked", { allow: "bad.example" }],
] as const;

describe("who may do what", () => {
  const everything = ACTIONS.map(([name]) => name);
  const rights: readonly (readonly [string, Access, Asked, readonly string[]])[] = [
    ["whoever opens a local service", LOCAL, {}, everything],
    ["a stranger, where a token is asked for", WITH_TOKEN, {}, []],
    ["who has the token", WITH_TOKEN, BEARER, everything],
    ["who has another one", WITH_TOKEN, { headers: { authorization: "Bearer x" } }, []],
    ["a stranger, where it is open", OPEN, {}, ["follow"]],
    ["who has the token, where it is open", OPEN, BEARER, everything],
    ["a stranger, where it is open and has no token", OPEN_ALONE, {}, ["follow"]],
    ["who has a token that was never set", OPEN_ALONE, BEARER, ["follow"]],
  ];
  test.each(rights)("%s", async (_, access, asked, allowed) => {
    for (const [name, path, form] of ACTIONS) {
      await library.forgetAll();
      id = await library.follow("https://example.org/", { collections: [] });
      const response = await serviceFor(access).ask(path(), { ...asked, form });
      expect([name, response.status]).toEqual([name, allowed.includes(name) ? 303 : 403]);
    }
  });

  test("nothing is read of what a stranger may not send", async () => {
    const [closed, open] = [serviceFor(WITH_TOKEN), serviceFor(OPEN)];
    for (let at = 0; at < 10; at += 1) {
      await closed.ask("/sign-in", { form: { token: `wrong ${at}` } });
      await open.ask("/follow", { form: { address: `https://s${at}.example/` } });
    }
    const refused = [
      ...ACTIONS.map(([, path]) => [closed, path(), 403] as const),
      [closed, "/sign-in", 429],
      [open, "/follow", 429],
    ] as const;
    for (const [service, path, status] of refused) {
      const body = new ComingBody(["address=https://other.example/"]);
      const answer = await service.send(path, body.stream);
      expect([path, answer.status, body.asked]).toEqual([path, status, 0]);
    }
  });

  test.each(rights)("%s sees only what is allowed", async (_, access, asked, allowed) => {
    const service = serviceFor(access);
    const home = await service.text("/", asked);
    expect(home.includes('action="/follow"')).toBe(allowed.includes("follow"));
    const source = await service.text(`/sources/${id}`, asked);
    expect(source.includes("Unfollow…")).toBe(allowed.includes("unfollow"));
    const { status } = await service.ask(`/sources/${id}/unfollow`, asked);
    expect(status).toBe(allowed.includes("unfollow") ? 200 : 403);
  });
});

describe("signing in", () => {
  const signIn = (service: TestService, token: string) =>
    service.ask("/sign-in", { form: { token } });
  const cookieOf = (response: Response) => response.headers.get("set-cookie") ?? "";
  const cookieFrom = async (service: TestService) => {
    const [cookie = ""] = cookieOf(await signIn(service, TOKEN)).split(";");
    return { headers: { cookie } };
  };

  test("lasts for thirty days, by a cookie that holds no token", async () => {
    const service = serviceFor(WITH_TOKEN);
    const answer = await signIn(service, TOKEN);
    expect(answer.status).toBe(303);
    const set = cookieOf(answer);
    expect(set).toMatch(/; HttpOnly/);
    expect(set).toMatch(/; SameSite=Strict/);
    expect(decodeURIComponent(set)).not.toContain(TOKEN);
    const cookie = { headers: { cookie: set.split(";")[0] ?? "" } };
    expect(await service.text("/", cookie)).toContain("Sign out");
    const time = library.time;
    library.time = time + 31 * 86_400;
    expect(await service.text("/", cookie)).toContain("Sign in");
    library.time = time;
  });

  test("ends with another token", async () => {
    const cookie = await cookieFrom(serviceFor(WITH_TOKEN));
    const other = serviceFor({ kind: "token", token: "another token, as good" });
    const answer = await other.ask("/", cookie);
    expect(await answer.text()).toContain("Sign in");
    expect(cookieOf(answer)).toContain("Max-Age=0");
  });

  test("ends by signing out: a copy of the cookie is of no use, anywhere and at any time", async () => {
    const service = serviceFor(WITH_TOKEN);
    const [cookie, otherBrowser] = [await cookieFrom(service), await cookieFrom(service)];
    const another = serviceFor(WITH_TOKEN);
    expect(await another.text("/", cookie)).toContain("Sign out");
    const out = await service.ask("/sign-out", { ...cookie, form: {} });
    expect(cookieOf(out)).toContain("Max-Age=0");
    for (const one of [service, another, serviceFor(WITH_TOKEN)]) {
      const answer = await one.ask("/", cookie);
      expect(await answer.text()).toContain("Sign in");
      expect(cookieOf(answer)).toContain("Max-Age=0");
      expect((await one.ask(`/sources/${id}/check`, { ...cookie, form: {} })).status).toBe(403);
      expect(await one.text("/", otherBrowser)).toContain("Sign out");
    }
    expect((await service.ask("/sign-out", { form: {} })).status).toBe(303);
  });

  test("is forgotten when it is over", async () => {
    await cookieFrom(serviceFor(WITH_TOKEN));
    const time = library.time;
    library.time = time + 31 * 86_400;
    await cookieFrom(serviceFor(WITH_TOKEN));
    library.time = time;
    expect(await library.database.selectFrom("session").select("id").execute()).toHaveLength(1);
  });

  test.each(["", "x", `${TOKEN} `, TOKEN.toUpperCase()])(
    "takes no other token: %j",
    async (token) => {
      const answer = await signIn(serviceFor(WITH_TOKEN), token);
      expect([answer.status, cookieOf(answer)]).toEqual([401, ""]);
      expect(await answer.text()).toContain("That is not the token");
    },
  );

  const HERE = { from: "192.0.2.1" };
  const ELSEWHERE = { from: "192.0.2.7" };
  type Trying = (service: TestService, token: string, asked?: Asked) => Promise<Response>;
  const byForm: Trying = (service, token, asked) =>
    service.ask("/sign-in", { ...asked, form: { token } });
  const byBearer: Trying = (service, token, asked) =>
    service.ask(`/sources/${id}/check`, {
      ...asked,
      headers: { authorization: `Bearer ${token}` },
      method: "POST",
    });
  const ways: readonly (readonly [string, Trying, number])[] = [
    ["the form", byForm, 401],
    ["Authorization: Bearer", byBearer, 403],
  ];
  test.each(ways)(
    "may be tried some times only, by each client: by %s",
    async (_, ask, refused) => {
      const service = serviceFor(WITH_TOKEN);
      const statuses = [];
      for (let at = 0; at < 12; at += 1) {
        statuses.push((await ask(service, `wrong ${at}`, HERE)).status);
      }
      expect(statuses).toEqual([...Array(10).fill(refused), 429, 429]);
      const right = await ask(service, TOKEN, HERE);
      expect([right.status, right.headers.get("retry-after")]).toEqual([429, "120"]);
      expect(cookieOf(right)).toBe("");
      expect(await isFollowed("example.org")).toBe(true);
      expect((await ask(service, TOKEN, ELSEWHERE)).status).toBe(303);
      expect((await ask(service, "wrong", ELSEWHERE)).status).toBe(refused);
      library.time += 120;
      expect((await ask(service, TOKEN, HERE)).status).toBe(303);
    },
  );

  test("with forged cookies is limited as well, and shares the limit", async () => {
    const service = serviceFor(WITH_TOKEN);
    const right = await cookieFrom(service);
    const [name = "", value = ""] = right.headers.cookie.split("=");
    const session = decodeURIComponent(value).split(".")[0];
    for (let at = 0; at < 10; at += 1) {
      const forged = { headers: { cookie: `${name}=${session}.${at}` }, ...HERE };
      expect(await service.text("/", forged)).toContain("Sign in");
    }
    const here = await service.ask("/", { ...right, ...HERE });
    expect([here.status, cookieOf(here)]).toEqual([200, ""]);
    expect(await here.text()).toContain("Sign in");
    expect((await byForm(service, TOKEN, HERE)).status).toBe(429);
    expect((await byBearer(service, TOKEN, HERE)).status).toBe(429);
    expect(await service.text("/", { ...right, ...ELSEWHERE })).toContain("Sign out");
  });

  test("is not kept from who comes back with a cookie that is over", async () => {
    const service = serviceFor(WITH_TOKEN);
    const cookie = await cookieFrom(service);
    await service.ask("/sign-out", { ...cookie, form: {} });
    for (let at = 0; at < 20; at += 1) await service.ask("/", cookie);
    expect((await byForm(service, TOKEN, cookie)).status).toBe(303);
  });

  test("sets no cookie where caches may keep the answer for others", async () => {
    const service = serviceFor(WITH_TOKEN);
    const forged = { headers: { cookie: "rs-harvest=x.y" } };
    expect(cookieOf(await service.ask("/feeds/all.atom", forged))).toBe("");
    expect(cookieOf(await service.ask("/", forged))).toContain("Max-Age=0");
  });

  test("is refused to unknown clients while very many guess, and not to known ones", () => {
    const guard = new TokenGuard(library.now);
    const known = "192.0.2.1";
    expect(guard.isRight(known, TOKEN, TOKEN)).toBe(true);
    let judged = 0;
    for (let at = 0; at < 5_000; at += 1) {
      const client = `client ${at % 2_500}`;
      if (guard.waitOf(client) > 0) continue;
      expect(guard.isRight(client, `guess ${at}`, TOKEN)).toBe(false);
      judged += 1;
    }
    expect(judged).toBe(1_000);
    expect([guard.waitOf("198.51.100.1"), guard.waitOf(known)]).toEqual([4, 0]);
    const time = library.time;
    library.time += 4;
    expect(guard.waitOf("198.51.100.1")).toBe(0);
    library.time = time;
  });

  test("is a secure cookie where the public address is", async () => {
    const service = serviceFor(WITH_TOKEN, { publicUrl: "https://feeds.example/" });
    expect(cookieOf(await signIn(service, TOKEN))).toMatch(/; Secure/);
  });
});

describe("an open service", () => {
  const followMany = async (service: TestService, count: number, asked: Asked = {}) => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const form = { address: `https://s${at}.example/` };
      statuses.push((await service.ask("/follow", { ...asked, form })).status);
    }
    return statuses;
  };

  test("lets a client follow ten sites at once, and another every three minutes", async () => {
    const service = serviceFor(OPEN);
    expect(await followMany(service, 12)).toEqual([...Array(10).fill(303), 429, 429]);
    const refused = await service.ask("/follow", { form: { address: "https://s.example/" } });
    expect(refused.headers.get("retry-after")).toBe("180");
    expect(await refused.text()).toContain("Not so fast");
    library.time += 180;
    expect(await followMany(service, 2)).toEqual([303, 429]);
  });

  const clients: readonly (readonly [string, Asked, Asked, boolean])[] = [
    ["two IPv4 addresses", { from: "192.0.2.1" }, { from: "192.0.2.2" }, false],
    ["two spellings of one", { from: "192.0.2.1" }, { from: "::ffff:192.0.2.1" }, true],
    ["two IPv6 addresses of a network", { from: "2001:db8::1" }, { from: "2001:db8::2" }, true],
    ["two IPv6 networks", { from: "2001:db8::1" }, { from: "2001:db8:0:1::1" }, false],
    ["who only claims to be another", {}, { headers: { "x-forwarded-for": "192.0.2.9" } }, true],
  ];
  test.each(clients)("takes %s for one client or for two", async (_, one, other, areOne) => {
    const service = serviceFor(OPEN);
    await followMany(service, 10, one);
    expect(await followMany(service, 1, other)).toEqual([areOne ? 429 : 303]);
  });

  test("believes a trusted proxy, and only what the proxy itself has added", async () => {
    const service = serviceFor(OPEN, { trustProxy: true });
    const through = (address: string) => ({
      headers: { "x-forwarded-for": `198.51.100.1, ${address}` },
    });
    await followMany(service, 10, through("192.0.2.1"));
    expect(await followMany(service, 1, through("192.0.2.1"))).toEqual([429]);
    expect(await followMany(service, 1, through("192.0.2.2"))).toEqual([303]);
  });

  test.each([
    ["192.0.2.1:5678", "192.0.2.1", "192.0.2.2:5678"],
    ["[2001:db8::1]:443", "2001:db8::2", "[2001:db8:0:1::1]:443"],
    ['"[2001:db8::1]"', "[2001:db8::1]:1", '"192.0.2.1:80"'],
  ])("knows a client by %s, and by %s; %s is another", async (one, same, other) => {
    const service = serviceFor(OPEN, { trustProxy: true });
    const through = (address: string) => ({ headers: { "x-forwarded-for": address } });
    await followMany(service, 10, through(one));
    expect(await followMany(service, 1, through(same))).toEqual([429]);
    expect(await followMany(service, 1, through(other))).toEqual([303]);
  });

  test("sets no limit to who has the token", async () => {
    const statuses = await followMany(serviceFor(OPEN), 12, BEARER);
    expect(statuses).toEqual(Array(12).fill(303));
  });
});

describe("forged forms", () => {
  const own = `http://localhost:8480`;
  const forms: readonly (readonly [string, Record<string, string>, number])[] = [
    ["of our own pages", { origin: own, "sec-fetch-site": "same-origin" }, 303],
    ["of our own pages, in an old browser", { origin: own }, 303],
    ["of our own pages, without an origin", { "sec-fetch-site": "same-origin" }, 303],
    ["of another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, 403],
    ["of another site, in an old browser", { origin: "https://evil.example" }, 403],
    ["of another port", { origin: "http://localhost:3000", "sec-fetch-site": "same-site" }, 403],
    ["of a sandbox", { origin: "null" }, 403],
    ["of a file", { origin: "file://" }, 403],
    ["of who says nothing", {}, 403],
  ];
  test.each(forms)("%s", async (_, headers, status) => {
    const body = new URLSearchParams({ address: "https://forged.example/" });
    const environment = { incoming: { socket: { remoteAddress: "127.0.0.1" } } };
    const { app } = serviceFor(LOCAL);
    const answer = await app.request(
      `${own}/follow`,
      { method: "POST", headers, body },
      environment,
    );
    expect([answer.status, await isFollowed("forged.example")]).toEqual([status, status === 303]);
  });

  test("the token is proof enough, a cookie is not", async () => {
    const service = serviceFor(WITH_TOKEN);
    const signed = await service.ask("/sign-in", { form: { token: TOKEN } });
    const cookie = signed.headers.get("set-cookie")?.split(";")[0] ?? "";
    const ask = async (headers: Record<string, string>) =>
      (await service.ask(`/sources/${id}/check`, { method: "POST", headers })).status;
    expect(await ask(BEARER.headers)).toBe(303);
    expect(await ask({ cookie, origin: "https://evil.example" })).toBe(403);
    expect(await ask({ cookie, origin: own })).toBe(303);
  });

  test("behind a proxy that takes off the encryption, our own pages are still our own", () => {
    const hosts = ["127.0.0.1:8480", "feeds.example"];
    expect(isFromOurPages({ site: undefined, origin: "https://feeds.example" }, hosts)).toBe(true);
    expect(isFromOurPages({ site: "same-origin", origin: "https://evil.example" }, hosts)).toBe(
      false,
    );
  });
});

describe("a local service answers to its own names only", () => {
  const names: readonly (readonly [string, number])[] = [
    ["localhost:8480", 200],
    ["127.0.0.1:8480", 200],
    ["[::1]:8480", 200],
    ["127.3.2.1", 200],
    ["study.test", 403],
    ["LOCALHOST", 200],
    ["evil.example", 403],
    ["localhost.evil.example", 403],
    ["127.0.0.1.nip.io:8480", 403],
    ["192.168.0.7:8480", 403],
  ];
  test.each(names)("%s: %i", async (host, status) => {
    const service = serviceFor(LOCAL);
    for (const path of ["/", "/feeds/all.atom", "/about"]) {
      expect((await service.ask(path, { host })).status).toBe(status);
    }
  });

  test("any other service answers to every name", async () => {
    const service = serviceFor(WITH_TOKEN);
    expect((await service.ask("/", { host: "feeds.example" })).status).toBe(200);
  });
});

describe("what protects a service", () => {
  const given = { publicUrl: undefined, token: undefined, open: false };
  const known = { ...given, publicUrl: "https://feeds.example/" };
  const cases: readonly (readonly [string, Parameters<typeof accessOf>[0], string])[] = [
    ["loopback", { ...given, host: "127.0.0.1" }, "local"],
    ["loopback, IPv6", { ...given, host: "::1" }, "local"],
    ["localhost", { ...given, host: "localhost" }, "local"],
    ["loopback with a token", { ...given, host: "127.0.0.1", token: TOKEN }, "token"],
    ["anywhere with a token", { ...known, host: "0.0.0.0", token: TOKEN }, "token"],
    ["anywhere, open", { ...known, host: "::", open: true }, "open"],
    ["anywhere, open, with a token", { ...known, host: "::", open: true, token: TOKEN }, "open"],
    [
      "anywhere with a token, at no address",
      { ...given, host: "::", token: TOKEN },
      "NO_PUBLIC_URL",
    ],
    ["anywhere", { ...given, host: "0.0.0.0" }, "UNPROTECTED"],
    ["the local network", { ...given, host: "192.168.0.7" }, "UNPROTECTED"],
    [
      "loopback behind a proxy",
      { ...given, host: "127.0.0.1", publicUrl: "https://feeds.example/" },
      "UNPROTECTED",
    ],
  ];
  test("a token that nobody can guess", () => {
    expect(() => accessOf({ ...given, host: "::", token: "secret" })).toThrow(
      expect.objectContaining({ code: "WEAK_TOKEN" }),
    );
  });

  test.each(cases)("%s", (_, options, expected) => {
    const kind = () => accessOf(options).kind;
    if (expected === "UNPROTECTED")
      expect(kind).toThrow(expect.objectContaining({ code: "UNPROTECTED" }));
    else if (expected === "NO_PUBLIC_URL")
      expect(kind).toThrow(expect.objectContaining({ code: "NO_PUBLIC_URL" }));
    else expect(kind()).toBe(expected);
  });
});

test("browsers are told to run no scripts, to guess no types and to show the pages in no frames", async () => {
  const { headers } = await serviceFor(LOCAL).ask("/nowhere");
  expect(headers.get("content-security-policy")).toMatch(
    /default-src 'none'.*frame-ancestors 'none'/,
  );
  expect(headers.get("content-security-policy")).not.toMatch(/script|unsafe/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("same-origin");
});

test.each([
  ["text/plain", "address"],
  ["multipart/form-data", "address"],
  ["multipart/form-data; boundary=x", "--x\r\naddress"],
  ["application/x-www-form-urlencoded", "%E0%A4%A=%&&=="],
])("a form that makes no sense is the sender's mistake: %s", async (type, body) => {
  const service = new TestService(library);
  const headers = { "content-type": type, origin: `http://${HOST}` };
  const url = `http://${HOST}/follow`;
  expect((await service.app.request(url, { method: "POST", headers, body })).status).toBe(400);
  expect(service.problems).toEqual([]);
});

test("a form holds only so much, and is not read where it says that it holds more", async () => {
  const service = serviceFor(LOCAL);
  const answer = await service.ask("/follow", { form: { address: "a".repeat(20_000) } });
  expect(answer.status).toBe(413);
  const body = new ComingBody(["address="]);
  const announced = await service.send("/follow", body.stream, { "content-length": "20000" });
  expect([announced.status, body.asked]).toEqual([413, 0]);
});

test("all forms together hold only so much, and who comes later is not refused for them", async () => {
  const service = serviceFor(LOCAL);
  const end = Promise.withResolvers<void>();
  const lists = Array.from({ length: 20 }, async () => {
    const body = new ComingBody(["list=", ...Array(9).fill("%0A".repeat(333_333))], end.promise);
    const { status, headers } = await service.send("/import", body.stream);
    return [status, headers.get("retry-after")];
  });
  const [, , ...late] = lists;
  expect(await Promise.all(late)).toEqual(Array(18).fill([503, "60"]));
  end.resolve();
  expect(await Promise.all(lists.slice(0, 2))).toEqual(Array(2).fill([303, null]));
  expect((await service.ask("/follow", { form: { address: "https://a.example/" } })).status).toBe(
    303,
  );
});

test("a form that breaks off is the sender's mistake, and the operator hears nothing of it", async () => {
  const service = serviceFor(LOCAL);
  const gone = Promise.reject(new Error("aborted"));
  const answer = await service.send("/follow", new ComingBody(["address=h"], gone).stream);
  expect([answer.status, service.problems]).toEqual([400, []]);
});
