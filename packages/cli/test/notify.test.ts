import { hash } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { judgeDocument } from "@rs-emit/check";
import { readDocumentSync } from "@rs-emit/documents";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { rounds } from "../../../test/thorough.ts";
import { rsEmit } from "./support/command.ts";
import { contentsOf, page, SITE, siteFolder, temporaryFolder, write } from "./support/folder.ts";
import { host, serve } from "./support/host.ts";
import { run } from "./support/neocities.ts";

interface Posted {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A hub, or a harvester, that keeps what it was told. */
async function listener(status = 202): Promise<{ url: string; posted: Posted[] }> {
  const posted: Posted[] = [];
  const url = await host((request, response) => {
    void text(request).then((body) => {
      posted.push({ headers: request.headers, body });
      response.writeHead(status).end(status >= 400 ? "no such topic" : "");
    });
  });
  return { url, posted };
}

let folder: string;
let site: string;

const emit = (hub: string, now: string) =>
  rsEmit([folder, "--url", site, "--previous", "output", "--now", now, ...config(hub), ...HERE]);
const HERE = ["--history", "files", "--test-address"];
const config = (hub: string, more: object = {}) => {
  write(folder, { "../config.json": JSON.stringify({ hub, ...more }) });
  return ["--config", `${folder}/../config.json`];
};
const notify = (...args: readonly string[]) =>
  rsEmit(["notify", folder, "--url", site, "--wait", "0s", ...args]);

beforeEach(async () => {
  folder = siteFolder();
  site = await host(serve(folder));
});

describe("each publication", () => {
  test(
    "names its hub in the feed and in the Capability List",
    proves("N4", "N30a", "N30b"),
    async () => {
      expect(await emit("https://hub.example/", "2026-10-05T18:30:00Z")).toMatchObject({ exit: 0 });
      expect(contentsOf(folder)["changes.atom"]).toContain(
        '<link rel="hub" href="https://hub.example/"/>',
      );
      const { entries } = readDocumentSync(contentsOf(folder)["capabilitylist.xml"] ?? "");
      expect(entries.at(-1)).toEqual({
        loc: `${site}notification.xml`,
        metadata: { capability: "change-notification" },
        links: [{ rel: "hub", href: "https://hub.example/" }],
      });
    },
  );

  test(
    "writes the notification of its changes, with those that nobody was told of yet",
    proves("N1", "N7a", "N7b", "N7c", "N10", "N11a", "N11b", "N16a"),
    async () => {
      const seen = [];
      for (const day of ["05", "06", "07"]) {
        write(folder, { "moss.html": page("Moss", day), [`new-${day}.html`]: page(day) });
        await emit("https://hub.example/", `2026-10-${day}T18:30:00Z`);
        if (day === "05") {
          expect(contentsOf(folder)).not.toHaveProperty(["notification.xml"]);
          continue;
        }
        const topic = readDocumentSync(contentsOf(folder)["notification.xml"] ?? "");
        expect(judgeDocument(topic)).toEqual([]);
        const { from, until } = topic.metadata;
        seen.push([from, until, topic.entries.map(({ metadata }) => metadata?.change).join()]);
        expect(topic.links).toEqual([{ rel: "up", href: `${site}capabilitylist.xml` }]);
      }
      expect(seen).toEqual([
        ["2026-10-05T18:30:00Z", "2026-10-06T18:30:00Z", "updated,created"],
        ["2026-10-05T18:30:00Z", "2026-10-07T18:30:00Z", "updated,created,updated,created"],
      ]);
      const before = contentsOf(folder);
      await emit("https://hub.example/", "2026-10-08T18:30:00Z");
      expect(contentsOf(folder)).toEqual(before);
    },
  );

  test("says of each change what the lists say", proves("N11c"), async () => {
    const links = [{ match: "**", rel: "duplicate", href: "https://mirror.example/{path}" }];
    config("https://hub.example/", { links });
    const options = ["--url", site, "--previous", "output", "--config", `${folder}/../config.json`];
    const run = (now: string) => rsEmit([folder, ...options, "--now", now, ...HERE]);
    await run("2026-10-05T18:30:00Z");
    const text = page("Moss", "Mosses, ferns 蘚");
    write(folder, { "moss.html": text });
    const now = "2026-10-06T18:30:00Z";
    await run(now);
    const { entries } = readDocumentSync(contentsOf(folder)["notification.xml"] ?? "");
    expect(entries).toMatchObject([
      {
        loc: `${site}moss.html`,
        lastmod: now,
        metadata: {
          change: "updated",
          datetime: now,
          hash: `sha-256:${hash("sha256", text)}`,
          length: String(Buffer.byteLength(text)),
          type: "text/html",
        },
        links: [{ rel: "duplicate", href: "https://mirror.example/moss.html" }],
      },
    ]);
  });

  test("without the option takes the channel away", async () => {
    await emit("https://hub.example/", "2026-10-05T18:30:00Z");
    await rsEmit([folder, "--url", site, "--now", "2026-10-06T18:30:00Z", ...HERE]);
    expect(contentsOf(folder)).not.toHaveProperty(["notification.xml"]);
    expect(contentsOf(folder)["capabilitylist.xml"]).not.toContain("hub");
  });
});

describe("notify", () => {
  test(
    "tells a hub of the feed and of the topic, and harvesters of the site",
    proves("T2", "T42"),
    async () => {
      const [hub, harvester] = [await listener(), await listener()];
      await emit(hub.url, "2026-10-05T18:30:00Z");
      write(folder, { "moss.html": page("Moss", "By foot") });
      await emit(hub.url, "2026-10-06T18:30:00Z");
      const outcome = await notify("--hub", hub.url, "--ping", `${harvester.url}ping`);
      expect(outcome).toMatchObject({ exit: 0, stderr: "" });
      const forms = hub.posted.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
      expect(forms.map((form) => form["hub.topic"]).sort()).toEqual([
        `${site}changes.atom`,
        `${site}notification.xml`,
      ]);
      for (const form of forms) {
        expect(form).toMatchObject({ "hub.mode": "publish", "hub.url": form["hub.topic"] });
      }
      // Strict servers compare the whole header.
      const types = [...hub.posted, ...harvester.posted].map(
        ({ headers }) => headers["content-type"],
      );
      expect(new Set(types)).toEqual(new Set(["application/x-www-form-urlencoded"]));
      expect(harvester.posted.map(({ body }) => body)).toEqual([`url=${encodeURIComponent(site)}`]);
    },
  );

  test(
    "hands a hub that wants it the notification itself",
    proves("N17a", "N17b", "N17c", "N17d", "N18"),
    async () => {
      const hub = await listener(200);
      await emit(hub.url, "2026-10-05T18:30:00Z");
      write(folder, { "moss.html": page("Moss", "By foot") });
      await emit(hub.url, "2026-10-06T18:30:00Z");
      const options = config("", { hub: { url: hub.url, payload: true } });
      expect(await notify(...options)).toMatchObject({ exit: 0, stderr: "" });
      const [submitted] = hub.posted.filter(({ headers }) => headers.link !== undefined);
      expect(submitted?.headers["content-type"]).toBe("application/xml");
      expect(submitted?.headers.link).toBe(
        `<${site}notification.xml>; rel="self", <${hub.url}>; rel="hub", ` +
          `<${site}capabilitylist.xml>; rel="resourcesync"`,
      );
      expect(submitted?.body).toBe(contentsOf(folder)["notification.xml"]);
    },
  );

  test(
    "sends each change on the channel of its collection, which has one of its own",
    proves("N2", "N3", "T41"),
    async () => {
      const hub = await listener(200);
      const collections = ["", "night/"];
      const options = config("", {
        hub: { url: hub.url, payload: true },
        collections: ["/", ...collections.slice(1)],
        feed: false,
      });
      const args = [folder, "--url", site, "--previous", "output", ...options, ...HERE];
      await rsEmit([...args, "--now", "2026-10-05T18:30:00Z"]);
      write(folder, {
        "moss.html": page("Moss", "By foot"),
        "night/bus.html": page("Night bus", "Late"),
        "night/train.html": page("Night train"),
      });
      await rsEmit([...args, "--now", "2026-10-06T18:30:00Z"]);
      expect(await notify(...options)).toMatchObject({ exit: 0, stderr: "" });
      const sent = hub.posted.map(({ headers, body }) => [
        /^<([^>]*)>; rel="self"/.exec(String(headers.link))?.[1],
        readDocumentSync(body).entries.map(({ loc }) => loc),
      ]);
      expect(Object.fromEntries(sent)).toEqual({
        [`${site}notification.xml`]: [`${site}moss.html`],
        [`${site}night/notification.xml`]: [`${site}night/bus.html`, `${site}night/train.html`],
      });
      for (const path of collections) {
        const list = readDocumentSync(contentsOf(folder)[`${path}capabilitylist.xml`] ?? "");
        const channels = list.entries.filter(
          ({ metadata }) => metadata?.capability === "change-notification",
        );
        expect(channels.map(({ loc }) => loc)).toEqual([`${site}${path}notification.xml`]);
      }
    },
  );

  test(
    "hands it more changes than one notification holds in a sequence, up to the first failure",
    proves("N6", "N8", "N13"),
    async () => {
      const [hub, broken] = [await listener(200), await listener(500)];
      await publishMany(hub.url);
      const optionsFor = (url: string) => [
        ...config("", { hub: { url, payload: true }, feed: false }),
        "--no-pages",
      ];
      expect(await notify(...optionsFor(broken.url))).toMatchObject({ exit: 1 });
      expect(broken.posted).toHaveLength(1);
      expect(await notify(...optionsFor(hub.url))).toMatchObject({ exit: 0, stderr: "" });
      const sent = hub.posted.map(({ body }) => readDocumentSync(body));
      expect(sent.map(({ entries }) => entries.length)).toEqual([3, 50_000]);
      expect(sent.map(({ metadata: { from, until } }) => [from, until])).toEqual([
        ["2026-10-05T18:30:00Z", "2026-10-05T18:30:03Z"],
        ["2026-10-05T18:30:03Z", "2026-10-06T18:30:00Z"],
      ]);
      const times = sent.flatMap(({ entries }) =>
        entries.map(({ metadata }) => metadata?.datetime),
      );
      expect(times.slice(0, 4)).toEqual([1, 2, 3, 4].map((second) => secondOf(second)));
      expect(times).toEqual(times.toSorted());
      expect(sent.map(({ metadata }) => metadata.capability)).toEqual([
        "change-notification",
        "change-notification",
      ]);
      expect(sent.flatMap((document) => judgeDocument(document))).toEqual([]);
      const told = sent.flatMap(({ entries }) => entries.map(({ loc }) => loc));
      expect(new Set(told).size).toBe(50_003);
      expect(told.at(-1)).toBe(`${site}moss/50002.html`);
    },
  );

  /** So many seconds after the first publication. */
  function secondOf(second: number): string {
    return new Date(Date.parse("2026-10-05T18:30:00Z") + second * 1000)
      .toISOString()
      .replace(".000", "");
  }

  /**
   * A site whose last publication has 50,003 changes, a second from one to the next: its Change List
   * grows as if by as many pages.
   */
  async function publishMany(hub: string): Promise<void> {
    await emit(hub, "2026-10-05T18:30:00Z");
    write(folder, { "moss/0.html": page("Moss") });
    await emit(hub, "2026-10-06T18:30:00Z");
    const list = contentsOf(folder)["changelist/2026-10.xml"] ?? "";
    const [before = "", entry = "", after] = list.split(/(?=<url>(?!.*<url>)|<\/urlset>)/s);
    const entries = Array.from({ length: 50_003 }, (_, number) =>
      entry
        .replace("moss/0.html", `moss/${number}.html`)
        .replace(/datetime="[^"]*"/, `datetime="${secondOf(number + 1)}"`),
    );
    const longer = [before, ...entries, after].join("");
    const index = contentsOf(folder)["changelist.xml"] ?? "";
    write(folder, {
      "changelist/2026-10.xml": longer,
      "changelist.xml": index
        .replace(hash("sha256", list), hash("sha256", longer))
        .replace(`length="${list.length}"`, `length="${longer.length}"`),
    });
  }

  test.each([301, 404, 500])("takes %i for a failure", proves("N19"), async (status) => {
    const hub = await listener(status);
    await emit(hub.url, "2026-10-05T18:30:00Z");
    const outcome = await notify("--hub", hub.url);
    expect(outcome).toMatchObject({ exit: 1, stdout: "" });
    expect(outcome.stderr).toContain(`it answers ${status}`);
  });

  test("tells nobody of what is not live yet", async () => {
    const hub = await listener();
    await emit(hub.url, "2026-10-05T18:30:00Z");
    site = await host(serve(folder, (path) => path.endsWith("changelist.xml")));
    await rsEmit([folder, "--url", site, "--previous", "none", "--first", "--force", ...HERE]);
    const outcome = await notify("--hub", hub.url);
    expect(outcome.exit).toBe(1);
    expect(outcome.stderr).toMatch(
      /is not what was published: it answers 404. Nobody was notified/,
    );
    expect(hub.posted).toEqual([]);
  });

  describe("compares what it names with the site", () => {
    /** What the site serves, by path, in place of the folder's files. */
    let live: (path: string) => string | undefined;
    let hub: Awaited<ReturnType<typeof listener>>;
    const tell = (...args: readonly string[]) =>
      run("notify", folder, "--url", site, "--wait", "0s", "--hub", hub.url, ...args);
    const publish = (now: string, ...args: readonly string[]) =>
      run(folder, "--url", site, ...config(hub.url), ...HERE, "--now", now, ...args);

    beforeEach(async () => {
      hub = await listener();
      live = () => undefined;
      const files = serve(folder);
      site = await host((request, response) => {
        const text = live(new URL(request.url ?? "/", "http://host").pathname);
        if (text === undefined) files(request, response);
        else response.end(text);
      });
      await publish("2026-10-05T18:30:00Z", "--previous", "output", "--first");
    });

    test("each document and each page: with an old one, nobody is told", async () => {
      write(folder, { "moss.html": page("Moss", "day") });
      await publish("2026-10-06T18:30:00Z");
      const before = contentsOf(folder);
      write(folder, { "moss.html": page("Moss", "night") });
      await publish("2026-10-07T18:30:00Z");
      const after = contentsOf(folder);
      const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
      const named = changed.filter((file) => file !== "resourcelist.xml");
      expect(named.sort()).toEqual([
        "changelist.xml",
        "changelist/2026-10.xml",
        "changes.atom",
        "moss.html",
        "notification.xml",
      ]);
      for (const file of named) {
        live = (path) => (path === `/${file}` ? before[file] : undefined);
        const { exit, stderr } = await tell();
        expect([exit, stderr]).toEqual([1, expect.stringContaining(`${site}${file} is not what`)]);
        expect(stderr).toContain("Nobody was notified.");
        expect(hub.posted).toEqual([]);
      }
      live = () => undefined;
      expect(await tell()).toMatchObject({ exit: 0, stderr: "" });
    });

    test.each([
      [
        "a script beside its content",
        (text: string) => text.replace("</body>", "<script>1</script></body>"),
        0,
      ],
      ["comments and white space", (text: string) => `${text}\n<!-- cached -->`, 0],
      [
        "what a service is known to write",
        () => page("Moss", '<a href="/cdn-cgi/l/email-protection#a">a</a>'),
        0,
      ],
      [
        "words of its own",
        (text: string) => text.replace("More of it", "More of it, said the host"),
        1,
      ],
    ])("a page into which its host puts %s", async (_, rewrite, exit) => {
      write(folder, { "moss.html": page("Moss", "More of it") });
      await publish("2026-10-06T18:30:00Z");
      const moss = contentsOf(folder)["moss.html"] ?? "";
      live = (path) => (path === "/moss.html" ? rewrite(moss) : undefined);
      expect(await tell()).toMatchObject({ exit });
      expect(await tell("--no-pages")).toMatchObject({ exit: 0 });
    });

    test.each<[string, string, () => Promise<unknown>]>([
      ["is older than the site's", "2026-10-06", async () => {}],
      [
        "is newer, of another log",
        "2026-10-06",
        () => publish("2026-10-07T18:30:00Z", "--previous", "output"),
      ],
      [
        "was begun anew",
        "2026-10-06",
        () => publish("2026-10-07T18:30:00Z", "--previous", "none", "--first", "--force"),
      ],
    ])("a folder that %s: nobody is told, and the newer log is kept", async (_, time, next) => {
      const own = contentsOf(folder);
      write(folder, { "moss.html": page("Moss", "from elsewhere") });
      await publish(`${time}T18:30:00Z`);
      const elsewhere = contentsOf(folder);
      for (const [file, text] of Object.entries(own)) write(folder, { [file]: text });
      live = (path) => elsewhere[path.slice(1)];
      write(folder, { "new.html": page("New") });
      await next();
      const { exit, stderr } = await tell();
      expect(exit).toBe(1);
      expect(stderr).toContain(`is of the publication ${time}T18:30:00Z`);
      expect(stderr).toContain("Do not deploy this folder");
      expect(hub.posted).toEqual([]);
      // As the advice says.
      write(folder, { "moss.html": elsewhere["moss.html"] ?? "" });
      await publish("2026-10-09T18:30:00Z", "--previous", "site");
      live = () => undefined;
      expect(await tell()).toMatchObject({ exit: 0, stderr: "" });
      const { stdout } = await run("log", folder, "--json");
      expect(stdout).toContain("2026-10-06T18:30:00Z");
    });

    test("a folder of another site, without its dot folder, and a damaged one", async () => {
      const other = await run("notify", folder, "--url", "https://moss.example/", "--hub", hub.url);
      expect(other).toMatchObject({ exit: 1, stderr: expect.stringContaining(`not for https`) });
      write(folder, { ".well-known/resourcesync": "gone" });
      expect(await tell()).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining("resourcesync"),
      });
      rmSync(`${folder}/.well-known`, { recursive: true });
      expect(await tell()).toMatchObject({ exit: 0, stderr: "" });
    });

    test.each(["notification.xml", "changelist/2026-10.xml", "changes.atom"])(
      "an empty %s in the folder: nobody is told, whatever the site has",
      async (file) => {
        write(folder, { [file]: "" });
        const { exit, stderr } = await tell();
        expect([exit, stderr]).toEqual([1, expect.stringContaining(`${file} is empty`)]);
        expect(hub.posted).toEqual([]);
      },
    );
  });

