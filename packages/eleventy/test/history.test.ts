import { expect, test } from "vitest";
import { writeGarden } from "./support/garden.ts";
import { differences, expectTold, toldHistory } from "./support/judge.ts";
import { writeOddities } from "./support/oddities.ts";
import { publishAtEnd, publishEachTime } from "./support/publish.ts";
import { buildHistory } from "./support/truth.ts";
import { VERSIONS, Workspace } from "./support/workspace.ts";

test.concurrent.each(VERSIONS)(
  "Eleventy %i: a site's whole history, by what it would have built",
  async (version) => {
    using workspace = new Workspace(version);
    writeGarden(workspace.site);
    const moments = await buildHistory(workspace);

    const { log, said } = await publishAtEnd(workspace);
    expectTold(log, toldHistory(moments));
    expect(said).toContain("2 resources");

    const soon = (time: number) => time + 5;
    const continued = await publishEachTime(workspace, moments, soon);
    const kinds = continued.map((entry) => entry.replace(" (minor)", ""));
    expect(kinds.sort()).toEqual(differences(moments, soon).sort());
  },
);

test.concurrent.each(VERSIONS)(
  "Eleventy %i: a site that does everything in its own way",
  async (version) => {
    using workspace = new Workspace(version);
    writeOddities(workspace.site);
    const moments = await buildHistory(workspace);
    const { log } = await publishAtEnd(workspace);
    expectTold(log, toldHistory(moments));
  },
);
