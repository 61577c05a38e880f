import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";

/** A subscription that the hub has verified. */
export interface HubSubscription {
  readonly topic: string;
  readonly callback: string;
  readonly secret: string | undefined;
  /** When the lease ends, UTC seconds. */
  readonly until: number;
}

/** A WebSub hub (W3C Recommendation, 23 January 2018) that does as tests tell it. */
export class TestHub implements AsyncDisposable {
  readonly url: string;
  /** The forms that were sent to it, in order. */
  readonly forms: URLSearchParams[] = [];
  /** By their callbacks. */
  readonly subscriptions = new Map<string, HubSubscription>();
  /** The status of its answers to forms; with 202 it verifies. */
  status = 202;
  headers: Readonly<Record<string, string>> = {};
  /** Seconds that it grants. */
  lease = 864_000;
  /** How it signs. */
  method = "sha256";
  /** What it says instead of verifying. */
  denial: string | undefined;
  /** Statuses that verifications and denials were answered with, in order. */
  readonly verified: number[] = [];
  readonly #server: Server;
  readonly #now: () => number;
  #work: Promise<void> = Promise.resolve();

  private constructor(server: Server, port: number, now: () => number) {
    this.#server = server;
    this.#now = now;
    this.url = `http://hub.test:${port}/`;
    server.on("request", (request, response) => {
      this.#take(request).then(
        () => response.writeHead(this.status, this.headers).end(),
        () => response.destroy(),
      );
    });
  }

  static async start(now: () => number): Promise<TestHub> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return new TestHub(server, address.port, now);
  }

  reset(): void {
    Object.assign(this, { status: 202, headers: {}, lease: 864_000, method: "sha256" });
    this.denial = undefined;
    this.forms.length = 0;
    this.verified.length = 0;
    this.subscriptions.clear();
  }

  /** Waits until everything that was asked for is verified. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Asks a callback something, as section 5.3 has it. */
  async ask(callback: string, question: Readonly<Record<string, string>>): Promise<Response> {
    const url = new URL(callback);
    for (const [name, value] of Object.entries(question)) url.searchParams.append(name, value);
    return fetch(url, { redirect: "error" });
  }

  /** Delivers to all whose lease has not ended (section 7); gives the statuses of their answers. */
  async deliver(topic: string, body: string): Promise<number[]> {
    const wanted = [...this.subscriptions.values()].filter(
      (one) => one.topic === topic && one.until > this.#now(),
    );
    return Promise.all(wanted.map((one) => this.send(one, body)));
  }

  /** Delivers to one callback. */
  async send(
    { callback, secret, topic }: Pick<HubSubscription, "callback" | "secret" | "topic">,
    body: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const headers = new Headers({
      "content-type": "application/xml",
      link: `<${topic}>; rel="self", <${this.url}>; rel="hub"`,
    });
    if (secret !== undefined) headers.set("x-hub-signature", signature(this.method, secret, body));
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    const { status } = await fetch(callback, { method: "POST", headers, body });
    return status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#work;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage): Promise<void> {
    const form = new URLSearchParams(await text(request));
    this.forms.push(form);
    const mode = form.get("hub.mode");
    if (this.status !== 202 || mode === "publish") return;
    const before = this.#work;
    // The answer comes first, and does not depend on what is found out (section 5.1.2).
    this.#work = (async () => {
      await before;
      await (this.denial === undefined ? this.#verify(form) : this.#deny(form, this.denial));
    })();
  }

  async #verify(form: URLSearchParams): Promise<void> {
    const callback = form.get("hub.callback") ?? "";
    const topic = form.get("hub.topic") ?? "";
    const mode = form.get("hub.mode") ?? "";
    const challenge = randomUUID();
    const answer = await this.ask(callback, {
      "hub.mode": mode,
      "hub.topic": topic,
      "hub.challenge": challenge,
      "hub.lease_seconds": String(this.lease),
    });
    this.verified.push(answer.status);
    if (!answer.ok || (await answer.text()) !== challenge) return;
    if (mode === "unsubscribe") this.subscriptions.delete(callback);
    else {
      const secret = form.get("hub.secret") ?? undefined;
      const until = this.#now() + this.lease;
      this.subscriptions.set(callback, { topic, callback, secret, until });
    }
  }

  async #deny(form: URLSearchParams, reason: string): Promise<void> {
    const answer = await this.ask(form.get("hub.callback") ?? "", {
      "hub.mode": "denied",
      "hub.topic": form.get("hub.topic") ?? "",
      "hub.reason": reason,
    });
    this.verified.push(answer.status);
  }
}

/** The header `X-Hub-Signature` of a body. */
export function signature(method: string, secret: string, body: string): string {
  return `${method}=${createHmac(method, secret).update(body).digest("hex")}`;
}
