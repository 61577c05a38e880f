import { StoppedError } from "../../check/errors.ts";
import type { FreshAnswer, Transport } from "../../http/answer.ts";

/**
 * A transport that lets go of whatever is under way as soon as a signal says so: what waits for an answer
 * gets a `StoppedError`, which is no failure of the source.
 */
export function stoppable(transport: Transport, signal: AbortSignal): Transport {
  return {
    get: async (url, validators, permit) => {
      const answer = await orStopped(() => transport.get(url, validators, permit), signal);
      return answer.status === "fresh" ? stoppableAnswer(answer, signal) : answer;
    },
  };
}

function stoppableAnswer(answer: FreshAnswer, signal: AbortSignal): FreshAnswer {
  const { status, url, permanentUrl, validators, link } = answer;
  const discard = () => answer.discard();
  const body = chunksOf(answer, signal);
  return { status, url, permanentUrl, validators, link, body, discard };
}

async function* chunksOf(answer: FreshAnswer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks = answer.body[Symbol.asyncIterator]();
  let isLeft = true;
  try {
    for (;;) {
      const { done, value } = await orStopped(() => chunks.next(), signal);
      if (done === true) {
        isLeft = false;
        return;
      }
      yield value;
    }
  } finally {
    // Nobody waits for what a slow host still has to say.
    if (isLeft) chunks.return?.().catch(() => {});
  }
}

async function orStopped<Value>(begin: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) throw new StoppedError();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new StoppedError());
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([begin(), stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
