import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { program } from "../programs.ts";

/** Makes a service's folder anew, which follows sources of `serve-sources`: each was checked once. */
export function followSources(folder: string, port: string, sources: number): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [node = "", ...args] = program("harvest-sources", folder, port, "follow", `${sources}`);
  execFileSync(node, args, { stdio: "inherit" });
}
