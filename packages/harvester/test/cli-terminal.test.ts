import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import type { ScriptedAnswer } from "../../reader/test/support/scripted.ts";
import { type Site, SiteServer } from "../../reader/test/support/site-server.ts";
import { rsHarvest, Workshop } from "./support/command.ts";

let workshop: Workshop;
let server: SiteServer;
let host: Site;

beforeAll(async () => {
  workshop = new Workshop();
  server = await SiteServer.start();
});
afterAll(async () => {
  workshop[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.reset();
  host = server.site("127.0.0.1");
});

/** Terminals take U+009B for the beginning of a command; the others turn round or hide what stands beside them. */
const COMMAND = "\u009b2J\u202e\u200f\u061c\u2066\u2028\u200b\u2060\ufeff\u00ad\u{e0041}";
const UNPRINTABLE =
  /[^\P{Cc}\n]|[\u200b\u200e\u200f\p{Zl}\p{Zp}\u202a-\u202e\u2060-\u206f\u061c\ufeff\xad\u{e0001}-\u{e007f}]/u;
const time = new Date(Date.now() - 86_400_000).toISOString();
const list = changeList([`created a ${time}`]);

const HOSTILE: Readonly<Record<string, Readonly<Record<string, ScriptedAnswer | string>>>> = {
  "a capability": { "/changelist.xml": list.replace('"changelist"', `"${COMMAND}"`) },
  "an element": { "/changelist.xml": `<${COMMAND}/>` },
  "a compression": {
    "/changelist.xml": { headers: { "content-encoding": "\u009b2J" }, body: "x" },
  },
  "a host": { "/capabilitylist.xml": capabilityList({ changelist: `http://${COMMAND}/` }) },
  "a scheme": { "/.well-known/resourcesync": sourceDescription([`x:${COMMAND}`]) },
  "a path": { "/capabilitylist.xml": capabilityList({ changelist: `/${COMMAND}.xml` }) },
  "a redirect": { "/changelist.xml": { status: 302, headers: { location: "http://\u009b2J/" } } },
  "a hash": { "/changelist.xml": list.replace("<rs:md", `<rs:md hash="${COMMAND}"`) },
  "a time": { "/changelist.xml": list.replace(time, COMMAND) },
  "a page": { "/changelist.xml": changeList([`created ${COMMAND} ${time}`]) },
  "a title": {
    "/changelist.xml": list.replace("<rs:md change", `<rs:md dcterms:title="${COMMAND}" change`),
  },
};

test.each(Object.entries(HOSTILE))(
  "%s that commands terminals is shown as plain text",
  async (_, hostile) => {
    const documents = {
      "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "/capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
      "/changelist.xml": list,
      ...hostile,
    };
    for (const [path, answer] of Object.entries(documents)) host.answer(path, answer);
    const folder = workshop.folder();
    const commands = [
      [host.url, "--out", join(folder, "feeds"), "--data", await workshop.memory()],
      ["check", host.url],
      ["sync", host.url, join(folder, "copy"), "--dry-run"],
    ];
    for (const command of commands) {
      for (const format of [[], ["--json"]]) {
        const { stdout, stderr } = await rsHarvest(...command, ...format, "--allow-private");
        expect(`${stdout}${stderr}`).toContain(host.url);
        expect(stdout + stderr).not.toMatch(UNPRINTABLE);
        if (format.length > 0) expect(() => JSON.parse(stdout)).not.toThrow();
      }
    }
  },
);
