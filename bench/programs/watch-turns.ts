import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded before a program (`--import`): notes the longest turn of its main thread, in milliseconds of that thread's
 * own CPU, and writes it to the file `TURNS` at the end. Waiting for a busy machine does not count.
 */
const EVERY = 5;

if (isMainThread) {
  let longest = 0;
  let before = process.threadCpuUsage();
  // A start takes its time, and nobody waits yet.
  setTimeout(() => {
    before = process.threadCpuUsage();
    setInterval(look, EVERY).unref();
  }, 1_500).unref();
  const look = () => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, (now.user + now.system - before.user - before.system) / 1000);
    before = now;
  };
  process.on("exit", () => writeFileSync(process.env.TURNS ?? "", String(longest)));
}
