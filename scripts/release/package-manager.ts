import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of pnpm that a workspace names, as `npx` takes it. Another one may write other bytes. */
export function packageManager(root: string): string {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).packageManager;
}
