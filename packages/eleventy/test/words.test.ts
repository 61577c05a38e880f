import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { page } from "./support/template.ts";
import { VERSIONS, Workspace } from "./support/workspace.ts";

const FIRST = "2026-10-01T12:00:00Z";
const SECOND = "2026-10-08T12:00:00Z";

test.concurrent.each(VERSIONS)(
  "Eleventy %i: front matter gives a page's note, and says that its changes are minor",
  async (version) => {
    using workspace = new Workspace(version);
    const { site } = workspace;
    const write = (text: string) => {
      const note = "The moss shrine has a new wing";
      site
        .write("index.md", page({ resourcesync: { note } }, `Home ${text}`))
        .write("statistics.md", page({ resourcesync: { minor: true } }, `Figures ${text}`))
        .write("plain.md", `Plain ${text}`);
    };
    const publish = async (now: string) => {
      const options = { url: "https://moss.example/", previous: "output", history: "files", now };
      workspace.configure(JSON.stringify({ ...options, first: now === FIRST }));
      expect(await workspace.eleventy()).toMatchObject({ code: 0 });
    };
    write("at first");
    await publish(FIRST);
    write("later");
    await publish(SECOND);

    const feed = readFileSync(site.path("_site/changes.atom"), "utf8");
    const [newest = ""] = feed.split("<entry>").slice(1);
    expect(newest).toContain(SECOND);
    expect(newest).toContain("https://moss.example/plain/");
    expect(newest).not.toContain("statistics");
    const log = readFileSync(site.path("_site/changelist/2026-10.xml"), "utf8");
    expect(log.match(/The moss shrine has a new wing/g)).toHaveLength(1);
    const entries = log.split("<url>").filter((entry) => entry.includes(SECOND));
    const entryOf = (path: string) =>
      entries.find((entry) => entry.includes(`<loc>https://moss.example/${path}</loc>`)) ?? "";
    expect(entryOf("statistics/")).toContain("minor");
    expect(entryOf("plain/")).not.toContain("minor");
  },
);
