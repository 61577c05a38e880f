import type { MessagePort, Worker } from "node:worker_threads";
import type { Harvester } from "../check/harvester.ts";
import { HarvestError } from "../errors.ts";
import {
  checkSoon,
  type Followed,
  type FollowedAll,
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
import { type NamedProblem, nameProblem } from "./problem-log.ts";
import { answerHub, type HubQuestion } from "./websub/callback.ts";
import { type Delivered, takeDelivery } from "./websub/delivery.ts";

/** What pages and hubs change: all of it is written by one thread, which also checks. */
export interface Writer {
  follow(address: string): Promise<Followed>;
  /** @param fromLists they are watched by their lists of pages, where they do not say what changed */
  followAll(addresses: readonly string[], fromLists: boolean): Promise<FollowedAll>;
  unfollow(source: number): Promise<void>;
  checkSoon(source: number): Promise<void>;
  takePing(address: string): Promise<void>;
  watchLists(source: number): Promise<void>;
  confirmGone(source: number): Promise<void>;
  pause(source: number): Promise<void>;
  rename(source: number, name: string): Promise<void>;
  setCheckInterval(source: number, interval: Interval | undefined): Promise<void>;
  block(host: string): Promise<void>;
  unblock(host: string): Promise<void>;
  beginSession(session: Session): Promise<void>;
  endSession(id: string): Promise<void>;
  answerHub(token: string, question: HubQuestion): Promise<string | undefined>;
  takeDelivery(token: string, body: Uint8Array, signature: string | undefined): Promise<Delivered>;
}

/** Writes with a harvester's own connection. */
export function writerOf(harvester: Harvester): Writer {
  const { database, now } = harvester;
  return {
    follow: (address) => follow(database, address, now()),
    followAll: (addresses, fromLists) => followAll(database, addresses, now(), fromLists),
    unfollow: (source) => unfollow(database, source),
    checkSoon: (source) => checkSoon(database, source, now()),
    takePing: (address) => takePing(database, address, now()),
    watchLists: (source) => watchLists(database, source, now()),
    confirmGone: async (source) => {
      await confirmGone(database, source, now());
      await checkSoon(database, source, now());
    },
    pause: (source) => pause(database, source),
    rename: (source, name) => rename(database, source, name),
    setCheckInterval: (source, interval) => setCheckInterval(database, source, interval, now()),
    block: (host) => block(database, host),
    unblock: (host) => unblock(database, host, now()),
    beginSession: (session) => beginSession(database, session, now()),
    endSession: (id) => endSession(database, id),
    answerHub: (token, question) => answerHub(database, token, question, now()),
    takeDelivery: (...delivery) => takeDelivery(harvester, ...delivery),
  };
}

/** A call of a method of the writer, from one thread to the other. */
interface Call {
  readonly kind: "call";
  readonly id: number;
  readonly method: keyof Writer;
  readonly args: readonly unknown[];
}

/** What came of a call. */
interface Answer {
  readonly kind: "answer";
  readonly id: number;
  readonly value?: unknown;
  readonly error?: NamedProblem;
}

/** An error of the other thread. */
export class ThreadError extends HarvestError {
  readonly code: string;
  constructor({ code, message }: NamedProblem) {
    super(message);
    this.code = code;
  }
}

function isCall(message: unknown): message is Call {
  return isMessage(message, "call");
}

function isAnswer(message: unknown): message is Answer {
  return isMessage(message, "answer");
}

function isMessage(message: unknown, kind: string): boolean {
  return (
    typeof message === "object" && message !== null && "kind" in message && message.kind === kind
  );
}

/** Answers the calls of another thread. */
export function answerCalls(port: MessagePort, writer: Writer): void {
  port.on("message", async (message: unknown) => {
    if (!isCall(message)) return;
    const { id, method, args } = message;
    try {
      const call: (...args: readonly never[]) => Promise<unknown> = writer[method];
      const value = await Reflect.apply(call, writer, args);
      port.postMessage({ kind: "answer", id, value } satisfies Answer);
    } catch (error) {
      port.postMessage({ kind: "answer", id, error: nameProblem(error) } satisfies Answer);
    }
  });
}

/** Has another thread write. */
export function remoteWriter(thread: Worker): Writer {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  thread.on("message", (message: unknown) => {
    if (!isAnswer(message)) return;
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
  const call =
    <Args extends readonly unknown[], Result>(method: keyof Writer) =>
    (...args: Args): Promise<Result> => {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      last += 1;
      // The other thread runs the same program: what it answers is what the method gives.
      waiting.set(last, { resolve: (value) => resolve(value as Result), reject });
      thread.postMessage({ kind: "call", id: last, method, args } satisfies Call);
      return promise;
    };
  return {
    follow: call("follow"),
    followAll: call("followAll"),
    unfollow: call("unfollow"),
    checkSoon: call("checkSoon"),
    takePing: call("takePing"),
    watchLists: call("watchLists"),
    confirmGone: call("confirmGone"),
    pause: call("pause"),
    rename: call("rename"),
    setCheckInterval: call("setCheckInterval"),
    block: call("block"),
    unblock: call("unblock"),
    beginSession: call("beginSession"),
    endSession: call("endSession"),
    answerHub: call("answerHub"),
    takeDelivery: call("takeDelivery"),
  };
}
