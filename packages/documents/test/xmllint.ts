import { spawnSync } from "node:child_process";

/** Whether libxml2's command is installed (Debian: libxml2-utils). */
export const hasXmllint = spawnSync("xmllint", ["--version"]).status === 0;
