import type { MessagePort, Worker } from "node:worker_threads";
import { HarvestError } from "@rs-emit/reader";
import type { Harvester } from "../check/harvester.ts";
import {
  checkSoon,
  follow,
  followAll,
  type Interval,
  pause,
  rename,
  setCheckInterval,
  takePing,
  unfollow,
  watchLists,
} from "../store/following.ts";
import { block, unblock } from "../store/host.ts";
import { beginSession, endSession, type Session } from "../store/session.ts";
import { confirmGone } from "../store/watch.ts";
import { type NamedProblem, nameProblem } from "./background.ts";
import { answerHub, type HubQuestion } from "./websub/callback.ts";
import { takeDelivery } from "./websub/delivery.ts";

/** What pages and hubs change: all of it is written by one thread, which also checks. */
export type Writer = ReturnType<typeof writerOf>;

export function writerOf(harvester: Harvester) {
  const { database, now } = harvester;
  return {
    follow: (address: string) => follow(database, address, now()),
    /** @param fromLists compare the lists of pages of sites that publish no Change List */
    followAll: (addresses: readonly string[], fromLists: boolean) =>
      followAll(database, addresses, now(), fromLists),
    unfollow: (source: number) => unfollow(database, source),
    checkSoon: (source: number) => checkSoon(database, source, now()),
    takePing: (address: string) => takePing(database, address, now()),
    watchLists: (source: number) => watchLists(database, source, now()),
    confirmGone: async (source: number) => {
      await confirmGone(database, source, now());
      await checkSoon(database, source, now());
    },
    pause: (source: number) => pause(database, source),
    rename: (source: number, name: string) => rename(database, source, name),
    setCheckInterval: (source: number, interval: Interval | undefined) =>
      setCheckInterval(database, source, interval, now()),
    block: (host: string) => block(database, host),
    unblock: (host: string) => unblock(database, host, now()),
    beginSession: (session: Session) => beginSession(database, session, now()),
    endSession: (id: string) => endSession(database, id),
    answerHub: (token: string, question: HubQuestion) =>
      answerHub(database, token, question, now()),
    takeDelivery: (token: string, body: Uint8Array, signature: string | undefined) =>
      takeDelivery(harvester, token, body, signature),
  };
}

interface Call {
  readonly id: number;
  readonly method: keyof Writer;
  readonly args: readonly unknown[];
}

interface Reply {
  readonly kind: "reply";
  readonly id: number;
  readonly value?: unknown;
  readonly error?: NamedProblem;
}

/** What the thread sends besides. */
interface Other {
  readonly kind: "ready" | "failed" | "checked" | "problem";
}

export class ThreadError extends HarvestError {
  readonly code: string;
  constructor({ code, message }: NamedProblem) {
    super(message);
    this.code = code;
  }
}

export function performCalls(port: MessagePort, writer: Writer): void {
  port.on("message", async (message: Call | "stop") => {
    if (message === "stop") return;
    const { id, method, args } = message;
    try {
      const call: (...args: readonly never[]) => Promise<unknown> = writer[method];
      const value = await Reflect.apply(call, writer, args);
      port.postMessage({ kind: "reply", id, value } satisfies Reply);
    } catch (error) {
      port.postMessage({ kind: "reply", id, error: nameProblem(error) } satisfies Reply);
    }
  });
}

/** A writer whose methods run in another thread. */
export function remoteWriter(thread: Worker): Writer {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  thread.on("message", (message: Reply | Other) => {
    if (message.kind !== "reply") return;
    const { id, value, error } = message;
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new ThreadError(error));
  });
  thread.on("exit", () => {
    for (const { reject } of waiting.values()) {
      reject(new ThreadError({ code: "STOPPED", message: "The service stops." }));
    }
    waiting.clear();
  });
  const methods: Writer = Object.create(null);
  return new Proxy(methods, {
    get:
      (_, method) =>
      (...args: readonly unknown[]): Promise<unknown> => {
        last += 1;
        const call = Promise.withResolvers<unknown>();
        waiting.set(last, call);
        thread.postMessage({ id: last, method, args });
        return call.promise;
      },
  });
}
