import { once } from "node:events";
import { extname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { HarvestError } from "@rs-emit/reader";
import type { ThreadMessage, ThreadOptions } from "./check-thread.ts";
import type { NamedProblem } from "./problem-log.ts";
import type { Delivered, SentDelivery, TakeDelivery } from "./websub/index.ts";

/** Milliseconds in which a thread may end in order. Containers are killed ten seconds after they were told to stop. */
export const PATIENCE = 8_000;

/** Starts the thread that checks; resolves once its database is open. */
export async function startThread(workerData: ThreadOptions): Promise<Worker> {
  // As the bundle finds it, too: its modules are in `cli/`.
  const program = new URL(`../serve/check-thread${extname(import.meta.url)}`, import.meta.url);
  const thread = new Worker(program, { workerData });
  const [message]: ThreadMessage[] = await once(thread, "message");
  if (message?.kind === "failed") throw threadError(message.error);
  return thread;
}

/** Has the thread take what hubs deliver: reading and deciding on it takes as long as a check does. */
export function deliverTo(thread: Worker): TakeDelivery {
  const ended = new AbortController();
  thread.once("exit", () => ended.abort());
  return async (sent) => {
    if (thread.threadId === -1) throw threadError(STOPPED);
    const { port1, port2 } = new MessageChannel();
    const delivery: Delivery = { ...sent, answer: port2 };
    thread.postMessage(delivery, [port2, sent.body.buffer]);
    const [answer]: Answered[] = await once(port1, "message", ended).catch(() => []);
    port1.close();
    if (answer?.delivered === undefined) throw threadError(answer?.error ?? STOPPED);
    return answer.delivered;
  };
}

export const STOPPED: NamedProblem = { code: "STOPPED", message: "The service stops." };

/** What is sent to the thread, besides `stop`. */
export interface Delivery extends SentDelivery {
  /** Where it sends an `Answered`. */
  readonly answer: MessagePort;
}

export interface Answered {
  readonly delivered?: Delivered;
  readonly error?: NamedProblem;
}

export function threadError({ code, message }: NamedProblem): HarvestError {
  return new HarvestError({ code, problem: message });
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
