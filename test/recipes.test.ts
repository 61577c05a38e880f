import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { emit } from "@rs-emit/core";
import { expect, onTestFinished, test } from "vitest";
import { COMMAND } from "../packages/cli/test/support/command.ts";
import { folderOf, page, write } from "../packages/cli/test/support/folder.ts";
import { serve } from "../packages/cli/test/support/host.ts";
import { codeOf } from "./support/documented.ts";

const run = promisify(execFile);

function lacks(...programs: readonly string[]): string | undefined {
  return programs.find((program) => {
    try {
      execFileSync("which", [program], { stdio: "pipe" });
      return false;
    } catch {
      return true;
    }
  });
}

/** A host that keeps the paths that it was asked for. */
async function host(answer: RequestListener): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/`, asked };
}

/** A live site with two changed pages, a minor change and a deleted page since November 2026. */
async function site(): Promise<{ url: string; asked: string[] }> {
  const pages = ["index", "moss", "rain", "old"].map((name) => [`${name}.html`, page(name)]);
  const folder = folderOf(Object.fromEntries(pages));
  const live = await host(serve(folder));
  const options = { folder, url: live.url, testAddress: true, history: "files" } as const;
  await emit({ ...options, previous: "output", now: "2026-10-05T12:00:00Z" });
  write(folder, {
    "moss.html": page("moss", "wet stones"),
    "rain.html": page("rain", "rain", "by me"),
  });
  write(folder, { "new.html": page("new") });
  rmSync(join(folder, "old.html"));
  await emit({ ...options, previous: "output", now: "2026-11-05T12:00:00Z" });
  return live;
}

/** Runs the code of a recipe in a folder of its own, with the command as it was built. */
async function follow(recipe: string, hosts: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "rs-emit-recipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let script = codeOf(`docs/recipes.md: ${recipe}`, "sh").join("\n");
  for (const [documented, own] of Object.entries(hosts)) {
    expect(script).toContain(documented);
    script = script.replaceAll(documented, own);
  }
  const command = `"${process.execPath}" "${COMMAND}"`;
  script = script.replaceAll("npx rs-emit", command).replace(" --wait 10", "");
  writeFileSync(join(folder, "recipe.sh"), script);
  await run("bash", ["-eu", "-o", "pipefail", "recipe.sh"], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
  });
  return folder;
}

const SITE = "https://example.neocities.org/";

test("each changed page is archived", async ({ skip }) => {
  const missing = lacks("jq", "wget");
  skip(missing !== undefined, `needs ${missing}`);
  const live = await site();
  const archive = await host((_, response) => response.end("saved"));
  await follow("Archive each changed page", {
    [SITE]: live.url,
    "https://web.archive.org/": archive.url,
  });
  expect(archive.asked).toEqual(
    ["moss.html", "new.html"].map((path) => `/save/${live.url}${path}`),
  );
});

test("changed pages are the seeds of a crawl", async ({ skip }) => {
  const missing = lacks("jq", "wget");
  skip(missing !== undefined, `needs ${missing}`);
  const live = await site();
  const folder = await follow("Seeds of a crawl", { [SITE]: live.url });
  expect(readFileSync(join(folder, "seeds.txt"), "utf8")).toBe(
    ["moss.html", "new.html", ""].map((path) => path && live.url + path).join("\n"),
  );
  const { length } = readFileSync(join(folder, "changed.warc.gz"));
  expect(length).toBeGreaterThan(500);
});

test("each publication is mailed once", async ({ skip }) => {
  const missing = lacks("r2e");
  skip(missing !== undefined, `needs ${missing}`);
  const live = await site();
  const mails = mkdtempSync(join(tmpdir(), "rs-emit-mails-"));
  onTestFinished(() => rmSync(mails, { recursive: true }));
  const sendmail = join(mails, "sendmail");
  writeFileSync(sendmail, `#!/bin/sh\ncat >> ${join(mails, "mail")}\n`, { mode: 0o755 });
  const [code = ""] = codeOf("docs/recipes.md: Mail", "sh");
  const [begin = "", add = "", look = ""] = code.trim().split("\n");
  const program = `sed -i 's|^sendmail = .*|sendmail = ${sendmail}|' "$HOME/.config/rss2email.cfg"`;
  const lines = [begin, program, add.replace(SITE, live.url), look, look];
  await run("bash", ["-eu", "-c", lines.join("\n")], { env: { ...process.env, HOME: mails } });
  const subjects = readFileSync(join(mails, "mail"), "utf8").match(/^Subject: .*/gm);
  expect(subjects).toHaveLength(2);
});
