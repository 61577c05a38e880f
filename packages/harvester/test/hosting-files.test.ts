import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { NO_SERVER, TestDatabase, WITHOUT_SERVER } from "./support/postgres.ts";

/** The page's files for those who host the service are taken as they stand there, and used. */

const PAGE = readFileSync(resolve(import.meta.dirname, "../../../docs/service.md"), "utf8");
const { version }: { version: string } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../package.json"), "utf8"),
);
const COMMAND = resolve(import.meta.dirname, "../bin/rs-harvest.js");
const ANALYZE = "/usr/bin/systemd-analyze";
const TOKEN = "0123456789abcdef0123456789abcdef";

const folder = mkdtempSync(join(tmpdir(), "rs-harvest-hosting-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function block(language: string): string {
  const [, text] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(PAGE) ?? [];
  if (text === undefined) throw new Error(`the page has no block of ${language}`);
  return text;
}

/** Starts the command with these words, and gives what it says first. */
async function started(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [COMMAND, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, RS_HARVEST_TOKEN: TOKEN, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = await once(child.stdout, "data");
  return { child, said: String(said) };
}

async function stopped(child: ChildProcess): Promise<number | null> {
  const closed = once(child, "close");
  child.kill("SIGTERM");
  const [status] = await closed;
  return status;
}

async function health(said: string): Promise<string> {
  const port = /http:\/\/[^/]*:(\d+)\//.exec(said)?.[1];
  return (await fetch(`http://127.0.0.1:${port}/healthz`)).text();
}

describe("the unit of systemd", () => {
  const unit = block("ini");
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

  test.skipIf(!existsSync(ANALYZE))("has no setting that systemd does not know", () => {
    const file = join(folder, "rs-harvest.service");
    writeFileSync(file, unit);
    expect(execFileSync(ANALYZE, ["verify", file], { encoding: "utf8" })).toBe("");
  });

  test("starts the service, and stops it in order", async () => {
    const [command, ...words] = setting("ExecStart").replace("/usr/bin/env ", "").split(" ");
    expect(command).toBe("rs-harvest");
    const own = words.map((word) => (word === "/var/lib/rs-harvest" ? join(folder, "data") : word));
    const [name = "", value = ""] = setting("Environment").split(/=(.*)/);
    const { child, said } = await started([...own, "--port", "0"], { [name]: value });
    expect(await health(said)).toMatch(/^ok\n/);
    expect(await stopped(child)).toBe(0);
  });
});

/** A variable as a compose file writes it, which must be set. */
const variable = (name: string) => `$\{${name}:?}`;

interface Service {
  readonly image: string;
  readonly pull_policy: string;
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on: Readonly<Record<string, { readonly condition: string }>>;
}

describe("the compose file", () => {
  const { services, volumes } = parse(block("yaml"));
  const { database, web, worker }: Record<string, Service> = services;

  test("has a database that is healthy before the others start, and keeps its data", () => {
    expect(Object.keys(services)).toEqual(["database", "web", "worker"]);
    expect(services.database.volumes).toEqual(["database:/var/lib/postgresql/data"]);
    expect(Object.keys(volumes)).toEqual(["database"]);
    expect(database).toHaveProperty("healthcheck.test", [
      "CMD",
      "pg_isready",
      "--username",
      "postgres",
    ]);
    for (const one of [web, worker]) {
      expect(one?.depends_on).toEqual({ database: { condition: "service_healthy" } });
      expect(one?.environment).toEqual({ RS_HARVEST_TOKEN: variable("RS_HARVEST_TOKEN") });
    }
  });

  test("has the image of this version, which no start asks a registry for once it is there", () => {
    for (const one of [web, worker]) {
      expect(one?.image).toMatch(/^ghcr\.io\/.+\/rs-harvest:/);
      expect(one?.image.split(":").at(-1)).toBe(version);
      expect(one?.pull_policy).toBe("missing");
      expect([one?.read_only, one?.cap_drop]).toEqual([true, ["ALL"]]);
    }
  });

  test.skipIf(NO_SERVER)(
    `starts a web server and a worker on one PostgreSQL${WITHOUT_SERVER}`,
    async () => {
      await using server = await TestDatabase.create();
      const words = (service: Service | undefined) =>
        (service?.command ?? "")
          .replace("--port 8480", "--port 0")
          .replace(variable("PUBLIC_URL"), "https://feeds.example/")
          .replace(
            `postgres://postgres:${variable("POSTGRES_PASSWORD")}@database/postgres`,
            server.url,
          )
          .trim()
          .split(/\s+/);
      const first = await started([...words(web), "--port", "0"]);
      expect(await health(first.said)).toMatch(/^ok\n/);
      const second = await started(words(worker));
      expect(await health(second.said)).toMatch(/^ok\n/);
      expect(await Promise.all([stopped(first.child), stopped(second.child)])).toEqual([0, 0]);
    },
  );
});
