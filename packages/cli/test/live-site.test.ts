import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rsEmit } from "./support/command.ts";
import { contentsOf, folderOf, page, SITE, siteFolder, write } from "./support/folder.ts";
import { always, host, serve } from "./support/host.ts";

const PAGE = page("Not found, but with a smile");

describe("a live site that cannot tell stops the run", { concurrent: true }, () => {
  test.for([
    { name: "answers 500", answer: always(500), code: "SITE_STATUS", message: /answers 500/ },
    { name: "answers 403", answer: always(403), code: "SITE_STATUS", message: /answers 403/ },
    {
      name: "redirects in a circle",
      answer: always(302, "", { location: "/again" }),
      code: "SITE_UNREACHABLE",
      message: /redirects in a circle/,
    },
    {
      name: "leads to another host",
      answer: always(301, "", { location: "http://elsewhere.example/" }),
      code: "SITE_UNREACHABLE",
      message: /leads to another host, http:\/\/elsewhere\.example/,
    },
    {
      name: "answers everything with one page",
      answer: always(200, PAGE),
      code: "SITE_CATCH_ALL",
      message: /answers .* with a web page.*--first/,
    },
  ])("$name", async ({ answer, code, message }) => {
    const folder = siteFolder();
    const url = await host(answer);
    const outcome = await rsEmit([folder, "--url", url, "--json"]);
    expect(outcome).toMatchObject({ exit: 1, stderr: "" });
    const { error } = JSON.parse(outcome.stdout);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error.message).toContain(`${error.problem} ${error.cure}`);
    expect(error.message).toContain(`${url}.well-known/resourcesync`);
    expect(error.message).toContain("rs-emit changed no page and no log.");
    expect(contentsOf(folder)).toEqual(SITE);

    expect(await rsEmit([folder, "--url", url, "--first"])).toMatchObject({ exit: 0, stderr: "" });
    expect(contentsOf(folder)).toHaveProperty(["resourcelist.xml"]);
  });

  test("is not there at all", async () => {
    const folder = siteFolder();
    const outcome = await rsEmit([folder, "--url", "http://127.0.0.1:9/"]);
    expect(outcome).toMatchObject({ exit: 1, stdout: "" });
    expect(outcome.stderr).toMatch(/^rs-emit: [^\n]*could not be fetched[^\n]*\n$/);
    expect(contentsOf(folder)).toEqual(SITE);
  });

  test("lost its dot folder, as hosts do, and a Capability List", async () => {
    const live = siteFolder();
    const url = await host(serve(live, (path) => /^\/(?:\.|capabilitylist)/.test(path)));
    await rsEmit([live, "--url", url, "--previous", "output"]);
    const folder = siteFolder();
    const outcome = await rsEmit([folder, "--url", url]);
    expect(outcome).toMatchObject({ exit: 1, stdout: "" });
    expect(outcome.stderr).toMatch(
      /Source Description .* is missing.*capabilitylist.xml, which collections/,
    );
    expect(contentsOf(folder)).toEqual(SITE);
  });
});

describe("a live site is the memory", () => {
  test("though its host lost the dot folder", async () => {
    const live = siteFolder();
    const url = await host(serve(live, (path) => path.startsWith("/.")));
    await rsEmit([live, "--url", url, "--previous", "output"]);
    const folder = siteFolder();
    const outcome = await rsEmit([folder, "--url", url]);
    expect(outcome).toMatchObject({ exit: 0, stderr: "" });
    expect(outcome.stdout).toMatch(/Nothing changed.*was rebuilt from the Capability Lists/s);
    expect(contentsOf(folder)).toEqual(contentsOf(live));
  });

  test("of a folder that was built anew", async () => {
    const live = siteFolder();
    const url = await host(serve(live));
    expect(await rsEmit([live, "--url", url])).toMatchObject({ exit: 0 });

    const built = folderOf({ ...SITE, "moss.html": page("Moss", "More of it") });
    const outcome = await rsEmit([built, "--url", url, "--json"]);
    const result = JSON.parse(outcome.stdout);
    expect(result).toMatchObject({ status: "published", first: false });
    expect(result.collections[0].changes).toMatchObject([
      { url: `${url}moss.html`, kind: "updated", title: "Moss" },
    ]);
    write(live, { "moss.html": readFileSync(join(built, "moss.html"), "utf8") });
  });
});

test("a note with a typo is mended without an edit, until followers have it", async () => {
  const [live, folder] = [siteFolder(), siteFolder()];
  const url = await host(serve(live));
  const run = (...more: readonly string[]) => rsEmit([folder, "--url", url, ...more]);
  await run("--first");
  cpSync(folder, live, { recursive: true });
  write(folder, { "moss.html": page("Moss", "A new wing") });
  await run("--note", "Teh wing");
  const refused = await run("--note", "The wing");
  expect(refused.exit).toBe(1);
  expect(refused.stderr).toContain("before it is uploaded, add the option --previous site.");
  const mended = await run("--note", "The wing", "--previous", "site");
  expect(mended).toMatchObject({ exit: 0, stderr: "" });
  const feed = contentsOf(folder)["changes.atom"];
  expect(feed).toContain("The wing");
  expect(feed).not.toContain("Teh wing");
  cpSync(folder, live, { recursive: true });
  const late = await run("--note", "That wing", "--previous", "site");
  expect(late.exit).toBe(1);
  expect(late.stderr).toContain("Followers have the last note: what was told once stays.");
});
