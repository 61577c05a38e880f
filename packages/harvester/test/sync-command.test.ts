import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { rsHarvest, rsHarvestOnTerminal } from "./support/command.ts";
import { CopiedSite } from "./support/copied-site.ts";

describe("rs-harvest sync", () => {
  test.each([
    [["sync"], "missing required argument"],
    [["sync", "https://example.org/"], "missing required argument"],
    [["sync", "https://example.org/", "copy", "--audit", "--delete"], "--audit writes nothing"],
    [["sync", "no site", "copy"], "is no address"],
    [["sync", "https://example.org/", "copy", "--include"], "argument missing"],
    [["sync", "https://example.org/", "copy", "--exclude", ""], "--exclude needs a value"],
    [["sync", "https://example.org/", " "], "<folder> needs a path"],
    [["sync", "https://example.org/", "copy", "--audit", "--dry-run"], "--audit writes nothing"],
    [["sync", "https://example.org/", "copy", "--audit", "--repair"], "--audit writes nothing"],
    [["sync", "https://example.org/", "copy", "--repair", "--dry-run"], "--audit says what"],
    [["sync", "https://example.org/", "copy", "--mirror"], "unknown option"],
  ])("%j is wrong usage", async (args, words) => {
    const { exit, stderr } = await rsHarvest(...args);
    expect(exit).toBe(2);
    expect(stderr.toLowerCase()).toContain(words.toLowerCase());
  });

  test(
    "says what it did, and whether the copy is in sync",
    proves("R13a", "R13b", "T6"),
    async () => {
      await using garden = await CopiedSite.start();
      garden.edit({ "/": "home", "/moss.html": "moss" }).publish();
      garden.serveAt("127.0.0.1");
      const address = garden.addressAt("127.0.0.1");
      const run = (...more: string[]) =>
        rsHarvest("sync", address, garden.folder, "--allow-private", ...more);
      const first = await run();
      expect(first.stdout).toMatch(
        /: in sync\. 2 created, 0 updated, 0 deleted, 0 unchanged, 0\.0 MB fetched\.\n$/,
      );
      expect(first.exit).toBe(0);
      garden.write("moss.html", "mosS");
      const audit = await run("--audit");
      expect(audit.exit).toBe(1);
      expect(audit.stderr).toContain("moss.html has other bytes than it should have.");
      expect(audit.stdout).toContain("1 different (--repair fetches them again)");
      const json = JSON.parse((await run("--audit", "--json")).stdout);
      expect(json).toMatchObject({ isInSync: false, counts: { different: 1, unchanged: 1 } });
      rmSync(join(garden.folder, "index.html"));
      const lost = JSON.parse((await run("--audit", "--json")).stdout);
      expect(lost).toMatchObject({ isInSync: false, counts: { different: 1, missing: 1 } });
      garden.edit({ "/new.html": "new" }).publish();
      garden.serveAt("127.0.0.1");
      const dry = await run("--dry-run");
      expect(dry.stdout).toContain("would create");
      expect(dry.exit).toBe(0);
    },
  );

  test("ends with 1 where something could not be copied, and names it", async () => {
    await using garden = await CopiedSite.start();
    garden.edit({ "/": "home", "/moss.html": "moss" }).publish();
    garden.site.answer("/moss.html", { status: 500 });
    garden.serveAt("127.0.0.1");
    const address = garden.addressAt("127.0.0.1");
    const run = (...more: string[]) =>
      rsHarvest("sync", address, garden.folder, "--allow-private", ...more);
    const { exit, stdout, stderr } = await run();
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: expect.stringContaining("1 failed") });
    expect(stderr).toContain(`${address}moss.html`);
    const json = JSON.parse((await run("--json")).stdout);
    expect(json).toMatchObject({ isInSync: false, problems: [{ code: "STATUS" }] });
    expect(
      (await rsHarvest("sync", "http://127.0.0.1:9/", garden.folder, "--allow-private")).exit,
    ).toBe(1);
  });

  test("shows how far it is, on a terminal only", async () => {
    await using garden = await CopiedSite.start();
    garden.edit({ "/": "home", "/moss.html": "moss" }).publish();
    garden.serveAt("127.0.0.1");
    const args = ["sync", garden.addressAt("127.0.0.1"), garden.folder, "--allow-private"];
    expect((await rsHarvestOnTerminal(...args)).stderr).toMatch(/Fetching files .* of 2/);
    expect((await rsHarvestOnTerminal(...args, "--audit")).stderr).toMatch(
      /Comparing files .* of 2/,
    );
    expect((await rsHarvest(...args)).stderr).toBe("");
  });
});