  test("a hub of what has neither feed nor notification is an error", async () => {
    await run(
      folder,
      "--url",
      site,
      ...config("", { hub: undefined, feed: false }),
      ...HERE,
      "--first",
    );
    const { exit, stderr } = await notify(
      "--hub",
      "https://hub.example/",
      ...config("", { hub: undefined, feed: false }),
    );
    expect([exit, stderr]).toEqual([1, expect.stringContaining("neither a feed nor notification")]);
  });

  test.each([
    ["--url", "garden.example"],
    ["--hub", "hub.example"],
    ["--ping", "ftp://hub.example/"],
    ["--url", "https://garden.example//"],
    ["--hub", "https://hub.example//"],
    ["--ping", "https://reader.example//ping"],
  ])("%s %s is no address", async (option, text) => {
    const address = option === "--url" ? [] : ["--url", site];
    const { exit, stderr } = await run("notify", folder, ...address, option, text);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(text)]);
    expect(stderr).not.toContain("fault of the program");
  });

  test("wants somebody to tell", async () => {
    await emit("https://hub.example/", "2026-10-05T18:30:00Z");
    const outcome = await notify(...config("", { hub: undefined }));
    expect(outcome.exit).toBe(2);
    expect(outcome.stderr).toContain("nobody to notify");
  });
});

