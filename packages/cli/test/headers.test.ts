import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { parseAllHeaders } from "@netlify/headers-parser";
import { beforeEach, describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { rsEmit } from "./support/command.ts";
import { contentsOf, page, siteFolder, write } from "./support/folder.ts";
import { host, serve } from "./support/host.ts";

const SITE = "https://example.org/";
const HUB = "https://hub.example/";
let folder: string;

const publish = (options: object, now = "2026-10-05T18:30:00Z", site = SITE) => {
  write(folder, { "../config.json": JSON.stringify({ history: "files", now, ...options }) });
  const config = ["--config", join(folder, "../config.json"), "--previous", "output", "--first"];
  return rsEmit([folder, "--url", site, "--json", ...config]);
};
const headers = () => contentsOf(folder)._headers;
const notes = ({ stdout }: { stdout: string }): { code: string; message: string }[] =>
  JSON.parse(stdout).notes;

/** Serves a folder as Netlify does: its own reader says which headers `_headers` asks for. */
function serveAsNetlify(): RequestListener {
  const plain = serve(folder);
  return async (request, response) => {
    const { headers: rules, errors } = await parseAllHeaders({
      headersFiles: [join(folder, "_headers")],
      netlifyConfigPath: undefined,
      configHeaders: [],
      minimal: true,
    });
    expect(errors).toEqual([]);
    const { pathname } = new URL(request.url ?? "/", SITE);
    for (const rule of rules.filter((one) => one.for === pathname)) {
      for (const [name, value] of Object.entries(rule.values)) response.setHeader(name, value);
    }
    plain(request, response);
  };
}

beforeEach(() => {
  folder = siteFolder();
});

describe("the option headers", () => {
  test(
    "has the topic answer as Change Notification asks",
    proves("N15a", "N15b", "N15c", "N15d"),
    async () => {
      const site = await host(serveAsNetlify());
      const options = { headers: true, hub: HUB, collections: ["/", "/night/"] };
      await publish(options, undefined, site);
      // The topic's content is its last notification, which the first changes make.
      expect((await fetch(`${site}notification.xml`)).status).toBe(404);
      const pages = { "moss.html": page("Moss", "By foot"), "night/bus.html": page("Bus", "Late") };
      write(folder, pages);
      await publish(options, "2026-10-06T18:30:00Z", site);
      for (const collection of ["", "night/"]) {
        const topic = `${site}${collection}notification.xml`;
        const answer = await fetch(topic);
        expect(answer.status).toBe(200);
        expect(answer.headers.get("content-type")).toBe("application/xml");
        expect(answer.headers.get("link")).toBe(
          `<${topic}>; rel="self", <${HUB}>; rel="hub", ` +
            `<${site}${collection}capabilitylist.xml>; rel="resourcesync"`,
        );
      }
    },
  );

  test("leads from a collection's page to its Capability List", proves("R27"), async () => {
    const site = await host(serveAsNetlify());
    write(folder, { "night/index.html": page("Night") });
    await publish({ headers: true, collections: ["/", "/night/"] }, undefined, site);
    const linkOf = async (path: string) => (await fetch(site + path)).headers.get("link");
    expect(await linkOf("")).toBe(`<${site}capabilitylist.xml>; rel="resourcesync"`);
    expect(await linkOf("night/")).toBe(`<${site}night/capabilitylist.xml>; rel="resourcesync"`);
    expect(await linkOf("moss.html")).toBeNull();
    const description = await fetch(`${site}.well-known/resourcesync`);
    expect(description.headers.get("content-type")).toBe("application/xml");
  });

  test("names no page that is no resource", async () => {
    write(folder, {
      "index.html": '<title>Home</title><meta name="robots" content="noindex">Home',
    });
    await publish({ headers: true });
    expect(headers()).not.toContain("Link");
  });

  test.each([
    ["", ""],
    ["/*\n  X-Frame-Options: DENY\n", ""],
    ["/*\r\n  X-Robots: a\xff", "\n"],
    ["# by hand\n\n", ""],
  ])("leaves the author's lines as they are: %j", async (lines, gap) => {
    if (lines !== "") writeFileSync(join(folder, "_headers"), lines, "latin1");
    await publish({ headers: true, hub: HUB });
    const written = headers() ?? "";
    expect(written.startsWith(`${lines}${gap}# rs-emit begins`)).toBe(true);
    writeFileSync(join(folder, "_headers"), `${written}/moss.html\n  X-More: 1\n`, "latin1");
    const before = contentsOf(folder);
    await publish({ headers: true, hub: HUB }, "2026-10-06T18:30:00Z");
    expect(contentsOf(folder)).toEqual(before);
    await publish({}, "2026-10-07T18:30:00Z");
    expect(headers()).toBe(`${lines}${gap}/moss.html\n  X-More: 1\n`);
  });

  test("writes its lines again where a build has made the file anew", async () => {
    await publish({ headers: true });
    const whole = headers();
    write(folder, { _headers: "/*\n  X-New: 1\n" });
    await publish({ headers: true }, "2026-10-06T18:30:00Z");
    expect(headers()).toBe(`/*\n  X-New: 1\n${whole}`);
  });

  test("never makes the file a resource", async () => {
    await publish({ headers: true, include: "**" });
    expect(contentsOf(folder)["resourcelist.xml"]).not.toContain("_headers");
  });

  test("stops where its marker lines are broken, and writes nothing", async () => {
    await publish({ headers: true });
    write(folder, { _headers: (headers() ?? "").replace("# rs-emit ends\n", "/*\n  X: 1\n") });
    write(folder, { "moss.html": page("Moss", "newer") });
    const before = contentsOf(folder);
    const outcome = await publish({ headers: true }, "2026-10-06T18:30:00Z");
    expect(outcome.exit).toBe(1);
    expect(outcome.stdout).toContain("the next run writes them anew");
    expect(contentsOf(folder)).toEqual(before);
  });

  test("does not write over a folder of that name", async () => {
    mkdirSync(join(folder, "_headers"));
    const outcome = await publish({ headers: true });
    expect(outcome.exit).toBe(1);
    expect(outcome.stdout).toContain("_headers is a folder");
    expect(existsSync(join(folder, "resourcelist.xml"))).toBe(false);
  });

  test("is refused below a host's root, where the file is not read", async () => {
    const outcome = await publish({ headers: true }, undefined, `${SITE}project/`);
    expect(outcome.exit).toBe(2);
    expect(outcome.stdout).toContain("false for a site below its host's root");
  });
});

describe("a run says what followers cannot discover", () => {
  test("once, where no header tells of the hub", async () => {
    const [note] = notes(await publish({ hub: HUB })).filter(({ code }) => code === "NO_HEADERS");
    expect(note?.message).toContain(
      "followers find the hub in the Capability List and in the feed",
    );
    write(folder, { "moss.html": page("Moss", "newer") });
    const later = notes(await publish({ hub: HUB }, "2026-10-06T18:30:00Z"));
    expect(later.map(({ code }) => code)).not.toContain("NO_HEADERS");
  });

  test("and on hosts that take no headers from a file", async () => {
    const told = notes(await publish({ headers: true }, undefined, "https://moss.neocities.org/"));
    expect(told.find(({ code }) => code === "NO_HEADERS")?.message).toContain(
      "moss.neocities.org takes no headers",
    );
  });

  test("but not where headers tell", async () => {
    const told = notes(await publish({ headers: true, hub: HUB }));
    expect(told.map(({ code }) => code)).not.toContain("NO_HEADERS");
  });
});
