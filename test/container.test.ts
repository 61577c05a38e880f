import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeOf } from "./support/documented.ts";
import { packAll } from "./support/packed.ts";
import { Podman, type PodmanOutcome } from "./support/podman.ts";
import { isThorough, RELEASE_ALONE } from "./thorough.ts";

const FILE = resolve(import.meta.dirname, "../packages/harvester/Containerfile");

/** The command of docs/service.md: what it says to docker, and to the harvester. */
const [command = ""] = codeOf("docs/service.md: In a container", "sh");
const [, options = "", words = ""] =
  /^docker run (.*) \S+\/rs-harvest:\S+ (.*)$/s.exec(command.trim()) ?? [];
const SERVICE = words.split(" ");
const TOKEN = `--env=RS_HARVEST_TOKEN=${"f".repeat(32)}`;

describe("packages/harvester/Containerfile", () => {
  const lines = readFileSync(FILE, "utf8").split("\n");

  test("is started as docs/service.md says, with nothing to write to but its volume", () => {
    expect(SERVICE[0]).toBe("serve");
    expect(options).toContain("--read-only --cap-drop ALL");
    const volume = /--volume \S+:(\S+)/.exec(options)?.[1];
    expect(lines).toEqual(expect.arrayContaining([`VOLUME ${volume}`, `WORKDIR ${volume}`]));
  });

  test("copies what the package has, and runs nothing", async () => {
    const packed = (await packAll()).get("rs-harvest");
    const copied = lines.flatMap((line) => /^COPY (.*) \S+$/.exec(line)?.[1]?.split(" ") ?? []);
    expect(copied).toEqual(["package.json", "LICENSE", "bin", "dist/bundle"]);
    for (const path of copied) {
      const isThere = (file: string) => file === path || file.startsWith(`${path}/`);
      expect(packed?.files.some(isThere), path).toBe(true);
    }
    // So that it is built for other processors without running anything of theirs.
    expect(lines.filter((line) => line.startsWith("RUN"))).toEqual([]);
  });
});

/** It takes 20 seconds, and a gigabyte on the disk: before a release. */
const isLeftOut = !isThorough || !Podman.isThere();

describe.skipIf(isLeftOut)(`the image, by podman on a base without a shell${RELEASE_ALONE}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "rs-harvest-image-"));
  const podman = new Podman();
  afterAll(async () => {
    await podman[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeAll(async () => {
    const packed = (await packAll()).get("rs-harvest");
    execFileSync("tar", ["-xz", "-C", folder], { input: packed?.tarball });
    await podman.buildNode("node");
    const base = "--build-arg=NODE_IMAGE=localhost/node";
    await podman.build("rs-harvest", FILE, join(folder, "package"), base);
  });

  /** Its state, once it is there or half a minute has gone. */
  async function healthOf(name: string): Promise<PodmanOutcome> {
    for (let tries = 0; tries < 60; tries++) {
      const outcome = await podman.run("healthcheck", "run", name);
      if (outcome.exit === 0) return outcome;
      await setTimeout(500);
    }
    return podman.run("logs", name);
  }

  test("serves, as nobody and with a read-only root file system, and stops in order", async () => {
    expect(await podman.start("service", "rs-harvest", SERVICE, TOKEN)).toMatchObject({ exit: 0 });
    expect(await healthOf("service")).toMatchObject({ exit: 0 });
    const program = `const fs = require("fs");
      const written = fs.readdirSync("/data", { recursive: true }).filter((file) => /\\.sqlite$/.test(file));
      const errors = ["/", "/rs-harvest/", "/tmp/"].map((folder) => {
        try { return fs.writeFileSync(folder + "x", ""); } catch ({ code }) { return code; }
      });
      console.log(JSON.stringify([process.getuid(), process.getgid(), written, errors]));`;
    const { output } = await podman.evaluate("service", program);
    expect(JSON.parse(output)).toEqual([
      65532,
      65532,
      ["rs-harvest/service/harvest.sqlite"],
      ["EROFS", "EROFS", "ENOENT"],
    ]);
    const memory = await podman.run("inspect", "--format={{.State.Health.Status}}", "service");
    expect(memory.output.trim()).toBe("healthy");

    await podman.run("stop", "--time=45", "service");
    const state = await podman.run("inspect", "--format={{.State.ExitCode}}", "service");
    expect(state.output.trim()).toBe("0");
  });

  test("a worker is healthy where it is given the port, and else is not", async () => {
    const worker = [...SERVICE, "--role", "worker"];
    expect(await podman.start("deaf", "rs-harvest", worker, TOKEN)).toMatchObject({ exit: 0 });
    await podman.start("worker", "rs-harvest", [...worker, "--port", "8480"], TOKEN);
    expect(await healthOf("worker")).toMatchObject({ exit: 0 });
    expect(await podman.run("healthcheck", "run", "deaf")).toMatchObject({ exit: 1 });
  });

  test("is unhealthy once it answers no more, and healthy again when it does", async () => {
    await podman.start("halted", "rs-harvest", SERVICE, TOKEN);
    expect(await healthOf("halted")).toMatchObject({ exit: 0 });
    await podman.run("kill", "--signal=STOP", "halted");
    const state = async () =>
      (await podman.run("inspect", "--format={{.State.Health.Status}}", "halted")).output.trim();
    // What fails in the first 20 seconds is a start that takes its time; then three failures count.
    for (let tries = 0; tries < 6 && (await state()) !== "unhealthy"; tries++) {
      expect(await podman.run("healthcheck", "run", "halted")).toMatchObject({ exit: 1 });
    }
    expect(await state()).toBe("unhealthy");
    await podman.run("kill", "--signal=CONT", "halted");
    expect(await healthOf("halted")).toMatchObject({ exit: 0 });
    expect(await state()).toBe("healthy");
  });

  test("has Node, its libraries and the bundle, and no other program", async () => {
    const list = `const fs = require("fs");
      const own = fs.readdirSync("/").filter((name) => !/^(?:proc|sys|dev|etc|run|data)$/.test(name));
      const files = own.flatMap((name) => fs.readdirSync("/" + name, { recursive: true, withFileTypes: true }));
      const paths = files.filter((file) => file.isFile()).map((file) => file.parentPath + "/" + file.name);
      console.log(JSON.stringify(paths));`;
    await podman.start("files", "rs-harvest", SERVICE, TOKEN);
    const { output } = await podman.evaluate("files", list);
    const files: string[] = JSON.parse(output);
    const others = files.filter((file) => !/^\/lib|^\/usr\/lib|^\/nodejs\/bin\/node$/.test(file));
    expect(others.toSorted()).toEqual(
      expect.arrayContaining([
        "/rs-harvest/bin/rs-harvest.js",
        "/rs-harvest/dist/bundle/cli/main.js",
      ]),
    );
    expect(others.filter((file) => !file.startsWith("/rs-harvest/"))).toEqual([]);
  });
});
