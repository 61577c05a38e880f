import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { askHost, type HostAnswer, never, reasonOfSilence } from "@rs-emit/core";
import { list } from "@rs-emit/documents";
import { CommandError, EXIT } from "../errors.ts";
import { publicationIn } from "../last-publication.ts";
import type { NamedDocument, PublishedCollection } from "./published.ts";

/** What must be live before anything is sent. */
interface Awaited {
  readonly url: string;
  /** Whether the site's bytes are the published ones. */
  isIt(bytes: Uint8Array): boolean | Promise<boolean>;
}

/** Seconds between two requests of the same address. */
const PAUSE = 5;

/** Requests at the same time. */
const AT_ONCE = 8;

/** Waits for what was published, with one deadline for everything. */
export class LiveSite {
  /** Milliseconds of the clock. */
  readonly #end: number;

  /** @param wait seconds */
  constructor(wait: number) {
    this.#end = Date.now() + wait * 1_000;
  }

  /**
   * Waits until the live site serves the folder's version of each document in the notification.
   * @throws {CommandError} if it does not in time, or has a publication that the folder does not know
   */
  async untilDocuments(collections: readonly PublishedCollection[]): Promise<void> {
    for (const { index, documents } of collections) {
      const own = documents.find(({ url }) => url === index);
      const awaited = documents.map(({ url, bytes }) => ({
        url,
        isIt: (live: Uint8Array) => {
          if (url === index && own !== undefined) refuseUnknown(own, live);
          return Buffer.compare(live, bytes) === 0;
        },
      }));
      await this.#until(awaited, DEPLOY);
    }
  }

  /** Waits for pages in the same way. Throws CommandError. */
  async untilPages(pages: readonly NamedPage[]): Promise<void> {
    if (pages.length === 0) return;
    const { haveSameContent } = await import("@rs-emit/core");
    const { rewriterOf } = await import("@rs-emit/check");
    const awaited = pages.map(({ url, file }) => ({
      url,
      isIt: async (live: Uint8Array) => {
        const own = readFileSync(file);
        if (await haveSameContent(file, own, live)) return true;
        return rewriterOf(live) !== undefined && rewriterOf(own) === undefined;
      },
    }));
    await this.#until(awaited, DEPLOY_PAGES);
  }

  async #until(awaited: readonly Awaited[], cure: string): Promise<void> {
    let waiting = awaited;
    for (;;) {
      const missing = await missingOf(waiting);
      const [first] = missing;
      if (first === undefined) return;
      if (Date.now() + PAUSE * 1_000 > this.#end) throw notLive(missing, cure);
      waiting = missing.map(({ one }) => one);
      await pause(PAUSE * 1_000);
    }
  }
}

export interface NamedPage {
  readonly url: string;
  /** In the folder. */
  readonly file: string;
}

interface Missing {
  readonly one: Awaited;
  readonly why: string;
}

async function missingOf(awaited: readonly Awaited[]): Promise<readonly Missing[]> {
  const missing: Missing[] = [];
  const queue = awaited.values();
  const worker = async () => {
    for (const one of queue) {
      const why = await differs(one);
      if (why !== undefined) missing.push({ one, why });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return missing;
}

/** Why the live file differs; `undefined` if it does not. */
async function differs({ url, isIt }: Awaited, mayRepeat = true): Promise<string | undefined> {
  let answer: HostAnswer;
  try {
    answer = await askHost(url, { pastCaches: String(Date.now()), again: never });
  } catch (error) {
    // A host may close a connection just when it is used again.
    return mayRepeat ? differs({ url, isIt }, false) : reasonOfSilence(error);
  }
  if (!answer.ok) return `it answers ${answer.status}`;
  return (await isIt(answer.body)) ? undefined : "it has other bytes than the folder's";
}

/** A deploy of the folder would undo a live publication that the folder does not know. */
function refuseUnknown({ url, bytes }: NamedDocument, live: Uint8Array): void {
  const [own, theirs] = [publicationIn(bytes), publicationIn(live)];
  if (own === undefined || theirs === undefined || theirs.time === own.time) return;
  if (theirs.time <= (own.previous ?? Number.NEGATIVE_INFINITY)) return;
  throw new CommandError({
    code: "OTHER_PUBLICATION",
    problem:
      `${url} is of the publication ${theirs.text}, which the folder, of ${own.text}, does not know: the site was ` +
      "published from elsewhere. Nobody was notified.",
    cure:
      "Do not deploy this folder: that would undo what was published there. Run notify where that publication was " +
      "made, or publish this folder again with --previous site, then deploy it.",
    exitCode: EXIT.failed,
  });
}

const DEPLOY = "Deploy the folder first, or wait longer with --wait 30m.";

const DEPLOY_PAGES = `${DEPLOY} If the host changes pages on their way, leave them out with --no-pages.`;

function notLive(missing: readonly Missing[], cure: string): CommandError {
  const [first, ...others] = missing;
  const more = others.length === 0 ? "" : ` Nor are ${list(others.map(({ one }) => one.url))}.`;
  return new CommandError({
    code: "NOT_LIVE",
    option: "wait",
    problem: `${first?.one.url} is not what was published: ${first?.why}.${more} Nobody was notified.`,
    cure,
    exitCode: EXIT.failed,
  });
}
