import {
  askHost,
  intervalToText,
  isBusy,
  type Notified,
  never,
  reasonOfSilence,
} from "@rs-emit/core";
import { count, keyFileName } from "@rs-emit/core/words";
import { type PublishedPlace, untoldChanges } from "./published.ts";
import { type Sent, saidIn } from "./send.ts";

export interface IndexNow {
  readonly key: string;
  /** Asked in this order until one accepts a batch. */
  readonly endpoints: readonly string[];
}

/** Each informs the others. */
export const ENDPOINTS = ["https://api.indexnow.org/indexnow", "https://www.bing.com/indexnow"];

/** The protocol's limit for one request (https://www.indexnow.org/documentation). */
const MOST_URLS = 10_000;

/** The report for one host, and for the batches of its URLs that no engine accepted. */
export interface EngineReport {
  readonly sent: readonly Sent[];
  /** Not failures: engines accept a new key only after a while. */
  readonly warnings: readonly string[];
  /** Whether engines accepted all pages of this site. */
  readonly isAllTaken: boolean;
}

export interface ChangedPages {
  readonly urls: readonly string[];
  /** Pages that still exist. */
  readonly present: readonly string[];
  /** UTC seconds: the time of the publication before the reported ones. */
  readonly after: number | undefined;
  /** What the folder remembers once engines took them all. */
  readonly memory: Notified["indexNow"];
}

/**
 * Each page once. A first publication reports nothing of its past.
 * @param since UTC seconds: all changes after it, whatever was told
 */
export async function changedPages(
  { log, collections }: PublishedPlace,
  told: Notified["indexNow"],
  since: number | undefined,
): Promise<ChangedPages> {
  /** Whether the page's newest change deleted it. */
  const gone = new Map<string, boolean>();
  const changes = untoldChanges(collections, told, since);
  const news = changes.filter(({ interval: { from, until } }) => from < until);
  for (const { collection, interval } of news) {
    for await (const change of log.read([collection.url], interval.from + 1)) {
      // Feeds omit a correction; engines index it.
      const isReported = !change.minor || change.changed !== undefined;
      if (isReported && !gone.has(change.url)) gone.set(change.url, change.kind === "deleted");
    }
  }
  const urls = [...gone.keys()].sort();
  const memory = news.map(({ collection: { url }, interval }) => [url, intervalToText(interval)]);
  return {
    urls,
    present: urls.filter((url) => gone.get(url) === false),
    after: news.length === 0 ? undefined : Math.min(...news.map(({ interval }) => interval.from)),
    memory: Object.fromEntries(memory),
  };
}

/** Waits until the key file is live. */
export async function tellEngines(
  site: string,
  urls: readonly string[],
  indexNow: IndexNow,
): Promise<EngineReport> {
  const told: EngineReport[] = [];
  const own = new URL(site).origin;
  for (const origin of new Set(urls.map((url) => new URL(url).origin))) {
    const ofHost = urls.filter((url) => new URL(url).origin === origin);
    const folder = origin === own ? site : `${origin}/`;
    const problem = await keyProblem(folder, indexNow.key);
    if (problem === undefined) told.push(await tellOfHost(folder, ofHost, indexNow));
    else told.push(untold(origin === own, ofHost, problem));
  }
  return {
    sent: told.flatMap(({ sent }) => sent),
    warnings: told.flatMap(({ warnings }) => warnings),
    isAllTaken: told.every(({ isAllTaken }) => isAllTaken),
  };
}

/** A site that moved may have changes of its old host, which may have another owner now. */
function untold(isOwn: boolean, urls: readonly string[], problem: string): EngineReport {
  const about = pages(urls.length);
  if (!isOwn) {
    const warning = `${about} of another host: not told, since ${problem}.`;
    return { sent: [], warnings: [warning], isAllTaken: true };
  }
  const cure = "Deploy the folder with that file: rs-emit writes it with the option indexNow.";
  const untold = { to: "IndexNow", about, problem: `${problem}. ${cure}` };
  return { sent: [untold], warnings: [], isAllTaken: false };
}

async function tellOfHost(
  folder: string,
  urls: readonly string[],
  { key, endpoints }: IndexNow,
): Promise<EngineReport> {
  const request = { host: new URL(folder).host, key, keyLocation: folder + keyFileName(key) };
  const sent: Sent[] = [];
  const warnings: string[] = [];
  for (let from = 0; from < urls.length; from += MOST_URLS) {
    const urlList = urls.slice(from, from + MOST_URLS);
    const answer = await offer(endpoints, JSON.stringify({ ...request, urlList }));
    const about = pages(urlList.length);
    if (answer.status === 403) warnings.push(`${answer.to} did not take ${about} yet: ${NEW_KEY}`);
    else sent.push({ to: answer.to, about, problem: problemOf(answer) });
  }
  const isAllTaken = warnings.length === 0 && sent.every(({ problem }) => problem === undefined);
  return { sent, warnings, isAllTaken };
}

const NEW_KEY = "it knows a new key only after a while, which is usual.";

function pages(number: number): string {
  return count(number, "changed page", "changed pages");
}

/** Engines compare the file with the key themselves. */
async function keyProblem(folder: string, key: string): Promise<string | undefined> {
  const location = folder + keyFileName(key);
  try {
    const { ok, status, body } = await askHost(location);
    if (!ok) return `${location} answers ${status}`;
    return body.toString().trim() === key ? undefined : `${location} does not hold the key`;
  } catch (error) {
    return `${location} does not answer (${reasonOfSilence(error)})`;
  }
}

interface EngineAnswer {
  readonly to: string;
  readonly status: number;
  readonly text: string;
}

/** A key may be new, an engine busy, an answer lost: repeated, then the next engine gets one request. */
async function offer(endpoints: readonly string[], body: string): Promise<EngineAnswer> {
  const headers = { "content-type": "application/json" };
  let answer: EngineAnswer = { to: "IndexNow", status: LOST, text: "no engine is named" };
  for (const [at, to] of endpoints.entries()) {
    const again = at === 0 ? mayChange : never;
    answer = await askHost(to, { method: "POST", body, headers, again }).then(
      (one) => ({ to, status: one.status, text: saidIn(one) }),
      (error) => ({ to, status: LOST, text: reasonOfSilence(error) }),
    );
    if (answer.status !== LOST && !isBusy(answer.status)) return answer;
  }
  return answer;
}

/** The status of a request without an answer. */
const LOST = 0;

function mayChange(status: number): boolean {
  return status === LOST || status === 403 || isBusy(status);
}

const FAULTS: Readonly<Record<number, string>> = {
  400: "it takes the request for malformed. If the key has 8 to 128 letters, digits and hyphens, please report it",
  422: "it takes the pages for those of another host, or the key for another's. Check the option url",
};

function problemOf({ status, text }: EngineAnswer): string | undefined {
  if (status >= 200 && status <= 299) return undefined;
  const words = text === "" ? "" : `: ${text}`;
  if (status === LOST) return `it does not answer${words}`;
  const fault = FAULTS[status];
  return fault === undefined ? `it answers ${status}${words}` : `${fault} (${status}${words}).`;
}
