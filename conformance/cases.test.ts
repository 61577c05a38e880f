import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Terminal } from "../packages/cli/test/support/terminal.ts";
import { rsHarvest, Workshop } from "../packages/harvester/test/support/command.ts";
import { type Case, type Kind, readCases } from "./cases.ts";
import { ownProgram, type Run } from "./own.ts";
import { proves } from "./proves.ts";
import { type Program, runCase } from "./run.ts";
import { CaseServer } from "./server.ts";

/** Every case, with the command that it is for. */

let server: CaseServer;
const workshop = new Workshop();
beforeAll(async () => {
  server = await CaseServer.start();
});
afterAll(async () => {
  workshop[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** The commands in this process. */
const run: Run = async (command, args) => {
  const { stdout } =
    command === "rs-emit" ? await new Terminal().run(args) : await rsHarvest(...args);
  return stdout;
};

/** With an empty memory at first, since making one takes a while. */
function programFor(kind: Kind): Program {
  const program = ownProgram(kind, run);
  return async (asked) => {
    const memory = join(asked.state, "memory");
    if (kind === "followers" && !existsSync(memory)) await workshop.memory(memory);
    return program(asked);
  };
}

describe.each(["followers"] as const)("%s", (kind) => {
  for (const one of readCases(kind)) {
    test(titleOf(one), proves(...one.requirements), async () => {
      expect(await runCase(one, server, programFor(kind))).toEqual([]);
    });
  }
});

function titleOf({ name, about }: Case): string {
  return `${name}: ${about}`;
}
