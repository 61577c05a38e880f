import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ownCacheFolder } from "../src/compiled-code.ts";

let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "rs-emit-cache-"));
  vi.stubEnv("XDG_CACHE_HOME", join(home, "cache"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

test("is made for the user alone", () => {
  const folder = ownCacheFolder("moss", "compiled");
  expect(folder).toBe(join(home, "cache/moss/compiled"));
  expect(statSync(folder ?? "").mode & 0o777).toBe(0o700);
  expect(ownCacheFolder("moss", "compiled")).toBe(folder);
});

test.each(["", "cache"])("is below the home where XDG_CACHE_HOME is %j", (stated) => {
  vi.stubEnv("XDG_CACHE_HOME", stated);
  vi.stubEnv("HOME", home);
  expect(ownCacheFolder("moss")).toBe(join(home, ".cache/moss"));
});

const CASES: Readonly<Record<string, () => void>> = {
  "anyone may write into it": () => made("cache/moss", 0o777),
  "a group may read it": () => made("cache/moss", 0o750),
  "anyone may rename it": () => made("cache", 0o777),
  "anyone may rename a folder above it": () => chmodSync(home, 0o777),
  "it is a file": () => symlinkSync("/dev/null", made("cache", 0o700, "moss")),
  "it leads to a folder that others may write into": () => {
    made("open", 0o777);
    symlinkSync(join(home, "open"), made("cache", 0o700, "moss"));
  },
};

test.each(Object.entries(CASES))("is not used where %s", (_, prepare) => {
  prepare();
  expect(ownCacheFolder("moss")).toBe(undefined);
});

test("is used in a folder like /tmp, where only its owner may rename it", () => {
  chmodSync(home, 0o1777);
  expect(ownCacheFolder("moss")).toBe(join(home, "cache/moss"));
});

test.runIf(process.getuid?.() === 0).each(["cache/moss", "cache"])(
  "is not used where another user owns %s",
  (path) => {
    made("cache/moss", 0o700);
    chownSync(join(home, path), 1234, 1234);
    expect(ownCacheFolder("moss")).toBe(undefined);
  },
);

function made(path: string, mode: number, below = ""): string {
  const folder = join(home, path);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode);
  return join(folder, below);
}
