import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const PACKAGES = resolve(import.meta.dirname, "../packages");

/** Node runs compiled code without a look at who wrote it. */
test.each([
  ["rs-emit", "cli/bin/rs-emit.js"],
  ["rs-harvest", "harvester/bin/rs-harvest.js"],
])("%s keeps compiled code only where no other user can write", (program, file) => {
  const home = mkdtempSync(join(tmpdir(), "rs-emit-compiled-"));
  try {
    const shared = join(home, "shared");
    const own = join(home, ".cache", program, "compiled");
    mkdirSync(shared);
    const run = () => {
      const { PATH } = process.env;
      const env = { PATH, HOME: home, TMPDIR: shared };
      execFileSync(process.execPath, [join(PACKAGES, file), "--version"], { env });
      expect(readdirSync(shared)).toEqual([]);
    };
    run();
    expect(readdirSync(own)).toHaveLength(1);
    expect(statSync(own).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(own)) rmSync(join(own, name), { recursive: true });
    chmodSync(own, 0o777);
    run();
    expect(readdirSync(own)).toEqual([]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
