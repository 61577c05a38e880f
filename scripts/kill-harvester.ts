/**
 * Kills harvesters while they record what thirty kinds of sources publish, over six kinds of transport, and says what was
 * lost, reported twice, or invented: `npm run kills -- [--kills 200] [--seeds 1,2]`. On SQLite, and on the server of the
 * tests (`RS_HARVEST_TEST_DATABASE`), if there is one. It takes some ten minutes for each.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type NamedCase, shapes } from "../packages/harvester/test/log-model/cases.ts";
import { expectedOf, hasClocks, without } from "../packages/harvester/test/log-model/expected.ts";
import { judge } from "../packages/harvester/test/log-model/judge.ts";
import { LOST } from "../packages/harvester/test/log-model/lost.ts";
import { NO_SERVER, TestDatabase } from "../packages/harvester/test/support/postgres.ts";
import type { Progress } from "../packages/harvester/test/support/recording-process.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seeds: { type: "string", default: "1,2" },
  },
});
const KILLS = Number(values.kills);
const SEEDS = values.seeds.split(",").map(Number);
/** Milliseconds after a step up to which a process is killed: a few steps take as long. */
const LATEST_KILL = 30;
const PROGRAM = join(
  import.meta.dirname,
  "../packages/harvester/test/support/recording-process.ts",
);

const cases = shapes(SEEDS);
const expected = cases.map((one) => expectedOf({ "": one }));
const stepsOf = expected.map(({ steps }) => steps.length + 1);
const stepsBefore = stepsOf.map((_, at) => stepsOf.slice(0, at).reduce((sum, one) => sum + one, 0));
const stepsOfAll = stepsOf.reduce((sum, one) => sum + one, 0);

reportModel();
const folder = mkdtempSync(join(tmpdir(), "rs-harvest-kills-"));
try {
  await tryDatabase("SQLite", folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (!NO_SERVER) {
  await using server = await TestDatabase.create();
  await tryDatabase("PostgreSQL", server.url);
}

/** What the rules lose, whatever the database: `docs/proof.md` names it. */
function reportModel(): void {
  let listed = 0;
  const lost: string[] = [];
  for (const one of cases) {
    const verdict = judge(one);
    listed += verdict.listed;
    lost.push(...verdict.lost.map((change) => `${one.name}: ${change}`).filter(isUnnamed(one)));
  }
  console.log(`${listed} changes, ${cases.length} sources; lost and not named: ${lost.length}`);
  if (lost.length > 0) fail(lost);
}

function isUnnamed({ over }: NamedCase): (change: string) => boolean {
  return (change) => !(LOST[over] ?? []).includes(change);
}

async function tryDatabase(name: string, place: string): Promise<void> {
  const began = performance.now();
  const reported = await recordAll(place);
  const sum = { lost: 0, twice: 0, invented: 0 };
  for (const [at, one] of cases.entries()) {
    const { first, later } = expected[at] ?? { first: [], later: [] };
    const now = reported.get(at) ?? [];
    const rest = without(now, later);
    const known = new Set([...first, ...later]);
    const surplus = without(rest, first);
    const lost = [...without(later, now), ...(hasClocks(one) ? [] : without(first, rest))];
    const invented = surplus.filter((change) => !known.has(change));
    const found = { lost, twice: without(surplus, invented), invented };
    for (const kind of ["lost", "twice", "invented"] as const) {
      sum[kind] += found[kind].length;
      if (found[kind].length > 0) fail([`${one.name}, ${one.over}, ${kind}`, ...found[kind]]);
    }
  }
  const all = [...reported.values()].reduce((count, one) => count + one.length, 0);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `${name}: ${all} reported, ${KILLS} kills, ${seconds} s; lost ${sum.lost}, twice ${sum.twice}, invented ${sum.invented}`,
  );
}

function fail(texts: readonly string[]): void {
  process.exitCode = 1;
  console.log(texts.slice(0, 10).join("\n  "));
}

/** Lets processes record all cases, each killed some time after the last, and returns what is reported of each case. */
async function recordAll(place: string): Promise<ReadonlyMap<number, readonly string[]>> {
  const reported = new Map<number, readonly string[]>();
  let progress: Progress = { at: 0, done: 0 };
  let next = start(place);
  for (let kills = 0; ; kills += 1) {
    const child = await next;
    // Another one waits meanwhile.
    if (kills < KILLS) next = start(place);
    const until =
      kills < KILLS ? Math.floor(((kills + Math.random()) * stepsOfAll) / KILLS) : undefined;
    // What it has sent comes before that.
    const ended = Promise.all([once(child, "exit"), once(child, "disconnect")]);
    const come = Promise.withResolvers<void>();
    child.on("message", (message: Progress) => {
      progress = message;
      if (message.reported !== undefined) reported.set(message.at - 1, message.reported);
      if (until !== undefined && placeOf(message) >= until) come.resolve();
    });
    child.send(progress);
    await Promise.race([come.promise, ended]);
    if (until === undefined || child.exitCode !== null) {
      if (child.exitCode !== 0) throw new Error(`a process ended with ${child.exitCode}`);
      if (kills < KILLS) (await next).kill("SIGKILL");
      return reported;
    }
    await pause(Math.random() * LATEST_KILL);
    child.kill("SIGKILL");
    await ended;
  }
}

function placeOf({ at, done }: Progress): number {
  return (stepsBefore[at] ?? stepsOfAll) + done;
}

async function start(place: string): Promise<ChildProcess> {
  const child = fork(PROGRAM, [place, JSON.stringify(SEEDS)]);
  await once(child, "message");
  return child;
}
