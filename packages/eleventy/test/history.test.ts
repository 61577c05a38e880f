import { expect, test } from "vitest";
import { writeGarden } from "./support/garden.ts";
import { differences } from "./support/judge.ts";
import { publishEachTime } from "./support/publish.ts";
import { buildHistory } from "./support/truth.ts";
import { VERSIONS, Workspace } from "./support/workspace.ts";

test.concurrent.each(VERSIONS)(
  "Eleventy %i: a site that is published at each commit logs what each build changed",
  async (version) => {
    using workspace = new Workspace(version);
    writeGarden(workspace.site);
    const moments = await buildHistory(workspace);
    const soon = (time: number) => time + 5;
    const log = await publishEachTime(workspace, moments, soon);
    const kinds = log.map((entry) => entry.replace(" (minor)", ""));
    expect(kinds.sort()).toEqual(differences(moments, soon).sort());
  },
);
