import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { UNKNOWN_REPOSITORY } from "../scripts/release/repository.ts";

const SCRIPT = resolve(import.meta.dirname, "../scripts/publish.ts");
const ROOT = mkdtempSync(join(tmpdir(), "rs-emit-publish-"));
afterAll(() => rmSync(ROOT, { recursive: true, force: true, maxRetries: 3 }));

/** A stand-in for npm: its registry is a folder with a file for each version, which holds a digest. */
const NPM = `#!/bin/bash
set -eu
case "$1" in
  view) if [ "\${BROKEN:-}" = yes ]; then echo "npm error code E500" >&2; exit 1; fi
        file="$REGISTRY/\${2//\\//-}"
        if [ -e "$file" ]; then cat "$file"; else echo "npm error code E404" >&2; exit 1; fi;;
  publish) echo "$*" >> "$REGISTRY/log"
        name=$(tar -xzOf "$2" package/package.json | grep -o '"id":"[^"]*"' | cut -d '"' -f 4)
        printf '"sha512-%s"' "$(openssl dgst -sha512 -binary "$2" | base64 --wrap 0)" > "$REGISTRY/\${name//\\//-}";;
esac
`;

class Release {
  readonly folder = mkdtempSync(join(ROOT, "release-"));
  readonly #registry = mkdtempSync(join(ROOT, "registry-"));

  constructor() {
    mkdirSync(join(this.folder, "tools"));
    writeFileSync(join(this.folder, "tools/npm"), NPM);
    chmodSync(join(this.folder, "tools/npm"), 0o755);
  }

  /** Packs a package that has no more than a manifest. */
  pack(file: string, name: string, more: object = {}): this {
    const repository = { url: "git+https://github.com/ada/rs-emit.git" };
    const manifest = { name, version: "1.0.0", id: `${name}@1.0.0`, repository, ...more };
    const place = mkdtempSync(join(ROOT, "package-"));
    mkdirSync(join(place, "package"));
    writeFileSync(join(place, "package/package.json"), JSON.stringify(manifest));
    execFileSync("tar", ["-czf", join(this.folder, file), "-C", place, "package"]);
    return this;
  }

  run(env: NodeJS.ProcessEnv = {}): Promise<{ exit: number; said: string }> {
    const path = `${join(this.folder, "tools")}:${process.env.PATH}`;
    const options = { env: { ...process.env, PATH: path, REGISTRY: this.#registry, ...env } };
    return new Promise((done) => {
      execFile(process.execPath, [SCRIPT, this.folder], options, (error, stdout, stderr) => {
        done({ exit: Number(error?.code ?? 0), said: stdout + stderr });
      });
    });
  }

  /** What npm was asked to publish, in order, without the folder. */
  published(): string[] {
    const log = execFileSync("bash", ["-c", `cat "${this.#registry}/log" 2>/dev/null || true`]);
    return log.toString().replaceAll(`${this.folder}/`, "").trim().split("\n");
  }
}

describe("scripts/publish.ts", () => {
  test("publishes in order, with provenance, and what is there already not again", async () => {
    const release = new Release()
      .pack("a.tgz", "a", { dependencies: { "@s/z": "^1.0.0", other: "1" } })
      .pack("z.tgz", "@s/z");
    expect(await release.run()).toEqual({
      exit: 0,
      said: "@s/z 1.0.0 published\na 1.0.0 published\n",
    });
    const published = ["z.tgz", "a.tgz"].map(
      (file) => `publish ${file} --access public --provenance`,
    );
    expect(release.published()).toEqual(published);
    release.pack("b.tgz", "b", { dependencies: { a: "^1.0.0" } });
    expect(await release.run()).toEqual({
      exit: 0,
      said: "@s/z 1.0.0 was there already\na 1.0.0 was there already\nb 1.0.0 published\n",
    });
    expect(release.published()).toHaveLength(3);
  });

  test("stops where the registry has other bytes, or does not answer", async () => {
    const release = new Release().pack("a.tgz", "a");
    await release.run();
    release.pack("a.tgz", "a", { description: "Changed" });
    expect(await release.run()).toEqual({
      exit: 1,
      said: expect.stringMatching(
        /^The registry has a@1\.0\.0 with other bytes\.\nA version cannot/,
      ),
    });
    expect(await release.run({ BROKEN: "yes" })).toEqual({
      exit: 1,
      said: expect.stringMatching(/did not say whether it has a@1\.0\.0: npm error code E500/),
    });
    expect(release.published()).toHaveLength(1);
  });

  test("stops before the first where a package does not name its repository", async () => {
    const repository = { url: `git+https://github.com/${UNKNOWN_REPOSITORY}.git` };
    for (const unnamed of [repository, undefined]) {
      const release = new Release().pack("a.tgz", "a").pack("b.tgz", "b", { repository: unnamed });
      const { exit, said } = await release.run();
      expect([exit, said]).toEqual([
        1,
        expect.stringMatching(/^b does not say .*\nRun scripts\/owner/),
      ]);
      expect(release.published()).toEqual([""]);
    }
  });
});
