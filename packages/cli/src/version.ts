import { readFileSync } from "node:fs";

export function ownVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}
