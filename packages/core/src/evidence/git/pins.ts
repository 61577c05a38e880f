import { devNull } from "node:os";

/** A user's settings that would change what git shows, or what it starts, set back. */
export const PINS: readonly string[] = Object.entries({
  "core.fileMode": "false",
  "core.fsmonitor": "false",
  "core.quotePath": "false",
  "diff.ignoreSubmodules": "none",
  "diff.orderFile": devNull,
  "diff.relative": "false",
  "log.diffMerges": "first-parent",
  "log.follow": "false",
  "log.mailmap": "false",
  "log.showRoot": "true",
  "log.showSignature": "false",
}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
