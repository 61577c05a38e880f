import { MissingError } from "@rs-emit/reader/http/errors";
import { describe, expect, test } from "vitest";
import { type Ending, nextCheck } from "../src/check/schedule.ts";

const NOW = 1_700_000_000;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

const WELL: Ending = {
  error: undefined,
  failures: 0,
  hasUnread: false,
  interval: DAY,
  busyUntil: undefined,
  now: NOW,
  random: 0,
};
const error = new MissingError("https://example.org/.well-known/resourcesync");

describe("the next check comes", () => {
  test.each<[string, Partial<Ending>, number]>([
    ["after the interval", {}, DAY],
    ["a little sooner by chance", { random: 0.5 }, DAY * 0.95],
    ["after the source's own interval", { interval: 7 * DAY }, 7 * DAY],
    ["soon, where lists wait", { hasUnread: true }, 30],
    ["a minute after a failure", { error, failures: 1 }, MINUTE],
    ["four minutes after a second one", { error, failures: 2 }, 4 * MINUTE],
    ["a quarter of an hour after a third", { error, failures: 3 }, 16 * MINUTE],
    ["an hour after a fourth", { error, failures: 4 }, 64 * MINUTE],
    ["at most a day after many", { error, failures: 1000 }, DAY],
    ["earlier by up to half, by chance", { error, failures: 4, random: 1 }, 32 * MINUTE],
    ["not before the host allows", { error, failures: 1, busyUntil: NOW + 2 * HOUR }, 2 * HOUR],
    ["no sooner than it would anyway", { error, failures: 9, busyUntil: NOW + HOUR }, DAY],
  ])("%s", (_, outcome, pause) => {
    expect(nextCheck({ ...WELL, ...outcome }) - NOW).toBeCloseTo(pause);
  });
});
