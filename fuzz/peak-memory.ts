import { readFileSync, writeFileSync } from "node:fs";

const STATUS = "/proc/self/status";
const RESET = "/proc/self/clear_refs";

/**
 * How much memory the process took at its peak, beyond what it had before. Linux forgets an older peak on request;
 * elsewhere only a new one is seen.
 */
export class PeakMemory {
  readonly #before: number;

  constructor() {
    const forgets = resetPeak();
    this.#before = forgets ? process.memoryUsage.rss() : peak();
  }

  /** In bytes. */
  growth(): number {
    return Math.max(0, peak() - this.#before);
  }
}

function resetPeak(): boolean {
  if (process.platform !== "linux") return false;
  try {
    writeFileSync(RESET, "5");
    return true;
  } catch {
    return false;
  }
}

function peak(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes = "0"] = /^VmHWM:\s*(\d+)/m.exec(readFileSync(STATUS, "latin1")) ?? [];
  return Number(kilobytes) * 1024;
}