describe("what was told before", () => {
  /** What the site serves: a deploy copies the folder there. */
  let live: string;
  /** Whether the hub takes what it is told. */
  let takes: boolean;
  /** Each notification that the hub took: its topic, interval and changes. */
  let told: { topic: string; from: string; until: string; changes: string[] }[];
  let hub: string;
  let day: number;

  const deploy = () => cpSync(folder, live, { recursive: true });
  const timeOf = (date: number) => new Date(Date.UTC(2026, 9, date, 18, 30)).toISOString();
  const publish = (payload: boolean, ...args: readonly string[]) => {
    const options = config("", { hub: { url: hub, payload }, collections: ["/", "/night/"] });
    day += 1;
    const previous = args.length === 0 ? ["--previous", "output"] : args;
    return run(folder, "--url", site, ...options, ...HERE, "--now", timeOf(day), ...previous);
  };
  const tell = () => run("notify", folder, "--url", site, "--wait", "0s", "--config", CONFIG());
  const CONFIG = () => `${folder}/../config.json`;
  const edit = (path: string) => write(folder, { [path]: page(path, `${path} of day ${day}`) });
  const intervals = () => told.map(({ topic, from, until }) => [topic, from, until]);
  const at = (date: number) => timeOf(date).replace(".000", "");

  beforeEach(async () => {
    [live, told, takes, day] = [temporaryFolder(), [], true, 4];
    site = await host(serve(live));
    hub = await host(async (request, response) => {
      const body = await text(request);
      if (!takes) return response.writeHead(500).end();
      const topic = new URLSearchParams(body).get("hub.topic");
      if (topic === null)
        take(body, /<([^>]*)>; rel="self"/.exec(String(request.headers.link))?.[1]);
      else if (topic.endsWith("notification.xml")) take(await (await fetch(topic)).text(), topic);
      return response.writeHead(202).end();
    });
  });

  function take(body: string, topic = ""): void {
    const { metadata, entries } = readDocumentSync(body);
    const { from = "", until = "" } = metadata;
    const changes = entries.map(({ loc, metadata }) => `${metadata?.datetime} ${loc}`);
    told.push({ topic: topic.slice(site.length), from, until, changes });
  }

  describe.each([true, false])("to a hub that takes notifications themselves: %s", (payload) => {
    test("two builds and one deploy: the changes of both are told, then those after", async () => {
      await publish(payload);
      for (const path of ["moss.html", "rain.html"]) {
        edit(path);
        await publish(payload);
      }
      deploy();
      expect(await tell()).toMatchObject({ exit: 0, stderr: "" });
      edit("moss.html");
      await publish(payload);
      deploy();
      await tell();
      const topic = "notification.xml";
      expect(intervals()).toEqual([
        [topic, at(5), at(7)],
        [topic, at(7), at(8)],
      ]);
      expect(told.map(({ changes }) => changes.length)).toEqual([2, 1]);
    });

    test("what is told twice is nothing, and a collection without changes posts nothing", async () => {
      await publish(payload);
      edit("moss.html");
      await publish(payload);
      deploy();
      await tell();
      const before = contentsOf(folder);
      const again = await tell();
      expect(again).toMatchObject({
        exit: 0,
        stdout: `Nothing is new since ${hub} was notified last`,
      });
      await publish(payload);
      expect(contentsOf(folder)).toEqual(before);
      edit("night/bus.html");
      await publish(payload);
      deploy();
      await tell();
      expect(intervals()).toEqual([
        ["notification.xml", at(5), at(6)],
        ["night/notification.xml", at(5), at(8)],
      ]);
    });

    test("a build that has only the live site continues where that ended", async () => {
      for (const path of ["moss.html", "rain.html"]) {
        await publish(payload, ...(path === "moss.html" ? ["--first"] : ["--previous", "site"]));
        deploy();
        await tell();
        edit(path);
      }
      for (const name of Object.keys(contentsOf(folder)).filter((file) => !/html$/.test(file))) {
        rmSync(join(folder, name));
      }
      await publish(payload, "--previous", "site");
      deploy();
      await tell();
      const topic = "notification.xml";
      expect(intervals()).toEqual([
        [topic, at(5), at(6)],
        [topic, at(6), at(7)],
      ]);
      const before = contentsOf(live);
      for (const name of Object.keys(before).filter((file) => !/html$/.test(file))) {
        rmSync(join(folder, name));
      }
      await publish(payload, "--previous", "site");
      await tell();
      expect(told).toHaveLength(2);
      expect(contentsOf(folder)["notification.xml"]).toBe(before["notification.xml"]);
    });
  });

  test.each(["no JSON", '{"hub":{"SITE":"no interval"},"indexNow":{}}'])(
    "counts for nothing where it is damaged: %s",
    async (damaged) => {
      await publish(true);
      write(folder, { ".rs-emit-notified.json": damaged.replace("SITE", site) });
      edit("moss.html");
      await publish(true);
      deploy();
      expect(await tell()).toMatchObject({ exit: 0, stderr: "" });
      expect(intervals()).toEqual([["notification.xml", at(5), at(6)]]);
    },
  );

  test(
    "is told once, and in consecutive intervals, however builds, deploys and failures follow",
    proves("N8"),
    async () => {
      const steps = fc.constantFrom("build", "night", "idle", "deploy", "tell", "deploy+fail");
      await fc.assert(
        fc.asyncProperty(fc.boolean(), fc.array(steps, { maxLength: 12 }), async (payload, all) => {
          rmSync(folder, { recursive: true });
          rmSync(live, { recursive: true });
          write(folder, SITE);
          [told, day] = [[], 4];
          await publish(payload);
          for (const step of [...all, "deploy", "tell"]) {
            if (step === "build") edit("moss.html");
            if (step === "night") edit("night/bus.html");
            if (/build|night|idle/.test(step)) await publish(payload);
            if (step.includes("deploy")) deploy();
            takes = step !== "deploy+fail";
            if (/tell|fail/.test(step)) await tell();
          }
          const { stdout } = await rsEmit(["log", folder, "--json", "--minor"]);
          const log = stdout
            .trim()
            .split("\n")
            .reverse()
            .map((line) => JSON.parse(line));
          for (const collection of ["", "night/"]) {
            const own = told.filter(({ topic }) => topic === `${collection}notification.xml`);
            const ends = [at(5), ...own.map(({ until }) => until)];
            expect(own.map(({ from }) => from)).toEqual(ends.slice(0, -1));
            const isOwn = (url: string) => url.includes("/night/") === (collection !== "");
            const changes = log.filter(({ url, datetime }) => isOwn(url) && datetime > at(5));
            expect(own.flatMap((one) => one.changes)).toEqual(
              changes.map(({ url, datetime }) => `${datetime} ${url}`),
            );
          }
        }),
        { numRuns: rounds(25, 300) },
      );
    },
  );
});
