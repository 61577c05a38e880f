import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Terminal } from "../packages/cli/test/support/terminal.ts";
import { rsHarvest, Workshop } from "../packages/harvester/test/support/command.ts";
import { sample } from "../test/thorough.ts";
import { type Case, KINDS, type Kind, readCases } from "./cases.ts";
import { ownProgram, type Run } from "./own.ts";
import { proves } from "./proves.ts";
import { type Program, programOf, runCase } from "./run.ts";
import { CaseServer, ORIGIN } from "./server.ts";
import { faultsOf } from "./verdict.ts";

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

describe.each(KINDS)("%s", (kind) => {
  const cases = readCases(kind);
  for (const one of cases) {
    test(titleOf(one), proves(...one.requirements), async () => {
      expect(await runCase(one, server, programFor(kind))).toEqual([]);
    });
  }

  const program = `${process.execPath} ${join(import.meta.dirname, "own.ts")} ${kind}`;
  for (const one of sample(cases, 1)) {
    test(`by the installed command: ${one.name}`, async () => {
      const installed = programOf(`${program} {url} {state} {folder} {now}`);
      expect(await runCase(one, server, installed)).toEqual([]);
    });
  }

  test("a program that does nothing meets no case", async () => {
    for (const one of cases) {
      expect(await runCase(one, server, async () => ""), one.name).not.toEqual([]);
    }
  });

  test("a program that does what must not be meets no case", () => {
    for (const one of cases) {
      for (const [index, { never }] of one.moments.entries()) {
        for (const banned of never) {
          const { lines, copy } = forbidden(one, banned);
          const faults = faultsOf(one, index + 1, lines, copy);
          expect(faults.join(), `${one.name}: ${banned}`).toContain("must not be");
        }
      }
    }
  });
});

/** What a program prints, or leaves in the copy, that does what is banned. */
function forbidden({ kind }: Case, banned: string) {
  const copy = join(workshop.folder(), "deep", "copy");
  if (kind === "followers") return { lines: [{ url: urlOf(banned) }], copy };
  if (kind === "judges") {
    const [what = "", where = "/none.xml"] = banned.split(" ");
    const [document = ""] = where.split("|");
    return { lines: [{ requirement: what, document: urlOf(document), level: "error" }], copy };
  }
  mkdirSync(copy, { recursive: true });
  const file = join(copy, banned);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  return { lines: [], copy };
}

function urlOf(address: string): string {
  return address.startsWith("/") ? ORIGIN + address : address;
}

function titleOf({ name, about }: Case): string {
  return `${name}: ${about}`;
}
