import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Answer, bytes, page, serve, status, type TestHost } from "./support/server.ts";
import { isDocument, logOf, TestSite, temporaryFolder } from "./support/site.ts";

const DESCRIPTION = ".well-known/resourcesync";
const CAPABILITIES = "capabilitylist.xml";
const THREE = ["", "shrine", "gallery"];
const REBUILT = expect.objectContaining({ code: "DESCRIPTION_REBUILT" });

describe("a host that is never given dot folders, and a build that reads it", () => {
  test.each([{ collections: [""] }, { collections: THREE }])(
    "of $collections publishes what a folder that keeps all would",
    async ({ collections }) => {
      const host = await serve(temporaryFolder());
      const truth = new TestSite({ url: host.url, collections });
      for (const folder of ["", "shrine/", "gallery/"]) truth.page(`${folder}index.html`, "Home");
      for (const [number, month] of ["09", "10", "10", "11", "12"].entries()) {
        const at = `2026-${month}-0${number + 1}T12:00:00Z`;
        truth.page("index.html", `Home ${number}`).page(`shrine/${number}.html`, `${number}`);
        if (number === 3) truth.remove("shrine/1.html", "gallery/index.html");
        await truth.publish(at);
        const build = truth.build({ previous: "site" });
        const { notes, first } = await build.publish(at);
        expect(first).toBe(number === 0);
        expect(notes.some(({ code }) => code === "DESCRIPTION_REBUILT")).toBe(number > 0);
        expect(documents(build)).toEqual(documents(truth));
        host.folder = build.copy().remove(".well-known").folder;
      }
      expect(logOf(truth.folder, host.url).length).toBeGreaterThan(4);
    },
  );

  test("goes on where a collection is added, and where one is no longer configured", async () => {
    const host = await serve(temporaryFolder());
    const truth = new TestSite({ url: host.url });
    for (const folder of ["", "shrine/", "gallery/"]) truth.page(`${folder}index.html`, "Home");
    const choices = [["shrine"], ["shrine", "gallery"], ["gallery"], ["", "gallery"], ["shrine"]];
    for (const [number, collections] of choices.entries()) {
      const at = `2026-10-0${number + 1}T12:00:00Z`;
      await truth.publish(at, { collections, allowMassDelete: true });
      const build = truth.build({ previous: "site" });
      await build.publish(at, { collections, allowMassDelete: true });
      expect(documents(build)).toEqual(documents(truth));
      host.folder = build.copy().remove(".well-known").folder;
    }
  });
});

test("a host that answers every other address with a web page is told from one without documents", async () => {
  const { host, live, next } = await deployed();
  for (const path of live.files().keys()) {
    const file = join(host.folder, path);
    if (existsSync(file)) host.answers.set(path, bytes(readFileSync(file)));
  }
  host.answers.set("*", page);
  next.page("art/index.html", "Art");
  const { notes } = await next.publish("2026-11-20T12:00:00Z", { collections: ["art", ...THREE] });
  expect(notes).toContainEqual(REBUILT);
  expect(logOf(next.folder, host.url, "art/")).toEqual(["2026-11-20T12:00:00Z created /art/"]);
  expect(logOf(next.folder, host.url)).toHaveLength(3);
});

test.each([401, 403])(
  "a host that answers %i for dot folders is told to serve one",
  async (code) => {
    const { host, next } = await deployed();
    host.answers.set(DESCRIPTION, status(code));
    await expectStop(next, "SITE_STATUS", "let yours serve .well-known");
    host.answers.delete(DESCRIPTION);
    host.answers.set("resourcelist.xml", status(code));
    const error = await next.run("2026-11-20T12:00:00Z").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "SITE_STATUS" });
    expect(error).not.toMatchObject({ message: expect.stringContaining(".well-known") });
  },
);

test("beside a Source Description that no deploy replaces, a collection keeps when it was added", async () => {
  const host = await serve(temporaryFolder());
  const live = new TestSite({ url: host.url }).page("index.html", "Home");
  await live.publish("2026-10-05T12:00:00Z");
  const old = live.read(DESCRIPTION);
  live.page("shrine/index.html", "Shrine");
  let next = live;
  for (const day of [6, 7, 8]) {
    host.folder = next.copy().write(DESCRIPTION, old).folder;
    next = next.build({ previous: "site", collections: ["", "shrine"] });
    next.page("shrine/index.html", `Shrine ${day}`);
    await next.publish(`2026-10-0${day}T12:00:00Z`);
    expect(next.read(DESCRIPTION)).toContain('since="2026-10-06T12:00:00Z"');
  }
  expect(logOf(next.folder, host.url, "shrine/")).toHaveLength(3);
});

