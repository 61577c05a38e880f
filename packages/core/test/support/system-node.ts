import { execFileSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Another Node than the one of the workspace, or why there is none to try. */
export function findSystemNode(): string | { readonly why: string } {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "" && !folder.includes("node_modules"))
    .map((folder) => join(folder, "node"))
    .filter((node) => existsSync(node))
    .find((node) => realpathSync(node) !== realpathSync(process.execPath));
  if (found === undefined) return { why: "skipped: there is no Node but the workspace's" };
  const version = execFileSync(found, ["--version"], { encoding: "utf8" }).trim();
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    return { why: `skipped: the system's Node is ${version}, older than 20.19` };
  }
  return found;
}
