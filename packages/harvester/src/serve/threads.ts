import { once } from "node:events";
import { extname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { ThreadMessage, ThreadOptions } from "./thread.ts";
import { ThreadError } from "./writer.ts";

/** Milliseconds in which a thread may end in order. Containers are killed ten seconds after they were told to stop. */
export const PATIENCE = 8_000;

/** Starts a thread that writes for the pages, or one that checks; resolves once its database is open. */
export async function startThread(workerData: ThreadOptions): Promise<Worker> {
  // As the bundle finds it, too: its modules are in `cli/`.
  const program = new URL(`../serve/thread${extname(import.meta.url)}`, import.meta.url);
  const thread = new Worker(program, { workerData });
  const [message]: ThreadMessage[] = await once(thread, "message");
  if (message?.kind === "failed") throw new ThreadError(message.error);
  return thread;
}

/**
 * Tells a thread to stop, and ends it where it has not by then, whatever it is at: what it was about to store is not stored,
 * as if the process had been killed.
 */
export async function stopThread(thread: Worker, patience = PATIENCE): Promise<void> {
  if (thread.threadId === -1) return;
  const ended = once(thread, "exit");
  thread.postMessage("stop");
  const late = new AbortController();
  const end = pause(patience, undefined, late).then(
    () => thread.terminate(),
    () => {},
  );
  await ended;
  late.abort();
  await end;
}
