import { devNull } from "node:os";

/** A user's settings that would change what git shows, or what it starts, set back. */
export const PINS: readonly string[] = Object.entries({
  "core.fileMode": "false",
  "core.fsmonitor": "false",
  "diff.orderFile": devNull,
  "diff.relative": "false",
  "log.diffMerges": "first-parent",
  "log.showRoot": "true",
  "log.showSignature": "false",
}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