describe("a folder without its Source Description", () => {
  test("has it again after the next run, which changes nothing else", async () => {
    const site = await published();
    const before = site.files();
    site.remove(".well-known");
    const { rewritten, notes } = await site.publish("2026-11-20T12:00:00Z");
    expect(rewritten).toEqual([DESCRIPTION]);
    expect(notes).toEqual([REBUILT]);
    expect(site.files()).toEqual(before);
  });

  test("is continued from elsewhere", async () => {
    const site = await published();
    const kept = site.copy().remove(".well-known");
    const next = site.build({ previous: kept.folder }).page("shrine/index.html", "Shrine again");
    const options = { collections: ["shrine"], allowMassDelete: true };
    await next.publish("2026-11-20T12:00:00Z", options);
    expect(next.read(DESCRIPTION)).toBe(site.read(DESCRIPTION));
    expect(logOf(next.folder, site.url, "shrine/")).toHaveLength(2);
  });

  test("loses what others wrote into it, and says so", async () => {
    const site = await published();
    const own = site.read(DESCRIPTION);
    const other = "<url><loc>https://example.org/art/capabilitylist.xml</loc></url></urlset>";
    site.write(DESCRIPTION, own.replace("</urlset>", other));
    await site.run("2026-11-18T12:00:00Z");
    expect(site.read(DESCRIPTION)).not.toBe(own);
    site.remove(".well-known");
    const { notes } = await site.publish("2026-11-20T12:00:00Z");
    expect(notes.map(({ message }) => message).join()).toContain("could not be restored");
    expect(site.read(DESCRIPTION)).toBe(own);
  });

  test("may have moved", async () => {
    const site = await published();
    const url = "https://new.example/~me/";
    const moved = site.copy();
    await moved.publish("2026-11-20T12:00:00Z", { url, movedFrom: site.url });
    site.remove(".well-known");
    const refused = site.run("2026-11-20T12:00:00Z", { url });
    await expect(refused).rejects.toThrow(`movedFrom: "${site.url}"`);
    await site.publish("2026-11-20T12:00:00Z", { url, movedFrom: site.url });
    expect(documents(site)).toEqual(documents(moved));
  });
});

describe("without a Source Description", () => {
  test("a collection that a Capability List names must be whole", async () => {
    const { host, next } = await deployed();
    for (const name of [CAPABILITIES, "changelist.xml", "resourcelist.xml"]) {
      host.answers.set(`gallery/${name}`, status(404));
    }
    await expectStop(next, "MISSING_DOCUMENT", "gallery/resourcelist.xml");
    await expectStop(next, "MISSING_DOCUMENT", "deploy job", { collections: ["shrine"] });
  });

  test("a new collection is new", async () => {
    const { host, next } = await deployed();
    next.page("art/index.html", "Art");
    await next.publish("2026-11-20T12:00:00Z", { collections: [...THREE, "art"] });
    expect(logOf(next.folder, host.url, "art/")).toEqual(["2026-11-20T12:00:00Z created /art/"]);
  });

  test.each<[string, Answer]>([
    ["is missing", status(404)],
    ["does not say who its siblings are", bytes("<urlset><!-- Written by rs-emit. --></urlset>")],
    ["is a web page", bytes("<!doctype html><title>Welcome</title>")],
  ])("a collection whose Capability List %s stops the run", async (_, answer) => {
    const { host, next } = await deployed();
    host.answers.set(`shrine/${CAPABILITIES}`, answer);
    await expectStop(next, /LOST_DESCRIPTION|DAMAGED_DOCUMENT/, `shrine/`);
  });

  test("Capability Lists that know no siblings stop the run", async () => {
    const { host, next, live } = await deployed();
    for (const folder of ["", "shrine/", "gallery/"]) {
      const text = live.read(folder + CAPABILITIES).replace(/ emit:\w+="[^"]*"/g, "");
      host.answers.set(folder + CAPABILITIES, bytes(text));
    }
    await expectStop(next, "LOST_DESCRIPTION", CAPABILITIES);
  });

  test.each([
    ["siblings without a time", / emit:siblings="\S+ /, ' emit:siblings="'],
    ["a time that is none", / emit:siblings="\S+ /, ' emit:siblings="soon '],
    ["no siblings", / emit:siblings="[^"]*"/, ""],
    ["a sibling above the site", / shrine\//, " ../"],
    ["a sibling above the site, encoded", / shrine\//, " x%2F..%2F../"],
    ["another collection", /describes" href="[^"]*/, "$&art/"],
  ])("a Capability List with %s stops the run", async (_, pattern, replacement) => {
    const { host, next, live } = await deployed();
    const text = live.read(CAPABILITIES).replace(pattern, replacement);
    expect(text).not.toBe(live.read(CAPABILITIES));
    host.answers.set(CAPABILITIES, bytes(text));
    await expectStop(next, "DAMAGED_DOCUMENT", CAPABILITIES);
  });
});

/** Every document by its path, as a digest of its bytes. */
function documents(site: TestSite): [string, string][] {
  return [...site.files()].filter(([path]) => isDocument(path));
}

/** Two publications of three collections. */
async function published(url = "https://example.org/"): Promise<TestSite> {
  const site = new TestSite({ url, collections: THREE });
  site.page("index.html", "Home").page("shrine/index.html", "Shrine");
  site.page("gallery/index.html", "Gallery");
  await site.publish("2026-10-05T12:00:00Z");
  site.page("gallery/index.html", "Gallery again").page("shrine/index.html", "Shrine again");
  await site.page("index.html", "Home again").publish("2026-11-05T12:00:00Z");
  return site;
}

/** A host that has everything but the dot folder, and the next build. */
async function deployed(): Promise<{ host: TestHost; live: TestSite; next: TestSite }> {
  const host = await serve(temporaryFolder());
  const live = await published(host.url);
  host.folder = live.copy().remove(".well-known").folder;
  return { host, live, next: live.build({ previous: "site" }).page("index.html", "Home at last") };
}

async function expectStop(
  site: TestSite,
  code: string | RegExp,
  words: string,
  options = {},
): Promise<void> {
  const before = site.files();
  const error = await site.run("2026-11-20T12:00:00Z", options).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: expect.stringMatching(code),
    message: expect.stringContaining(words),
  });
  expect(site.files()).toEqual(before);
}
